import {
  type Bounds,
  NO_BOUNDS,
  ProviderError,
  type ProviderRequest,
  type RunState,
  type StateField,
  type StrategyDefinition,
  timesBounds,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { canonicalEvents, unbalanced } from "../events.ts";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";
import { propertiesOf, withDefaults } from "./json-schema.ts";
import { fittingReply, type StandInReplies, type StandInReply } from "./stand-ins.ts";
import {
  expectAborted,
  expectVoices,
  expectWithin,
  isModelCall,
  type Play,
} from "./strategy-expectations.ts";
import { flowOf, runStage, type StageSetting, type StrategyConformance } from "./strategy-stage.ts";

const FIELDS: readonly StateField[] = [
  "plan",
  "observations",
  "answer",
  "verdict",
  "candidates",
  "lessons",
  "thread",
];

/** Keys that mean the same in every stage. */
const RESERVED = "id when always model instructions prompt examples tools limits onError".split(
  " ",
);

const CHILD: Bounds = { generations: [1, 3], toolCalls: [0, 4] };

/** The conformance suite of a strategy. */
export function describeStrategy(
  definition: StrategyDefinition,
  given: StrategyConformance = {},
): void {
  describeCases(`strategy ${definition.id}`, strategyCases(definition, given));
}

/** What a strategy promises. */
export function strategyCases(
  definition: StrategyDefinition,
  given: StrategyConformance = {},
): readonly ConformanceCase[] {
  return [
    ...definitionCases(definition, "strategy"),
    ...declarationCases(definition, given),
    ...runCases(definition, given),
    ...troubleCases(definition, given),
  ];
}

function declarationCases(
  definition: StrategyDefinition,
  given: StrategyConformance,
): readonly ConformanceCase[] {
  const values = withDefaults(definition.options, given.options);
  return [
    {
      name: "names options, slots and voices of its own, and describes each slot",
      run: () => {
        const options = Object.keys(propertiesOf(definition.options));
        // What stands beside the stages of a slot is the option of its name.
        const slots = Object.entries(definition.slots).flatMap(([name, { under }]) =>
          under !== undefined && options.includes(name) ? [] : [name],
        );
        const names = [...options, ...slots];
        expect(new Set(names).size, "names used twice").toBe(names.length);
        for (const name of names) {
          expect(name).toMatch(/^[a-z][a-zA-Z]*$/);
          expect(RESERVED).not.toContain(name);
        }
        for (const { description } of Object.values(definition.slots))
          expect(description).toMatch(/^\S.{4,}\.$/s);
        for (const voice of definition.voices) expect(voice).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
      },
    },
    {
      name: "says which fields it reads and writes, each once",
      run: () => {
        const { needs = [], uses = [], sets = [], maySet = [] } = flowOf(definition, given);
        for (const fields of [
          [...needs, ...uses],
          [...sets, ...maySet],
        ]) {
          expect(new Set(fields).size).toBe(fields.length);
          for (const field of fields) expect(FIELDS).toContain(field);
        }
      },
    },
    {
      name: "has a bound, finite and growing with its children",
      run: () => {
        const bounds = (child: Bounds): Bounds => {
          const children = Object.entries(definition.slots).map(
            ([name, { form }]) => [name, form === "one" ? child : both(child)] as const,
          );
          return definition.bounds(values as never, Object.fromEntries(children) as never);
        };
        for (const child of [NO_BOUNDS, CHILD]) {
          for (const [min, max] of [bounds(child).generations, bounds(child).toolCalls]) {
            expect(Number.isSafeInteger(min) && min >= 0, `least: ${min}`).toBe(true);
            expect(Number.isSafeInteger(max) && max >= min, `most: ${max}`).toBe(true);
          }
        }
        const dear = { generations: [2, 6], toolCalls: [0, 8] } as const;
        expect(bounds(dear).generations[1]).toBeGreaterThanOrEqual(bounds(CHILD).generations[1]);
        expect(bounds(CHILD)).toEqual(bounds(CHILD));
      },
    },
  ];
}

/** The bounds of a slot with two children. */
function both(child: Bounds): Bounds {
  return { ...timesBounds(child, 2), children: [child, child] };
}

function runCases(
  definition: StrategyDefinition,
  given: StrategyConformance,
): readonly ConformanceCase[] {
  const play = playing(definition, given);
  const { needs = [], uses = [] } = flowOf(definition, given);
  const settings: readonly Partial<StageSetting>[] = [
    {},
    { slots: "all" },
    { before: [...needs, ...uses], slots: "all" },
  ];
  return [
    {
      name: "runs to one good end, its events balanced, in its own voices",
      run: async () => {
        for (const setting of settings) {
          const { outcome, events } = await play(setting);
          expect(outcome.reason ?? "no reason", "reason").not.toMatch(/a plugin failed/);
          expect(outcome.outcome).toBe("done");
          expect(unbalanced(events)).toEqual([]);
          expectVoices(events, definition);
        }
      },
    },
    {
      name: "stays within its bounds, also with a model that never stops calling tools",
      run: async () => {
        for (const setting of settings) {
          expectWithin(await play(setting), true);
          expectWithin(await play({ ...setting, replies: greedyReply() }), false);
        }
      },
    },
    {
      name: "changes all that its flow sets, and nothing but what it sets or may set",
      run: async () => {
        const { sets = [], maySet = [] } = flowOf(definition, given);
        // Where an answer stands, core need not write one when the run ends.
        const fields = [...new Set<StateField>(["answer", ...needs])];
        const before = (await play({ before: fields, isLeftOut: true })).outcome.state;
        const after = (await play({ before: fields })).outcome.state;
        const changed = FIELDS.filter((field) => !isSame(field, before, after));
        expect(changed).toEqual(expect.arrayContaining([...sets]));
        const required = Object.values(definition.slots).filter((slot) => !slot.optional);
        const children: readonly StateField[] = required.length > 0 ? ["answer"] : [];
        const allowed = new Set([...sets, ...maySet, ...children]);
        expect(changed.filter((field) => !allowed.has(field))).toEqual([]);
      },
    },
    {
      name: "keeps nothing between runs: the same run comes again",
      run: async () => {
        const first = canonicalEvents((await play({ slots: "all" })).events);
        await play({ slots: "all", replies: () => "something else" });
        expect(canonicalEvents((await play({ slots: "all" })).events)).toEqual(first);
      },
    },
  ];
}

function troubleCases(
  definition: StrategyDefinition,
  given: StrategyConformance,
): readonly ConformanceCase[] {
  const play = playing(definition, given);
  return [
    {
      name: "survives replies that are empty, cut, no JSON, or that never come",
      run: async () => {
        const bad: readonly StandInReplies[] = [
          ...["", " \n ", '{"goal": "x', "null", "[]", "{}", "\uD83D".repeat(2_000)].map(
            (text) => () => text,
          ),
          () => {
            throw new ProviderError("provider-unavailable", "the endpoint is out of reach");
          },
        ];
        for (const replies of bad) {
          const ended = await play({ replies, slots: "all" });
          expect(unbalanced(ended.events)).toEqual([]);
          expect(["done", "failed"]).toContain(ended.outcome.outcome);
          expect(["contract-broken", "verb-pending"]).not.toContain(ended.outcome.fault?.code);
          expectWithin(ended, false);
        }
      },
    },
    {
      name: "ends when it is aborted, before it starts and at every model call",
      run: async () => {
        const reply = given.replies ?? fittingReply;
        await expectAborted(play, -1, reply);
        const calls = (await play({ slots: "all" })).events.filter(isModelCall).length;
        for (let index = 0; index < Math.min(calls, 4); index += 1)
          await expectAborted(play, index, reply);
      },
    },
  ];
}

function playing(definition: StrategyDefinition, given: StrategyConformance): Play {
  const { needs = [] } = flowOf(definition, given);
  const replies = given.replies ?? fittingReply;
  return (setting) =>
    runStage(definition, given, { replies, before: needs, slots: "required", ...setting });
}

/** Calls every tool it is offered, five times a turn, each time with another word. */
function greedyReply(): StandInReplies {
  let words = 0;
  return (request: ProviderRequest): StandInReply => {
    const [tool] = request.tools;
    if (tool === undefined) return fittingReply(request);
    const calls = Array.from({ length: 5 }, () => ({
      name: tool.name,
      arguments: JSON.stringify({ word: `word-${++words}` }),
    }));
    return { text: "", calls };
  };
}

/** An answer that is changed makes its verdict stale; that is core's doing, not the stage's. */
function isSame(field: StateField, before: RunState, after: RunState): boolean {
  const seen = (state: RunState): string =>
    JSON.stringify(
      field === "verdict" ? { ...state.verdict, outcome: undefined } : (state[field] ?? null),
    );
  return seen(before) === seen(after);
}
