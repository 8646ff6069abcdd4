import {
  defineStrategy,
  generations,
  InternalError,
  NO_BOUNDS,
  one,
  type StrategyContext,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";
import { strategyCases } from "./strategy-cases.ts";

const good: StrategyDefinition = defineStrategy({
  id: "twice",
  description: "Asks twice and takes the second answer.",
  options: Type.Object({ times: Type.Integer({ description: "How often to ask.", default: 2 }) }),
  slots: { next: one({ description: "Runs afterwards.", optional: true }) },
  voices: ["second"],
  flow: { sets: ["answer"] },
  bounds: ({ times }, children) => ({
    generations: [times + children.next.generations[0], times + children.next.generations[1]],
    toolCalls: children.next.toolCalls,
  }),
  async run(_state, context, { times }) {
    for (let round = 1; round < times; round += 1) await ask(context);
    const text = await ask(context, "second");
    context.save({ answer: { text } });
    if (context.hasSlot("next")) await context.runSlot("next");
  },
});

async function ask<S extends { next: ReturnType<typeof one> }>(
  context: StrategyContext<S>,
  voice?: string,
): Promise<string> {
  const prompt = context.brief(["task"]);
  const reply = await context.generate({ prompt, ...(voice !== undefined && { voice }) });
  return reply.text;
}

type Context = StrategyContext<{ next: ReturnType<typeof one> }>;
let runs = 0;

/** A run that does something, then what the good strategy does. */
const also = (act: (context: Context) => unknown): object => ({
  run: async (state: unknown, context: Context, options: unknown, services: unknown) => {
    await act(context);
    await (good.run as (...given: unknown[]) => Promise<unknown>)(
      state,
      context,
      options,
      services,
    );
  },
});

const bad: Readonly<Record<string, { readonly fault: object; readonly found: string }>> = {
  "an option with a reserved name": {
    fault: {
      options: Type.Object({
        model: Type.Optional(Type.String({ description: "Which one it is." })),
      }),
    },
    found: "names options, slots and voices",
  },
  "a slot without words": {
    fault: { slots: { next: one({ description: "", optional: true }) } },
    found: "names options, slots and voices",
  },
  "a field that is none": {
    fault: { flow: () => ({ sets: ["answers"] }) },
    found: "says which fields",
  },
  "a field that is set and may be": {
    fault: { flow: () => ({ sets: ["answer"], maySet: ["answer"] }) },
    found: "says which fields",
  },
  "a bound without end": {
    fault: { bounds: () => ({ ...NO_BOUNDS, generations: [0, Number.POSITIVE_INFINITY] }) },
    found: "has a bound",
  },
  "a least above the most": { fault: { bounds: () => generations(3, 2) }, found: "has a bound" },
  "a voice that it does not declare": {
    fault: { voices: ["first"] },
    found: "runs to one good end",
  },
  "a throw": {
    fault: also(() => {
      throw new Error("no luck");
    }),
    found: "runs to one good end",
  },
  "a verb that is not awaited": {
    fault: also((context) => void context.generate({ prompt: "?" }).catch(() => undefined)),
    found: "runs to one good end",
  },
  "more calls than its bound": {
    fault: { bounds: () => generations(1, 2) },
    found: "stays within its bounds",
  },
  "fewer calls than its bound": {
    fault: { bounds: () => generations(9, 9) },
    found: "stays within its bounds",
  },
  "a field that it never sets": {
    fault: { flow: () => ({ sets: ["answer", "plan"] }) },
    found: "changes all that its flow sets",
  },
  "a field that its flow keeps quiet": {
    fault: also((context) =>
      context.save({ candidates: [{ id: "candidate-1", text: "4", evidence: [] }] }),
    ),
    found: "changes all that its flow sets",
  },
  "a counter beside the runs": {
    fault: also((context) => context.fact("runs", ++runs)),
    found: "keeps nothing between runs",
  },
  "a break on an empty reply": {
    fault: also(async (context) => {
      const reply = await context.generate({ prompt: "?" });
      if (reply.text.trim() === "") throw new InternalError("contract-broken", "no text");
    }),
    found: "survives replies",
  },
  "a deaf ear to aborts": {
    fault: also((context) =>
      context.generate({ prompt: "?" }).catch(async (thrown: unknown) => {
        if (context.signal.aborted) await new Promise(() => undefined);
        throw thrown;
      }),
    ),
    found: "ends when it is aborted",
  },
};

describe("the suite of a strategy", () => {
  it("passes a good strategy", async () => {
    expect(await failuresOf(strategyCases(good))).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { fault, found }) => {
    const failed = await failuresOf(strategyCases({ ...good, ...fault }));
    expect(failed).toContainEqual(expect.stringContaining(found));
  });

  it("has a bad strategy for every case of its own", () => {
    const own = strategyCases(good).slice(definitionCases(good, "strategy").length);
    const found = Object.values(bad).map(({ found: part }) => part);
    const unproved = own.filter(({ name }) => !found.some((part) => name.includes(part)));
    expect(unproved.map(({ name }) => name)).toEqual([]);
  });
});
