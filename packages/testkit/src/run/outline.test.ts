import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";

const REPORT = ["Preface.", "# Costs", "They rose.", "", "# Plans", "We hire.", "We move."].join(
  "\n",
);

/** An input `report`, and what stands behind it. */
const withReport = (report: string) =>
  `inputs: { report: { type: string, default: ${JSON.stringify(report)} } }\n`;

const OUTLINE = 'outline: { id: parts, text: "{{ inputs.report }}", maxParts: 4 }';

/** What a request asks last. */
function asked({ messages }: { readonly messages: readonly object[] }): string {
  return (messages.at(-1) as { readonly text: string }).text;
}

const naming = (...parts: readonly (readonly [string, number])[]) => ({
  json: { parts: parts.map(([title, from]) => ({ title, from })) },
});

interface FoundPart {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

describe("outline", () => {
  it("divides a text where the model says, in pieces of the text itself", async () => {
    const { outcome, requests } = await runScripted(
      `${withReport(REPORT)}strategy: [{ ${OUTLINE} }, { direct: { when: "size(results.parts.value) > 0" } }]\n`,
      [naming(["Plans", 4], ["Costs", 2], ["Beyond", 99]), "Done."],
    );
    expect(asked(requests[0]!)).toContain("1| Preface.\n2| # Costs\n3| They rose.\n4| # Plans");
    const parts = outcome.state.results["parts"]?.value as unknown as readonly FoundPart[];
    expect(parts).toMatchObject([
      { id: "part-1", title: "Preface.", from: 0, text: "Preface.\n" },
      { id: "part-2", title: "Costs", text: "# Costs\nThey rose.\n\n" },
      { id: "part-3", title: "Plans", to: REPORT.length },
    ]);
    expect(parts.map(({ text }) => text).join("")).toBe(REPORT);
  });

  it("bounds a for-each over its parts, each with its id", async () => {
    const { outcome, requests, events } = await runScripted(
      `${withReport(REPORT)}strategy:
  - ${OUTLINE}
  - for-each: { id: each, in: results.parts.value, item: part, task: "Sum up {{ part.title }}: {{ part.text }}", do: direct }
  - direct: { id: join, prompt: "{{# results.each }}{{ item.key }}={{ item.text }};{{/ results.each }}" }
`,
      (request) => {
        if (request.stage === "parts") return naming(["Preface", 1], ["Costs", 2], ["Plans", 4]);
        if (request.stage === "join") return asked(request);
        return /Sum up (\w+)/.exec(asked(request))?.[1] ?? "";
      },
    );
    expect(outcome.answer.text).toBe("part-1=Preface;part-2=Costs;part-3=Plans;");
    expect(requests).toHaveLength(5);
    expect(unbalanced(events)).toEqual([]);
  });

  it("refuses paths that its value does not have", async () => {
    await expect(
      runScripted(
        `${withReport(REPORT)}strategy: [{ ${OUTLINE} }, { direct: { prompt: "{{# results.parts.value }}{{ item.heading }}{{/ results.parts.value }}" } }]\n`,
        [],
      ),
    ).rejects.toThrow(/heading/);
  });

  it("reads a long text in windows, tells each where it goes on, and keeps what it did not read", async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `Line ${index + 1} ${"x".repeat(290)}`);
    const report = lines.join("\n");
    const { outcome, requests, events } = await runScripted(
      `${withReport(report)}strategy: [{ outline: { id: parts, text: "{{ inputs.report }}", windowChars: 1000, maxWindows: 2 } }, { direct: { prompt: "{{ results.parts.text }}." } }]\n`,
      [naming(["Start", 1], ["Second", 3]), naming(["Third", 5]), "Done."],
    );
    expect(requests).toHaveLength(3);
    expect(asked(requests[1]!)).toContain('may still belong to the part "Second"');
    expect(asked(requests[1]!)).toMatch(/\n4\| Line 4 /);
    expect(asked(requests[1]!)).not.toContain("Line 7 ");
    const parts = outcome.state.results["parts"]?.value as unknown as readonly FoundPart[];
    expect(parts.map(({ title }) => title.slice(0, 6))).toEqual([
      "Start",
      "Second",
      "Third",
      "Line 7",
    ]);
    expect(parts.map(({ text }) => text).join("")).toBe(report);
    expect(events.filter(({ name }) => name === "fact.told")).toMatchObject([
      { data: { fact: "text.unread", data: { characters: lines.slice(6).join("\n").length } } },
      { data: { fact: "outline.made", data: { sections: parts.map(({ title }) => title) } } },
    ]);
  });

  it("tells how many parts above the maximum went to another", async () => {
    const facts = async (maxParts: number, ...starts: readonly number[]) => {
      const spec = `${withReport(REPORT)}strategy: [{ outline: { id: parts, text: "{{ inputs.report }}", maxParts: ${maxParts} } }, { direct: { prompt: "{{ results.parts.text }}." } }]\n`;
      const parts = starts.map((from) => [`Part ${from}`, from] as const);
      const { events } = await runScripted(spec, [naming(...parts), "Done."]);
      return events.flatMap((event) => (event.name === "fact.told" ? [event.data] : []));
    };
    const leftOut = (count: number, maxItems: number) => ({
      fact: "items.left-out",
      data: { count, maxItems, option: "maxParts" },
    });
    const made = { fact: "outline.made" };
    expect(await facts(2, 1, 2, 3, 4, 5)).toMatchObject([leftOut(3, 2), made]);
    // What stands before the first part is one too.
    expect(await facts(2, 2, 4)).toMatchObject([leftOut(1, 2), made]);
    expect(await facts(3, 2, 4, 4)).toMatchObject([made]);
  });

  it("needs no call for a text of one line, and finds no part in none", async () => {
    for (const [report, titles] of [
      ["One line only.", ["One line only."]],
      [" \n ", []],
    ] as const) {
      const { outcome, requests } = await runScripted(
        `${withReport(report)}strategy: [{ ${OUTLINE} }, { direct: { prompt: "{{ results.parts.text }}." } }]\n`,
        ["Done."],
      );
      expect(requests).toHaveLength(1);
      const parts = outcome.state.results["parts"]?.value as unknown as readonly FoundPart[];
      expect(parts.map(({ title }) => title)).toEqual(titles);
    }
  });

  it("makes one part of a text for which the model names none, and fails with its call", async () => {
    const spec = `${withReport(REPORT)}strategy: [{ ${OUTLINE} }, { direct: { prompt: "{{ results.parts.text }}." } }]\n`;
    const { outcome } = await runScripted(spec, [naming(), "Done."]);
    expect(outcome.state.results["parts"]?.value).toMatchObject([{ id: "part-1", text: REPORT }]);
    const down = { error: { code: "provider-failed", message: "down" } } as const;
    expect((await runScripted(spec, [down])).outcome).toMatchObject({ outcome: "failed" });
  });

  it("takes a prompt of the spec, with what it binds, and speaks Chinese in a Chinese spec", async () => {
    const own = await runScripted(
      `${withReport(REPORT)}strategy: [{ outline: { text: "{{ inputs.report }}", prompt: "{{ max }}:{{ lines }}" } }, { direct: { prompt: "{{ results.outline.text }}." } }]\n`,
      [naming(), "Done."],
    );
    expect(asked(own.requests[0]!)).toMatch(/^12:1\| Preface/);
    const chinese = await runScripted(
      `language: zh\n${withReport(REPORT)}strategy: [{ ${OUTLINE} }, { direct: { prompt: "{{ results.parts.text }}." } }]\n`,
      [naming(), "Done."],
    );
    expect(asked(chinese.requests[0]!)).toContain("把下面的文本按顺序分成最多 4 个部分");
  });
});
