import { NO_USAGE, ProviderError } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import type { SpecRun } from "../run-spec.ts";
import { layeredModel } from "./layered-model.ts";

const fields = "fields: { count: integer }";
const rule =
  'checks: [{ rule: { expr: "answer.value.count > 10", message: count must be above ten } }]';

function rejectionsOf({ events }: SpecRun): readonly unknown[] {
  return events.flatMap(({ name, data }) =>
    name === "output.rejected" ? [[data.code, data.attempt, data.attempts]] : [],
  );
}

describe("the repairs of a reply", () => {
  it("have a budget for its form and one for what the checks find", async () => {
    const said = ["none", '{"count": 1}', "none", '{"count": 2}', '{"count": 11}'];
    const body = `strategy: direct\noutput: { ${fields}, ${rule}, repair: 2 }\n`;
    const run = await runScripted(body, said);
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 11 } });
    expect(rejectionsOf(run)).toEqual([
      ["no-json", 1, 3],
      ["check-failed", 2, 4],
      ["no-json", 3, 4],
      ["check-failed", 4, 5],
    ]);
  });

  it("end a run when either budget is spent", async () => {
    const body = `strategy: direct\noutput: { ${fields}, ${rule}, repair: { format: 2, checks: 1 } }\n`;
    const breaking = await runScripted(body, () => ({ json: { count: 1 } }));
    expect(breaking.requests).toHaveLength(2);
    expect(breaking.outcome).toMatchObject({ fault: { code: "output-invalid" } });
    const shapeless = await runScripted(body, () => "none");
    expect(shapeless.requests).toHaveLength(3);
    expect(rejectionsOf(shapeless).at(-1)).toEqual(["no-json", 3, 3]);
  });

  it("say the place, what was given and what is allowed, in ten parts at most", async () => {
    const many = "fields: { kinds: { type: array, items: { enum: [box, pallet] } } }";
    const kinds = Array.from({ length: 30 }, (_, index) => `crate ${index}`);
    const run = await runScripted(`strategy: direct\noutput: { ${many} }\n`, [
      { json: { kinds } },
      { json: { kinds: ["box"] } },
    ]);
    expect(run.outcome.outcome).toBe("done");
    const told = run.requests[1]?.messages.at(-1)?.text ?? "";
    expect(told).toContain('`kinds.0` is "crate 0", not one of "box", "pallet"');
    expect(told.match(/not one of/g)?.length).toBeLessThanOrEqual(10);
  });

  it("send a long reply back without its end, and say so", async () => {
    const long = `The count is ${"very ".repeat(2_000)}high.`;
    const run = await runScripted(`strategy: direct\noutput: { ${fields} }\n`, [
      long,
      { json: { count: 4 } },
    ]);
    const sent = run.requests[1]?.messages.at(-2)?.text ?? "";
    expect(sent.startsWith(long.slice(0, 4_000))).toBe(true);
    expect(sent.slice(4_000)).toBe(`\n[… ${long.length - 4_000} more characters were cut here]`);
  });
});

describe("a reply that was cut at its token limit", () => {
  const cut = (request: { readonly sampling: { readonly maxTokens?: number } }, room: number) =>
    (request.sampling.maxTokens ?? 100) < room
      ? ({
          text: '{"count": 4}',
          finishReason: "length",
          usage: { input: 10, cacheRead: 0, cacheWrite: 0, output: 70, reasoning: 0 },
        } as const)
      : '{"count": 4}';

  it("is no answer although it parses, and gets twice the room once", async () => {
    const { plugin, requests } = layeredModel({}, (request) => cut(request, 600));
    const model = "{ use: layered/m, maxTokens: 300 }";
    const run = await runScripted(
      `model: ${model}\nstrategy: direct\noutput: { ${fields} }\n`,
      [],
      { plugins: [plugin] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(requests.map(({ sampling }) => sampling.maxTokens)).toEqual([300, 600]);
    expect(rejectionsOf(run)).toEqual([["output-truncated", 1, 2]]);
    const told = run.events.find(({ name }) => name === "output.rejected")?.data;
    expect(told).toMatchObject({ message: expect.stringContaining("600 tokens") });
  });

  it("is told in the same words whatever its limit, so that a recording replays", async () => {
    const told = await Promise.all(
      ["", ", maxTokens: 300", ", maxTokens: 200"].map(async (limit) => {
        const { plugin, requests } = layeredModel({}, (request) => cut(request, 1_000));
        const model = `model: { use: layered/m${limit} }\n`;
        await runScripted(`${model}strategy: direct\noutput: { ${fields} }\n`, [], {
          plugins: [plugin],
        });
        return requests.map(({ requestHash }) => requestHash);
      }),
    );
    expect(told[0]).toHaveLength(2);
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it("gets no limit where none was sent", async () => {
    const { plugin, requests } = layeredModel({}, (request) => cut(request, 10_000));
    const run = await runScripted(
      `model: layered/m\nstrategy: direct\noutput: { ${fields}, repair: 2 }\n`,
      [],
      { plugins: [plugin] },
    );
    expect(run.outcome).toMatchObject({ fault: { code: "output-truncated" } });
    expect(requests.map(({ sampling }) => sampling.maxTokens)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each([
    [2, [300, 600, 300], { outcome: "done", value: { count: 4 } }],
    [
      1,
      [300, 600],
      { fault: { code: "output-truncated", message: expect.stringContaining("at most 500") } },
    ],
  ] as const)(
    "goes on at the old limit where the endpoint refuses the raised one (repair: %i)",
    async (repair, limits, outcome) => {
      const { plugin, requests } = layeredModel({}, ({ sampling, messages }) => {
        if ((sampling.maxTokens ?? 0) > 500)
          throw new ProviderError("provider-rejected", "max_tokens may be at most 500");
        return messages.length > 2
          ? '{"count": 4}'
          : { text: '{"count": 4', finishReason: "length" };
      });
      const run = await runScripted(
        `model: { use: layered/m, maxTokens: 300 }\nstrategy: direct\noutput: { ${fields}, repair: ${repair} }\n`,
        [],
        { plugins: [plugin] },
      );
      expect(run.outcome).toMatchObject(outcome);
      expect(requests.map(({ sampling }) => sampling.maxTokens)).toEqual(limits);
    },
  );

  it("gets no more room than the limits of the run leave", async () => {
    const { plugin, requests } = layeredModel({}, (request) => cut(request, 1_000_000));
    await runScripted(
      `model: layered/m\nstrategy: direct\noutput: { ${fields} }\nlimits: { tokens: 8000 }\n`,
      [],
      { plugins: [plugin] },
    );
    const [first = 0, second = 0] = requests.map(({ sampling }) => sampling.maxTokens);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeLessThan(first);
    expect(requests[1]?.messages.at(-1)?.text).toContain("fewer words");
  });
});

describe("a reply that is not whole", () => {
  it.each([
    ["length", "output-truncated"],
    ["content-filter", "content-filter"],
  ] as const)("calls no tool where it ended with %s", async (finishReason, code) => {
    const shipped: string[] = [];
    const ship = toolOf("ship", (item) => shipped.push(item), "once");
    const run = await runScripted(
      "tools: { ship: { approval: never } }\nstrategy: react\n",
      [
        { calls: [{ name: "ship", arguments: {} }], finishReason },
        calling("ship", "box"),
        "Shipped.",
      ],
      { plugins: [ship] },
    );
    expect(shipped).toEqual(["box"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "Shipped." } });
    expect(rejectionsOf(run)).toEqual([[code, 1, 2]]);
    const sent = run.requests[1]?.messages ?? [];
    expect(
      sent.some((message) => message.role === "assistant" && message.toolCalls.length > 0),
    ).toBe(false);
  });

  it.each([
    ["text", "", "The stock holds 4 boxes, but", "It holds 4.", "It holds 4."],
    ["fields", `output: { ${fields} }\n`, '{"count": 4}\nBut', '{"count": 5}', '{"count":5}'],
  ])("is no answer in %s where a filter cut it", async (_, output, partial, whole, answer) => {
    const run = await runScripted(`strategy: direct\n${output}`, [
      { text: partial, finishReason: "content-filter" },
      whole,
    ]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: answer } });
    expect(rejectionsOf(run)).toEqual([["content-filter", 1, 2]]);
  });

  it("ends a run at its limits where they left no room for it, with a conclusion", async () => {
    const { plugin } = layeredModel({}, ({ key, sampling }) => {
      if (key.includes("conclusion")) return "About 4.";
      const output = sampling.maxTokens ?? 0;
      return { text: "The", finishReason: "length", usage: { ...NO_USAGE, input: 100, output } };
    });
    const run = await runScripted(
      "model: layered/m\nstrategy: direct\nlimits: { tokens: 8000 }\n",
      [],
      { plugins: [plugin] },
    );
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "About 4." },
      fault: { code: "limit-tokens" },
    });
  });
});

describe("a branch whose share of a limit was too small for its reply", () => {
  it("ends alone", async () => {
    let first: string | undefined;
    const run = await runScripted(
      "strategy: { self-consistency: { samples: 4, maxParallel: 4, do: direct } }\nlimits: { tokens: 9000 }\n",
      async ({ key }) => {
        await new Promise(setImmediate);
        first ??= key;
        return key.startsWith(first) ? { text: "4", finishReason: "length" } : "5";
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "5" } });
    expect(rejectionsOf(run)).toHaveLength(2);
  });
});

describe("whatever a model says", () => {
  const cut: ScriptedReply = { text: '{"count": 11}', finishReason: "length" };
  const replies = fc.constantFrom<ScriptedReply | string>(
    "",
    "none",
    cut,
    '{"count": "four"}',
    '{"count": 4}',
    '{"count": 11}',
    'ANSWER: {"count": 11}',
  );
  const budget = fc.integer({ min: 0, max: 2 });
  const forms = fc.constantFrom("none", "first", "separate", "free");

  it("a generation takes no more calls than its budgets hold, and ends as they say", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(replies, { minLength: 6, maxLength: 6 }),
        forms,
        budget,
        budget,
        async (said, reasoning, format, checks) => {
          const repair = `repair: { format: ${format}, checks: ${checks} }`;
          const body = `strategy: direct\noutput: { ${fields}, ${rule}, ${repair}, reasoning: ${reasoning} }\n`;
          const run = await runScripted(body, said);
          const most = 1 + format + checks + (reasoning === "separate" ? 1 : 0);
          expect(run.requests.length).toBeLessThanOrEqual(most);
          const { outcome, value, fault } = run.outcome;
          const ending = outcome === "done" ? JSON.stringify(value) : fault?.code;
          expect(ending).toMatch(/^(?:\{"count":11\}|output-(?:invalid|empty|truncated))$/);
        },
      ),
      { numRuns: 60 },
    );
  });
});
