import { describe, expect, it } from "vitest";
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
