import { expect, test } from "vitest";
import type { Run } from "@loopwright/core";
import { EndpointRest } from "./endpoint-rest.ts";
import { type RestedSetting, runRested } from "./rested-row.ts";

/** Runs an item whose runs are all held off; returns how often it was begun. */
async function begunOf(modelCalls: number, heldOffCount: number): Promise<readonly string[]> {
  const codes: string[] = [];
  let now = 0;
  const start = (): Run => {
    const isHeldOff = codes.length < heldOffCount;
    const code = isHeldOff ? "provider-unavailable" : "output-invalid";
    codes.push(code);
    const details = { isHeldBack: true, waitMs: 1 };
    const fault = { code, message: "no", ...(isHeldOff && { details }) };
    const outcome = { outcome: "failed", fault, answer: { text: "" }, spending: { modelCalls } };
    const run = { id: "r", on: () => undefined, outcome: Promise.resolve(outcome) };
    return run as unknown as Run;
  };
  const rest = new EndpointRest({
    now: () => (now += 100),
    mayGoOn: () => true,
    onWait: () => undefined,
  });
  const ended: string[] = [];
  const setting = { app: { start }, compiled: { program: {} }, onRun: () => undefined };
  const item = { row: 1, input: {}, columns: {}, origin: {} };
  await runRested(
    {
      rest,
      setting: setting as unknown as RestedSetting["setting"],
      mayBegin: () => true,
      onHeldOff: () => Promise.resolve(),
      onEnd: ({ kind }) => {
        ended.push(kind);
        return Promise.resolve();
      },
    },
    item,
  );
  expect(ended).toEqual(["failed"]);
  return codes;
}

test("an item that is held off before it asks anything waits until it may", async () => {
  const codes = await begunOf(0, 12);
  expect(codes).toHaveLength(13);
  expect(codes.at(-1)).toBe("output-invalid");
});

test("one that asked a model each time is begun five times at the most", async () => {
  expect(await begunOf(1, 12)).toHaveLength(5);
});
