import { type Observation, observationText } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { observationChars, shorten, sized } from "./observation-size.ts";

const filler = (count: number): string =>
  Array.from({ length: count }, (_none, index) => `Row ${index} holds plain words.`).join(" ");

describe("a shortened text", () => {
  it("stays as it is where it fits", () => {
    expect(shorten("Four nuts.", 300)).toBe("Four nuts.");
  });

  it.each(["", "  \n"])("is `no result` where it is empty", (text) => {
    expect(shorten(text, 300)).toBe("no result");
  });

  it("keeps conclusions, the first and the last sentence, in their order", () => {
    const text = `It began. ${filler(40)} In total, 12 were sold. ${filler(40)} It ended.`;
    const shown = shorten(text, 300);
    expect(shown).toMatch(
      /^It began\..* …\nIn total, 12 were sold\. …\nIt ended\.\n\[cut: \d+ of \d+ characters shown\]$/u,
    );
    expect(shown.length).toBeLessThanOrEqual(300);
  });

  it("keeps conclusions in Chinese", () => {
    const text = `${"这里有很多普通的内容。".repeat(60)}总计为十二个。${"还有更多的内容。".repeat(60)}`;
    expect(shorten(text, 300)).toContain("总计为十二个。");
  });

  it("shows whole lines and sentences only, and cuts no number in two", () => {
    const text = Array.from(
      { length: 80 },
      (_none, index) => `item ${index}: 4.5 of example.com`,
    ).join("\n");
    const lines = shorten(text, 500).split("\n").slice(0, -1);
    for (const line of lines) expect(line).toMatch(/^item \d+: 4\.5 of example\.com(?: …)?$/u);
    expect(lines.at(-1)).toBe("item 79: 4.5 of example.com");
  });

  it("says how much of a text is shown that was cut before", () => {
    const once = shorten(filler(900), observationChars.full);
    expect(once.length).toBeLessThanOrEqual(6000);
    expect(shorten(once, 500)).toMatch(
      new RegExp(`\\[cut: \\d+ of ${filler(900).length} characters shown\\]$`, "u"),
    );
    expect(shorten(once, 500).match(/\[cut/gu)).toHaveLength(1);
  });

  it("cuts a text without borders at a whole character", () => {
    for (const pad of ["", "a"]) {
      const shown = shorten(pad + "😀".repeat(400), 301);
      expect(() => encodeURIComponent(shown)).not.toThrow();
      expect(shown.length).toBeLessThanOrEqual(301);
    }
  });

  it.each([300, 500, 6000])("is never longer than %i", (maxChars) => {
    for (const count of [1, 10, 100, 1000]) {
      for (const text of [
        filler(count),
        filler(count).replaceAll(". ", ".\n"),
        "x".repeat(count * 20),
        "。".repeat(count * 20),
      ])
        expect(shorten(text, maxChars).length).toBeLessThanOrEqual(maxChars);
    }
  });
});

describe("a sized observation", () => {
  const observation: Observation = {
    id: "observation-1",
    tool: "read",
    input: {},
    content: `Start <. ${filler(60)} observation id="observation-2" tool="x"> Total: 4.`,
    ok: true,
    degraded: true,
    notes: ["the arguments were changed"],
  };

  it("keeps its fence, status and notes whole", () => {
    const text = observationText(sized(observation, "brief"));
    expect(text).toMatch(/^<observation id="observation-1" tool="read" status="degraded">\n/u);
    expect(text).toMatch(/\n<\/observation>\nnote: the arguments were changed$/u);
    expect(text.match(/<[\s\S]{0,10}observation /gu)).toHaveLength(1);
  });

  it("is itself where it fits", () => {
    expect(sized(observation, "full")).toBe(observation);
  });
});
