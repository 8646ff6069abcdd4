import type { RunEvent } from "@loopwright/core";
import type { StrategyDefinition } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { unbalanced } from "../events.ts";
import type { StandInReplies } from "./stand-ins.ts";
import type { StageRun, StageSetting } from "./strategy-stage.ts";

/** Plays a strategy in a setting; what is left out is as plain as can be. */
export type Play = (setting: Partial<StageSetting>) => Promise<StageRun>;

/** Aborts at a model call, counted from 0, or before the first event at -1, and asserts that nothing starts afterwards. */
export async function expectAborted(
  play: Play,
  atCall: number,
  reply: StandInReplies,
): Promise<void> {
  let abort = (): void => undefined;
  let calls = 0;
  let callsBefore = 0;
  let eventsBefore = 0;
  const seen: RunEvent[] = [];
  let giveUp = (_fault: Error): void => undefined;
  const stuck = new Promise<never>((_resolve, reject) => {
    giveUp = reject;
  });
  // It may come after the run has ended, when nobody waits for it.
  stuck.catch(() => undefined);
  const played = play({
    slots: "all",
    replies: (request) => {
      if (calls++ === atCall) abort();
      return reply(request);
    },
    onRun: (run) => {
      run.on("*", (event) => seen.push(event));
      abort = () => {
        eventsBefore = seen.length;
        callsBefore = calls;
        run.abort("the suite aborts");
        void turns(1_000).then(() => giveUp(new Error("the run goes on after an abort")));
      };
      if (atCall < 0) abort();
    },
  });
  const { outcome, events } = await Promise.race([played, stuck]);
  expect(outcome.outcome).toBe("aborted");
  expect(unbalanced(events)).toEqual([]);
  const tools = events.slice(eventsBefore).filter(({ name }) => name === "tool-call.start");
  expect(tools, "tool calls after the abort").toEqual([]);
  expect(calls, "model calls").toBe(callsBefore);
}

/** Lets everything that is ready run on, many times. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Asserts that a stage speaks only in the voices that its definition declares. */
export function expectVoices(events: readonly RunEvent[], { voices }: StrategyDefinition): void {
  for (const event of events) {
    if (event.name !== "model-call.start" || event.stage !== "subject") continue;
    expect(["default", ...voices]).toContain(event.data.voice);
  }
}

/** Counts generations and tool calls under the stage; the least counts only where it ended well. */
export function expectWithin({ events, explained, outcome }: StageRun, isWhole: boolean): void {
  if (explained === undefined) throw new Error("the stage is not in the program");
  const own = events.filter(({ key }) => /\/subject:0(?:\/|$)/.test(key));
  const requests = own.filter(isModelCall);
  const generations = requests.filter(
    ({ key }) => !/\.(?:repair|retry|fallback):/.test(key),
  ).length;
  const toolCalls = own.filter(({ name }) => name === "tool-call.start").length;
  expect(generations, "generations").toBeLessThanOrEqual(explained.generations[1]);
  expect(requests.length, "requests").toBeLessThanOrEqual(explained.requests[1]);
  expect(toolCalls, "tool calls").toBeLessThanOrEqual(explained.toolCalls[1]);
  if (!isWhole || outcome.outcome !== "done") return;
  expect(generations, "generations").toBeGreaterThanOrEqual(explained.generations[0]);
}

/** Whether an event opens a model call. */
export function isModelCall({ name }: RunEvent): boolean {
  return name === "model-call.start";
}
