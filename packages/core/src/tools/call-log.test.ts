import { describe, expect, it, vi } from "vitest";
import { CallLog, type Rounds } from "./call-log.ts";

const any = Number.POSITIVE_INFINITY;

/** Adds calls like `stock=4`; tells what came of each. */
function adding(
  calls: readonly string[],
  maxOf: Readonly<Record<string, number>> = {},
): readonly Rounds[] {
  const log = new CallLog();
  return calls.map((said) => {
    const [tool = "", result = ""] = said.split("=");
    const ok = !result.startsWith("!");
    log.beginBatch();
    return log.add({ tool, call: tool, result, max: maxOf[tool] ?? 3, ok });
  });
}

function timesOf(
  calls: readonly string[],
  maxOf?: Readonly<Record<string, number>>,
): readonly number[] {
  return adding(calls, maxOf).map(({ times }) => times);
}

describe("a log of calls", () => {
  it("counts the same call with the same result, whatever known calls lie between", () => {
    const known = ["b=2", "c=3", "d=4"];
    const calls = [...known, "a=1", "b=2", "a=1", "d=4", "c=3", "a=1"];
    expect(timesOf(calls)).toEqual([1, 1, 1, 1, 1, 2, 1, 1, 3]);
  });

  it("begins anew where another call brings what was never seen before", () => {
    const calls = ["page=1", "a=1", "page=1", "b=1", "page=1", "c=1", "page=1", "d=1", "page=1"];
    expect(adding(calls).every(({ measure }) => measure === undefined)).toBe(true);
    const paging = [1, 2, 3, 4, 5, 6, 7].flatMap((page) => ["back=top", `next=${page}`]);
    expect(adding(paging).every(({ measure }) => measure === undefined)).toBe(true);
  });

  it("takes no failure for news", () => {
    const calls = ["a=1", "b=!x", "a=1", "c=!y", "a=1", "d=!z", "a=1"];
    expect(adding(calls).at(-1)).toMatchObject({ times: 4, measure: "tools-off" });
  });

  it("counts the failures of one call together, whatever their messages say", () => {
    const calls = Array.from({ length: 5 }, (_none, time) => `a=!request ${time} was refused`);
    expect(adding(calls).map(({ measure }) => measure)).toEqual([
      undefined,
      undefined,
      "hint",
      "tools-off",
      "tools-off",
    ]);
    const between = ["a=!1", "b=1", "a=!2", "b=1", "a=!3", "b=1"];
    expect(adding(between).at(4)).toMatchObject({ times: 3, measure: "hint" });
  });

  it("takes as long for a call after thousands of others that all bring news as at first", () => {
    const calls = 5000;
    // Counts rather than time: a map whose entries are all rewritten reads them all.
    const reads = vi.spyOn(Map.prototype, "set");
    const log = new CallLog();
    const add = (time: number): Rounds =>
      log.add({ tool: "q", call: `q${time % calls}`, result: `x${time}`, max: 3 });
    for (let time = 0; time < calls; time += 1) add(time);
    reads.mockClear();
    for (let time = calls; time < calls + 10; time += 1) add(time);
    expect(reads.mock.calls.length).toBeLessThan(100);
    reads.mockRestore();
  });

  it("finds a loop beside a call that brings something else each time", () => {
    const rounds = adding(
      Array.from({ length: 12 }, (_none, time) => ["a=1", `clock=${time}`]).flat(),
    );
    const found = rounds.flatMap(({ measure, times }) =>
      measure === undefined ? [] : [[times, measure]],
    );
    expect(found.slice(0, 2)).toEqual([
      [10, "hint"],
      [11, "tools-off"],
    ]);
  });

  it("begins anew where the result is another one", () => {
    expect(timesOf(["a=1", "a=1", "a=2", "a=2"])).toEqual([1, 2, 1, 2]);
  });

  it("sees a cycle of two whose results go back and forth", () => {
    const rounds = adding(["a=1", "a=2", "a=1", "a=2", "a=1", "a=2", "a=1"]);
    expect(rounds.map(({ times }) => times)).toEqual([1, 1, 2, 2, 3, 3, 4]);
    expect(rounds.at(-1)?.cycle).toEqual(["a", "a"]);
  });

  it("sees a cycle of three, and none of four", () => {
    const three = ["a=1", "a=2", "a=3"];
    expect(timesOf([...three, ...three, ...three]).slice(-3)).toEqual([3, 3, 3]);
    const four = ["a=1", "a=2", "a=3", "a=4"];
    expect(timesOf([...four, ...four, ...four]).at(-1)).toBe(1);
  });

  it("sees no cycle where one round had another result", () => {
    expect(timesOf(["a=1", "a=2", "a=1", "a=3", "a=1", "a=2"]).at(-1)).toBe(1);
  });

  it("takes a cycle with a tool that polls for honest waiting", () => {
    const rounds = adding(["a=1", "b=2", "a=2", "b=1", "a=1", "b=2", "a=2", "b=1"], { b: any });
    expect(rounds.every(({ times, max }) => times < max)).toBe(true);
  });

  it("lets a call be made again once so many of other tools lie between", () => {
    const log = new CallLog();
    expect(log.missing("a", "a 1", 2)).toBe(0);
    log.made("a", "a 1");
    expect(log.missing("a", "a 1", 2)).toBe(2);
    expect(log.missing("a", "a 2", 2)).toBe(0);
    log.made("a", "a 2");
    expect(log.missing("a", "a 1", 2)).toBe(2);
    log.made("b");
    expect(log.missing("a", "a 1", 2)).toBe(1);
    log.made("b");
    expect(log.missing("a", "a 1", 2)).toBe(0);
  });
});
