import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";

async function found(strategy: string): Promise<readonly string[]> {
  const text = `apiVersion: loopwright/v1\nname: flow\nmodel: ollama/s\ntools: [calculator]\nstrategy:\n${strategy}`;
  const { diagnostics } = await compileText(text);
  return diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
}

describe("what a stage reads", () => {
  it("may be written by any stage before it", async () => {
    expect(await found("  - direct\n  - verify\n  - refine\n")).toEqual([]);
  });

  it("is an error where nothing before writes it", async () => {
    expect(await found("  - refine\n  - direct\n  - verify\n")).toEqual([
      "LW-FLOW-NEVER-WRITTEN 6:5",
      "LW-FLOW-NEVER-WRITTEN 6:5",
    ]);
  });

  it("may be missing where only a guarded stage, or one that may fail, writes it", async () => {
    expect(await found("  - direct: { when: task.text != '' }\n  - verify\n")).toEqual([
      "LW-FLOW-MAYBE-MISSING 7:5",
    ]);
    expect(await found("  - direct: { onError: continue }\n  - verify\n")).toEqual([
      "LW-FLOW-MAYBE-MISSING 7:5",
    ]);
  });

  it("is there inside a slot when the stage has written it", async () => {
    expect(await found("  - direct\n  - verify: { maxRounds: 1, revise: refine }\n")).toEqual([]);
  });

  it("is there after a slot that always runs, not after one that may", async () => {
    expect(await found("  - loop: { maxRounds: 2, do: [direct, verify] }\n  - refine\n")).toEqual(
      [],
    );
    expect(
      await found("  - direct\n  - verify: { maxRounds: 1, revise: [refine, plan] }\n  - refine\n"),
    ).toEqual([]);
  });

  it("is not there in the first round of a loop", async () => {
    expect(await found("  - direct\n  - loop: { maxRounds: 2, do: [refine, verify] }\n")).toEqual([
      "LW-FLOW-NEVER-WRITTEN 7:32",
    ]);
  });
});

describe("a guard that reads the verdict", () => {
  it("is a warning before any stage can write one", async () => {
    expect(await found("  - direct: { when: '!verdict.passed' }\n  - plan\n")).toEqual([
      "LW-FLOW-MAYBE-MISSING 6:21",
    ]);
  });

  it("may look at an earlier round of the loop around it", async () => {
    expect(
      await found(
        "  - loop: { maxRounds: 2, do: [{ react: { when: '!verdict.passed' } }, direct, verify] }\n",
      ),
    ).toEqual([]);
  });
});
