import type { RunOutcome } from "@loopwright/core";
import * as door from "@loopwright/core/plugin";
import { expect, it, vi } from "vitest";
import { runScripted, type ScriptedRun } from "./run-scripted.ts";

type Errors = Pick<
  typeof door,
  "AbortError" | "LimitError" | "ProviderError" | "SpecError" | "ToolError"
>;

/** The errors of a copy of core that a plugin package brought along. */
async function otherCopy(): Promise<Errors> {
  vi.resetModules();
  const copy: Errors = await import("@loopwright/core/plugin");
  expect(copy.LimitError).not.toBe(door.LimitError);
  return copy;
}

const THROWN: readonly (readonly [string, (errors: Errors) => Error])[] = [
  ["a limit", ({ LimitError: E }) => new E("limit-usd", "the money is spent")],
  ["a failed provider", ({ ProviderError: E }) => new E("provider-failed", "no answer")],
  ["a failed tool", ({ ToolError: E }) => new E("tool-failed", "no such order")],
  ["a fault of the spec", ({ SpecError: E }) => new E("input-invalid", "no such input")],
  ["an abort", ({ AbortError: E }) => new E("the plugin gave up")],
];

/** A run whose strategy answers and then throws. */
function runThrowing(error: Error, body: string): Promise<ScriptedRun> {
  const throwing = door.defineStrategy({
    id: "throwing",
    description: "Answers, and throws.",
    options: door.Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => door.generations(1),
    async run(_state, context) {
      const { text } = await context.generate({ prompt: "first" });
      context.save({ answer: { text } });
      throw error;
    },
  });
  return runScripted(body, () => "so far", { plugins: [throwing] });
}

const storyOf = ({ outcome, reason, fault, answer }: RunOutcome): object => ({
  outcome,
  reason,
  fault,
  answer: answer.text,
});

it.each(THROWN)(
  "promise 12: %s thrown by a plugin with a copy of core of its own ends a run as the own one does",
  async (_name, make) => {
    const bodies = ["strategy: throwing\n", "strategy: { throwing: { onError: continue } }\n"];
    for (const body of bodies) {
      const own = await runThrowing(make(door), body);
      const other = await runThrowing(make(await otherCopy()), body);
      expect(storyOf(other.outcome)).toEqual(storyOf(own.outcome));
      expect(other.events.map(({ name }) => name)).toEqual(own.events.map(({ name }) => name));
    }
  },
);

it("promise 12: such a limit ends a run limited, such a failure failed, each with its code", async () => {
  const errors = await otherCopy();
  const limited = await runThrowing(THROWN[0]?.[1](errors) as Error, "strategy: throwing\n");
  expect(limited.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-usd" } });
  const failed = await runThrowing(THROWN[1]?.[1](errors) as Error, "strategy: throwing\n");
  expect(failed.outcome).toMatchObject({ outcome: "failed", fault: { code: "provider-failed" } });
  expect(new errors.ProviderError("provider-failed", "x")).toBeInstanceOf(door.ProviderError);
});
