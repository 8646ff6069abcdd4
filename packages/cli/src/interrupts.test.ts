import { expect, test } from "vitest";
import { Interrupts } from "./interrupts.ts";

function open() {
  const calls: string[] = [];
  let now = 0;
  const interrupts = new Interrupts({
    abort: (reason) => calls.push(`abort: ${reason}`),
    tell: (text) => calls.push(`tell: ${text}`),
    kill: (code) => calls.push(`kill ${code}`),
    now: () => now,
  });
  return {
    calls,
    pressAt: (ms: number) => {
      now = ms;
      interrupts.press();
    },
  };
}

test("ends the run first, the process second", () => {
  const { calls, pressAt } = open();
  pressAt(0);
  pressAt(1000);
  expect(calls).toEqual([
    "tell: stopping; once more to kill",
    "abort: interrupted by Ctrl-C",
    "kill 130",
  ]);
});

test("takes one press that arrives on two ways for one", () => {
  const { calls, pressAt } = open();
  pressAt(0);
  pressAt(20);
  expect(calls).toHaveLength(2);
  pressAt(400);
  expect(calls.at(-1)).toBe("kill 130");
});
