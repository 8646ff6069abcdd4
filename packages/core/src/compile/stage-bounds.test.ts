import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { programOf } from "../../test/stub-plugins.ts";
import { Type } from "../contracts/schema.ts";
import { type Bounds, generations, sumBounds, timesBounds } from "../contracts/bounds.ts";
import { one } from "../contracts/slots.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import { compileText } from "../../test/stub-plugins.ts";
import type { Cost } from "./cost.ts";
import { stageCost } from "./stage-bounds.ts";

const spec = (strategy: string, rest: string = ""): string =>
  `apiVersion: loopwright/v1\nname: bounded\nmodel: ollama/s\nstrategy: ${strategy}\n${rest}`;

describe("bounds of a program", () => {
  it("multiplies loops, and repairs only what a stage generates itself", async () => {
    const { bounds } = await programOf(
      spec("[{ loop: { maxRounds: 3, do: [{ react: { maxSteps: 4 } }, { verify: {} }] } }]"),
    );
    expect(bounds.generations).toEqual([0, 18]);
    expect(bounds.requests).toEqual([0, 36]);
    expect(bounds.toolCalls).toEqual([0, 36]);
  });

  it("counts nothing for repairs that are turned off", async () => {
    const { bounds } = await programOf(
      spec("[direct]", "output: { repair: 0, fields: { a: string } }\n"),
    );
    expect(bounds.requests).toEqual([1, 1]);
  });

  it.each([
    ["repair: 2", 3],
    ["repair: { format: 3 }", 4],
    ["repair: 2, checks: [{ arithmetic: { equals: 3 } }]", 5],
    ["repair: { format: 2, checks: 1 }, checks: [{ arithmetic: { equals: 3 } }]", 4],
    ["reasoning: separate", 3],
    ["reasoning: free", 2],
  ])("counts what `%s` makes of one generation", async (settings, most) => {
    const { bounds } = await programOf(
      spec("[direct]", `output: { ${settings}, fields: { a: string } }\n`),
    );
    expect(bounds.requests).toEqual([1, most]);
  });

  it("makes a guarded stage cost nothing at the least", async () => {
    const { stages, bounds } = await programOf(
      spec("[direct, { plan: { when: answer.solvable } }]"),
    );
    expect(stages.get("plan")?.requests).toEqual([0, 2]);
    expect(bounds.requests).toEqual([1, 4]);
  });

  it("leaves out the own calls of a stage without a model, and keeps its children's", async () => {
    const { bounds } = await programOf(
      spec(
        "[direct, { verify: { checks: [{ rule: { expr: \"answer.text != ''\", message: Empty. } }], model: none, maxRounds: 2, revise: refine } }]",
      ),
    );
    expect(bounds.requests).toEqual([1, 6]);
  });

  it("keeps a reserve for stages that always run, at any depth", async () => {
    const { bounds } = await programOf(
      spec(
        "[{ loop: { maxRounds: 2, do: [direct, { reflect: { always: true } }] } }, { reflect: { always: true } }]",
      ),
    );
    expect(bounds.reserve).toBe(6);
  });

  it("adds the call of a conclusion where a limit or a repeat can force one", async () => {
    const most = async (rest: string, strategy = "[direct]"): Promise<unknown> => {
      const { bounds } = await programOf(spec(strategy, rest));
      return [bounds.requests[1], bounds.conclusion];
    };
    expect(await most("")).toEqual([2, 0]);
    expect(await most("limits: { workTime: 1m }\n")).toEqual([3, 1]);
    expect(await most("", "[{ direct: { limits: { tokens: 900 } } }]")).toEqual([3, 1]);
    expect(await most("tools: [calculator]\n")).toEqual([3, 1]);
  });

  it("finds no fault in a limit that holds all that the stages need", async () => {
    const { diagnostics } = await compileText(spec("[direct]", "limits: { modelCalls: 2 }\n"));
    expect(diagnostics).toEqual([]);
  });

  it("warns of a worst case above a limit with its numbers", async () => {
    const { diagnostics } = await compileText(
      spec(
        "[{ loop: { maxRounds: 19, do: { react: { maxSteps: 50 } } } }]",
        "tools: [calculator]\nlimits: { modelCalls: 300 }\n",
      ),
    );
    expect(diagnostics.map((item) => item.message)).toEqual([
      "worst case 1,901 model calls with the conclusion is above limits.modelCalls 300: it may end `limited`",
    ]);
  });
});

const pair = defineStrategy({
  id: "pair",
  description: "A stub.",
  options: Type.Object({ own: Type.Integer(), times: Type.Integer(), other: Type.Integer() }),
  slots: {
    do: one({ description: "a child" }),
    else: one({ description: "another", optional: true }),
  },
  flow: {},
  bounds: ({ own, times, other }, children) =>
    greater(
      sumBounds(generations(0, own), timesBounds(children.do, 0, times)),
      sumBounds(generations(0, other), children.else),
    ),
  run: async () => {},
});

function greater(first: Bounds, second: Bounds): Bounds {
  return {
    generations: [0, Math.max(first.generations[1], second.generations[1])],
    toolCalls: [0, Math.max(first.toolCalls[1], second.toolCalls[1])],
  };
}

describe("requests of a stage", () => {
  it("are never fewer than what either way of a choice may need", () => {
    const few = fc.integer({ min: 0, max: 9 });
    fc.assert(
      fc.property(
        few,
        few,
        few,
        few,
        few,
        fc.integer({ min: 0, max: 5 }),
        (own, times, other, child, second, repair) => {
          const cost = (count: number): Cost => ({
            bounds: generations(0, count),
            requests: [0, count * (1 + repair)],
          });
          const { requests } = stageCost(pair, {
            hasStandIn: false,
            options: { own, times, other },
            children: new Map([
              ["do", cost(child)],
              ["else", cost(second)],
            ]),
            noModel: false,
            isGuarded: false,
            extraCalls: repair,
            models: [],
          });
          const needed = (1 + repair) * Math.max(own + times * child, other + second);
          expect(requests[1]).toBeGreaterThanOrEqual(needed);
          expect(requests[1]).toBeLessThanOrEqual(needed + repair * Math.max(own, other));
        },
      ),
    );
  });
});
