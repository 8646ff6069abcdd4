import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runScripted } from "../promises/run-scripted.ts";
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
    expect(requests[1]?.messages.at(-1)?.text).toContain("600 tokens");
    expect(rejectionsOf(run)).toEqual([["output-truncated", 1, 2]]);
  });

  it("gets twice what it has written where no limit was sent, and is asked for fewer words after that", async () => {
    const { plugin, requests } = layeredModel({}, (request) => cut(request, 10_000));
    const run = await runScripted(
      `model: layered/m\nstrategy: direct\noutput: { ${fields}, repair: 3 }\n`,
      [],
      { plugins: [plugin] },
    );
    expect(run.outcome).toMatchObject({ fault: { code: "output-truncated" } });
    const limits = requests.map(({ sampling }) => sampling.maxTokens);
    expect(limits).toEqual([undefined, 140, 140, 140]);
    const told = requests.map(({ messages }) => messages.at(-1)?.text ?? "");
    expect(told[1]).toContain("140 tokens");
    expect(told[2]).toContain("fewer words");
    expect(told[3]).toContain("fewer words");
  });

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
