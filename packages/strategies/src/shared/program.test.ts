import type { Observation } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { answerText, codeIn, outcomeOf, sandboxOf, toCall } from "./program.ts";

function seen(content: string, changes: Partial<Observation> = {}): Observation {
  const base = { id: "observation-1", tool: "javascript", input: {}, ok: true, degraded: false };
  return { ...base, content, ...changes };
}

describe("the program of a reply", () => {
  it("is a block of code, closed or not, or all of it", () => {
    const code = "function solution() { return 1; }";
    for (const text of [
      `\`\`\`js\n${code}\n\`\`\``,
      `So:\n\`\`\` javascript\r\n${code}\n\`\`\`\nand\n\`\`\`\nother\n\`\`\``,
      `\`\`\`\n${code}`,
      `  ${code}\n`,
    ])
      expect(codeIn(text)).toBe(code);
  });

  it("is the last block that defines `solution`, else the first", () => {
    const block = (code: string) => `\`\`\`js\n${code}\n\`\`\`\n`;
    const program = "function solution() { return 2; }";
    for (const text of [
      `The formula:\n${block("x = 15 / 5")}and the program:\n${block(program)}`,
      `${block("function solution() { return 1; }")}Better:\n${block(program)}`,
      `${block(program)}It is called like this:\n${block("console.log(solution() === 2)")}`,
      `Such as \`\`\`js x\`\`\`:\n${block(program)}`,
    ])
      expect(codeIn(text)).toBe(program);
    expect(codeIn(block("const solution = () => 2;"))).toBe("const solution = () => 2;");
    expect(codeIn(`${block("a()")}${block("b()")}`)).toBe("a()");
  });

  it("is found in work that grows with the reply alone", () => {
    const size = 200_000;
    for (const text of [
      `\`\`\`${" ".repeat(size)}x`,
      `\`\`\`${"j".repeat(size)} x`,
      "`".repeat(size),
      "``` ".repeat(size / 4),
      "```\n".repeat(size / 4),
      `\`\`\`\n${`function${" ".repeat(99)}`.repeat(size / 100)}`,
      `\`\`\`\n${"solution ".repeat(size / 9)}`,
    ])
      expect(codeIn(text).length).toBeLessThanOrEqual(text.length);
  }, 5_000);

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
    expect(outcomeOf(seen('{"result":{"value":{"a":[1,"NaN"]}}}')).reason).toBe(
      "it returned NaN in `a.1`",
    );
    for (const content of [
      '{"result":{"value":"NaN"}}',
      '{"result":{"value":"-Infinity"}}',
      '{"result":{"value":{"count":"NaN","list":[1]}}}',
      '{"result":{"value":[1,{"at":[2,"Infinity"]}]}}',
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
