import type { ToolFunction } from "@loopwright/core/plugin";
import { testClock, toolContext } from "@loopwright/testkit";
import { describe, expect, it } from "vitest";
import { javascript } from "./javascript.ts";

const clock = testClock();

function make(given: object = {}) {
  const options = { maxTime: 5_000, maxMemory: 64_000_000, maxChars: 20_000, ...given };
  const call = javascript.create(options as never, { clock } as never) as ToolFunction<
    unknown,
    unknown
  >;
  return async (code: string, input?: unknown, signal?: AbortSignal) =>
    call(
      { code, ...(input === undefined ? {} : { input }) },
      toolContext(signal === undefined ? {} : { signal }),
    );
}

const run = make();

/** The message of a failure that a test waits for later. */
async function messageOf(pending: Promise<unknown>): Promise<string> {
  return pending.then(
    () => "it did not fail",
    (fault: Error) => fault.message,
  );
}

describe("javascript", { timeout: 60_000 }, () => {
  it.each([
    ["the last expression", "const a = [3, 1, 2]; a.sort(); a", [1, 2, 3]],
    ["a top-level return", "const a = 2;\nreturn { a, b: null };", { a: 2, b: null }],
    ["what is awaited", "const a = await Promise.resolve(4); return a + 1", 5],
    ["a promise as the last expression", "Promise.resolve(6).then((a) => a + 1)", 7],
    ["an empty text", "''", ""],
  ])("returns %s", async (_, code, result) => {
    expect(await run(code)).toEqual({ result });
  });

  it("returns what JSON has no form for in a form that can be read", async () => {
    const values: readonly (readonly [string, unknown])[] = [
      ["null", null],
      ["1 > 2", false],
      ["'李雷'.length + '🙂'", "2🙂"],
      ["2n ** 80n", "1208925819614629174706176"],
      ["[0 / 0, 1 / 0, -0]", ["NaN", "Infinity", 0]],
      ["new Map([['a', 1]])", { a: 1 }],
      ["new Set([1, 1, 2])", [1, 2]],
      ["new Uint8Array(2)", [0, 0]],
      ["new Date('2024-02-29T12:00:00Z')", "2024-02-29T12:00:00.000Z"],
      ["(Date.UTC(2024, 2, 1) - Date.parse('2024-02-28')) / 864e5", 2],
      ["new TypeError('odd')", "TypeError: odd"],
      ["() => 1", "[function]"],
      ["'a-b-c'.replaceAll(/-(?<x>.)/g, '$<x>')", "abc"],
    ];
    const code = `[${values.map(([text]) => text).join(", ")}]`;
    expect(await run(code)).toEqual({ result: values.map(([, value]) => value) });
  });

  it("sees its input, and nothing of another call", async () => {
    expect(
      await run("globalThis.kept = input; input.a + input['__proto__x']", {
        a: 1,
        ["__proto__x"]: 2,
      }),
    ).toEqual({ result: 3 });
    expect(await run("typeof input + typeof kept")).toEqual({ result: "undefinedundefined" });
  });

  it("returns what was printed, and says where there is no result", async () => {
    expect(
      await run("console.log('a', { b: [1n] }, undefined, null); console.error(2); var x = 1;"),
    ).toEqual({
      logs: ['a {"b":["1"]} undefined null', "2"],
      note: "There is no result; end the code with an expression.",
    });
    expect(await run("const a = await Promise.resolve(1); a")).toEqual({
      note: "There is no result; code with an await or a return at its top needs `return` before its result.",
    });
  });

  it("tells an error with a long stack of its own shortly", async () => {
    for (const stack of ["'code.js:' + '9'.repeat(5e6)", "'x'.repeat(5e6) + '\\n    at code.js:7'"])
      await expect(
        run(`throw Object.assign(new Error('odd'), { stack: ${stack} })`),
      ).rejects.toThrow(/^The code failed\. Error: odd$/);
  });

  it("is the same each time: chance has a fixed start and there is no clock", async () => {
    const first = await run("[Math.random(), Math.random()]");
    expect(await run("[Math.random(), Math.random()]")).toEqual(first);
    expect(
      await run(
        "const [a, b] = [Math.random(), Math.random()]; a !== b && a >= 0 && a < 1 && b < 1",
      ),
    ).toEqual({ result: true });
    for (const code of ["Date.now()", "new Date()", "Date()", "new (new Date(0).constructor)()"])
      await expect(run(code)).rejects.toThrow(/there is no clock here/);
  });

  it.each([
    ["const a = ;", /SyntaxError: .*\(line 1\)/],
    ["let a = 1;\n\na.b.c", /TypeError: cannot read property 'c' of undefined \(line 3\)/],
    ["function f() {\n  throw new RangeError('too far')\n}\nf()", /RangeError: too far \(line 2\)/],
    ["const a = 1;\nreturn a.b.c", /TypeError.*\(line 2\)/],
    ["await 1;\nnull.x", /TypeError.*\(line 2\)/],
    ["throw { odd: true }", /thrown: \{"odd":true\}/],
    ["await Promise.reject(new Error('late'))", /Error: late/],
    ["new Promise(() => {})", /a promise that nothing settles/],
    ["await new Promise(() => {})", /a promise that nothing settles/],
    ["await import('node:fs')", /could not load module|promise that nothing settles/],
    ["import fs from 'node:fs'", /could not load module/],
    ["const o = {}; o.o = o; o", /circular/],
    ["console.log('before'); null.x", /It printed:\nbefore/],
    ["x.y", /ReferenceError: '?x'? is not defined \(line 1\)/],
    ["({ toJSON() { throw new Error('no') } })", /Error: no/],
    ["throw Object.assign(new Error('a'), { get message() { for (;;) {} } })", /failed|longer/],
  ])("tells the fault of %j", async (code, message) => {
    await expect(run(code)).rejects.toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(message),
    });
  });

  it("reaches nothing of the host", async () => {
    const names = [
      "process",
      "require",
      "module",
      "fetch",
      "setTimeout",
      "setInterval",
      "queueMicrotask",
      "WebAssembly",
      "XMLHttpRequest",
      "performance",
      "Worker",
      "std",
      "os",
      "print",
      "Buffer",
      "global",
    ];
    const tried = `${JSON.stringify(names)}.filter((name) => { try { return typeof (0, eval)(name) !== "undefined" } catch { return false } })`;
    expect(await run(tried)).toEqual({ result: [] });
    const own =
      "console.log.constructor.constructor('return this')() === globalThis && (async () => {}).constructor('return typeof process')";
    expect(await run(`${own}()`)).toEqual({ result: "undefined" });
    expect(
      await run("[].constructor.constructor('return typeof process + typeof require')()"),
    ).toEqual({ result: "undefinedundefined" });
  });

  it("is not led astray by what code does to the language", async () => {
    const spoiled = `Object.prototype.toJSON = () => "wrong"; Array.prototype.push = null; String.prototype.slice = null;
      JSON.stringify = () => "wrong"; JSON.parse = null; Reflect.apply = null; globalThis.String = null; Promise.prototype.then = null; [1, 2]`;
    const result = await run(spoiled);
    expect(["wrong", [1, 2]]).toContainEqual((result as { result: unknown }).result);
    expect(({} as { toJSON?: unknown }).toJSON).toBeUndefined();
    expect(await run("JSON.stringify([1, 2])")).toEqual({ result: "[1,2]" });
  });
});

describe("what code may take", { timeout: 60_000 }, () => {
  const short = make({ maxTime: 300 });
  const long = make({ maxTime: 60_000, maxMemory: 8_000_000 });

  it.each([
    ["an endless loop", "for (;;) {}", /longer than 0.3 s.*loop/],
    ["an endless loop that catches", "for (;;) { try { for (;;) {} } catch {} }", /longer than/],
    [
      "an endless chain of promises",
      "const f = () => Promise.resolve().then(f); f()",
      /longer than/,
    ],
    ["a regular expression that never ends", "/(a+)+$/.test('a'.repeat(40) + 'b')", /longer than/],
    ["a getter that never ends", "({ get a() { for (;;) {} } })", /longer than/],
    ["endless printing", "for (;;) console.log('x')", /longer than[^]*It printed:/],
  ])("stops %s", async (_, code, message) => {
    await expect(short(code)).rejects.toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(message),
    });
  });

  it.each([
    ["a long text", "'a'.repeat(1e9)", /out of memory/],
    ["a text that grows", "let s = 'a'; for (;;) s += s", /too long|out of memory/],
    ["a long list", "new Array(1e9).fill(0)", /out of memory/],
    ["bytes", "new Uint8Array(1e9)", /out of memory/],
    ["a whole number", "2n ** 4000000000n", /too large|out of memory/],
    ["a deep call", "function f() { return 1 + f() } f()", /stack overflow.*\(line 1\)/],
    ["a deep text", "JSON.parse('['.repeat(100000))", /too deeply nested|stack overflow/],
    [
      "a deep value",
      "let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; o",
      /too deeply nested|stack overflow/,
    ],
    ["a long result", "'a'.repeat(30000)", /has 30002 characters as JSON, more than 20000/],
  ])("ends %s, and the host goes on", async (_, code, message) => {
    await expect(long(code)).rejects.toMatchObject({
      family: "ToolError",
      message: expect.stringMatching(message),
    });
  });

  it("cuts what is printed", async () => {
    const { logs } = (await make({ maxChars: 100 })(
      "for (let i = 0; i < 1000; i++) console.log('line ' + i); 1",
    )) as { logs: string[] };
    expect(logs.at(0)).toBe("line 0");
    expect(logs.at(-1)).toBe("[what was printed after this is left out]");
    expect(logs.join("").length).toBeLessThan(200);
    const wide = (await make({ maxChars: 100 })("console.log('a'.repeat(5000)); 1")) as {
      logs: string[];
    };
    expect(wide.logs.join("").length).toBeLessThan(300);
  });

  it("stops on an abort at once, while other calls go on", async () => {
    const abort = new AbortController();
    const pending = make({ maxTime: 3_600_000 })("for (;;) {}", undefined, abort.signal);
    const ending = messageOf(pending);
    expect(await run("1 + 1")).toEqual({ result: 2 });
    abort.abort(new Error("enough"));
    expect(await ending).toBe("enough");
  });

  it("is ended by the clock where it does not look at its own", async () => {
    const pending = make({ maxTime: 3_600_000 })("for (;;) {}");
    const ending = messageOf(pending);
    await clock.advance(3_601_999);
    await clock.advance(1);
    expect(await ending).toMatch(/longer than 3600 s/);
    expect(clock.timers).toBe(0);
  });

  it("starts nothing after an abort", async () => {
    await expect(run("1", undefined, AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
  });
});
