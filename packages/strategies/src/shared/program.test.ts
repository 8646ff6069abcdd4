import type { Observation } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { answerText, codeIn, outcomeOf, sandboxOf, toCall } from "./program.ts";

function seen(content: string, changes: Partial<Observation> = {}): Observation {
  const base = { id: "observation-1", tool: "javascript", input: {}, ok: true, degraded: false };
  return { ...base, content, ...changes };
}

describe("the program of a reply", () => {
  it("is its first block of code, closed or not, or all of it", () => {
    const code = "function solution() { return 1; }";
    for (const text of [
      `\`\`\`js\n${code}\n\`\`\``,
      `So:\n\`\`\` javascript\r\n${code}\n\`\`\`\nand\n\`\`\`\nother\n\`\`\``,
      `\`\`\`\n${code}`,
      `  ${code}\n`,
    ])
      expect(codeIn(text)).toBe(code);
  });

  it("is called with its result as the last expression", () => {
    const call = toCall("javascript", "function solution() { return 1; } // end", 2);
    expect(call).toMatchObject({ id: "program-2", name: "javascript" });
    expect(JSON.parse(call.arguments)).toEqual({
      code: "function solution() { return 1; } // end\n;({ value: solution() })",
    });
  });
});

describe("what a program came to", () => {
  it("is the value that it returned, of whatever kind", () => {
    const values = [18, -0.5, "18", "two words", false, [1, 2], { times: 3, at: ["a"] }, 1e21];
    for (const value of values)
      for (const logs of [{}, { logs: ["x"] }])
        expect(outcomeOf(seen(JSON.stringify({ result: { value }, ...logs })))).toEqual({
          ok: true,
          value,
          reason: "",
        });
  });

  it("is no value where it failed, fell back, returned nothing or no number", () => {
    const value = '{"result":{"value":3}}';
    expect(outcomeOf(seen("ReferenceError: trips", { ok: false }))).toEqual({
      ok: false,
      reason: "ReferenceError: trips",
    });
    expect(outcomeOf(seen(value, { degraded: true })).ok).toBe(false);
    for (const content of [
      '{"result":{"value":"NaN"}}',
      '{"result":{"value":"-Infinity"}}',
      '{"result":{"value":null}}',
      '{"result":{"value":""}}',
      '{"result":{}}',
      "no result",
      `${value.slice(0, 12)}\n[cut: 12 of 22 characters shown]`,
    ])
      expect(outcomeOf(seen(content))).toMatchObject({ ok: false });
  });
});

describe("the text of an answer", () => {
  it("is the value, under the name of the only field where there is one", () => {
    const fields = (...names: readonly string[]) => ({
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, {}])),
    });
    expect(answerText("yes", undefined)).toBe("yes");
    expect(answerText(3, undefined)).toBe("3");
    expect(answerText([1], fields("list"))).toBe('{"list":[1]}');
    expect(answerText({ a: 1 }, fields("a"))).toBe('{"a":1}');
    expect(answerText(3, fields("a", "b"))).toBe("3");
  });
});

describe("the sandbox", () => {
  const js = { tool: "js", use: "javascript" };
  const other = { tool: "shell", use: "shell" };

  it("is the only one that there is, or the one that is named", () => {
    expect(sandboxOf([other, js], undefined)).toEqual({ sandbox: js });
    expect(sandboxOf([other, js], "shell")).toEqual({ sandbox: other });
  });

  it("is missing, unknown or one of several: with what to write", () => {
    expect(sandboxOf([other], undefined).repair).toContain("add `javascript`");
    expect(sandboxOf([js, { ...js, tool: "b" }], undefined)).toEqual({
      fault: "it may call several sandboxes: `js`, `b`",
      repair: "name one of them in `tool`",
    });
    expect(sandboxOf([js], "node").repair).toBe("write one of `js`, or add `node` to the tools");
  });
});
