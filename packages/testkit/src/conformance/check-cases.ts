import type {
  CheckContext,
  CheckDefinition,
  CheckResult,
  Json,
  RunState,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { unlikeJson, withDefaults } from "./json-schema.ts";
import { runState, type StateChanges } from "./neutral-run-state.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** A state that a check looks at, with options and a context of its own where needed. */
export interface CheckExample {
  readonly state: StateChanges;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly context?: Partial<CheckContext>;
}

/** What a check is tried with. */
export interface CheckConformance {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly services?: () => ServiceValues;
  readonly context?: Partial<CheckContext>;
  /** States without a fault, one at least. */
  readonly passes: readonly CheckExample[];
  /** States with a fault, one at least. */
  readonly finds: readonly CheckExample[];
}

const NEEDS = ["rewrite", "evidence", "plan", "person"];

/** Texts that break careless readers: empty, long, with other digits, quotes, brackets and half characters. */
const ODD_TEXTS = [
  "",
  "   \n\n  ",
  "1 + = 2 / 0 = ((( 3",
  `${"9".repeat(400)} = ${"9".repeat(400)}`,
  "“unclosed ‘quote … `code",
  "٣ + ٤ = ٧, 三加四等於七, 2026-02-31, 1.000,00 €",
  "\u{1F9EE}\uD83D\u0000\u202E",
  "a".repeat(20_000),
];

/** The conformance suite of a check. */
export function describeCheck(definition: CheckDefinition, given: CheckConformance): void {
  describeCases(`check ${definition.id}`, checkCases(definition, given));
}

/** What a check promises. */
export function checkCases(
  definition: CheckDefinition,
  given: CheckConformance,
): readonly ConformanceCase[] {
  const judge = (example: CheckExample): Promise<CheckResult> => run(definition, given, example);
  return [
    ...definitionCases(definition, "check"),
    {
      name: "passes what has no fault",
      run: async () => {
        expect(given.passes.length, "examples that pass").toBeGreaterThan(0);
        for (const example of given.passes) expect((await judge(example)).issues).toEqual([]);
      },
    },
    {
      name: "finds every fault, says what it is and what to do",
      run: async () => {
        expect(given.finds.length, "examples with a fault").toBeGreaterThan(0);
        for (const example of given.finds) {
          const result = await judge(example);
          expect(result.issues.length, "issues").toBeGreaterThan(0);
          expectSound(result, runState(example.state));
        }
      },
    },
    {
      name: "judges the same state in the same way, without time, chance or network",
      run: async () => {
        for (const example of [...given.passes, ...given.finds]) {
          const first = await withoutWorld(() => judge(example));
          expect(await withoutWorld(() => judge(example))).toEqual(first);
        }
      },
    },
    {
      name: "judges whatever a model may have written",
      run: async () => {
        for (const text of ODD_TEXTS) {
          for (const solvable of [true, false]) {
            const state = oddState(text, solvable);
            for (const { options = {}, context = {} } of [...given.passes, ...given.finds])
              expectSound(await judge({ state, options, context }), runState(state));
          }
        }
      },
    },
  ];
}

async function run(
  definition: CheckDefinition,
  given: CheckConformance,
  example: CheckExample,
): Promise<CheckResult> {
  const options = withDefaults(definition.options, { ...given.options, ...example.options });
  const context: CheckContext = {
    evaluate: () => null,
    callTools: async () => [],
    ...given.context,
    ...example.context,
  };
  const services = servicesFor(definition.inject, given.services?.());
  const state = deepFreeze(runState(structuredClone(example.state)));
  return definition.run(state, context, deepFreeze(options) as never, services as never);
}

function expectSound(result: CheckResult, state: RunState): void {
  expect(unlikeJson(result)).toEqual([]);
  for (const { kind, detail, requiredAction, needs } of result.issues) {
    expect(kind).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
    expect(detail.trim().length, "detail").toBeGreaterThan(5);
    expect(detail.length, "detail").toBeLessThan(2_000);
    expect(requiredAction.trim().length, "required action").toBeGreaterThan(5);
    expect(NEEDS).toContain(needs);
  }
  const observed = state.observations.map(({ id }) => id);
  for (const id of result.supportedEvidence ?? []) expect(observed).toContain(id);
  for (const item of result.unchecked ?? []) expect(item.trim()).not.toBe("");
}

function oddState(text: string, solvable: boolean): StateChanges {
  const value: Json = { text, amount: -0.5, none: null, list: [[], {}] };
  const observation = { id: "observation-1", tool: "t", input: null, ok: true, degraded: false };
  return {
    task: { text: "Say it.", constraints: [{ id: "short", text: "Use at most 50 words." }] },
    observations: [{ ...observation, content: text }],
    answer: { text, value, reasoning: text, evidence: ["observation-1"], solvable },
  };
}

/** Runs a judgement while time, chance and network are out of reach. */
async function withoutWorld<T>(judge: () => Promise<T>): Promise<T> {
  const { random } = Math;
  const { now } = Date;
  const { fetch } = globalThis;
  const refuse = (): never => {
    throw new Error("a check uses no time, chance or network");
  };
  Math.random = refuse;
  Date.now = refuse;
  globalThis.fetch = refuse;
  try {
    return await judge();
  } finally {
    Math.random = random;
    Date.now = now;
    globalThis.fetch = fetch;
  }
}
