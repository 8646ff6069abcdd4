/**
 * What runs inside the sandbox before the model's code: it keeps the language's own functions for itself, takes away the
 * clock and chance, and yields what the worker needs. Nothing of the host is reachable from here.
 */
const prelude = `
(function (print, maxText) {
  "use strict";
  const { stringify, parse } = JSON;
  const { apply, construct, ownKeys } = Reflect;
  const { slice } = String.prototype;
  const text = String;
  const cut = (line) => line.length > maxText ? apply(slice, line, [0, maxText]) + "… [cut: " + line.length + " characters]" : line;
  const forJson = (key, value) => {
    switch (typeof value) {
      case "bigint": return text(value);
      case "function": return "[function]";
      case "symbol": return text(value);
      case "number": return value !== value || value === 1 / 0 || value === -1 / 0 ? text(value) : value;
      case "object":
        if (value instanceof Map) return { ...Object.fromEntries(value) };
        if (value instanceof Set) return [...value];
        if (value instanceof Error) return text(value);
        if (ArrayBuffer.isView(value)) return [...value];
        return value;
      default: return value;
    }
  };
  const shown = (value) => typeof value === "string" ? value : stringify(value, forJson) ?? text(value);
  const tell = (...values) => {
    let line = "";
    for (let i = 0; i < values.length; i += 1) line += (i > 0 ? " " : "") + shown(values[i]);
    print(cut(line));
  };
  globalThis.console = { log: tell, info: tell, warn: tell, error: tell, debug: tell };
  const Native = Date;
  const noClock = () => { throw new Error("there is no clock here; pass the time in \`input\`"); };
  const Given = function Date(...parts) {
    if (new.target === undefined || parts.length === 0) noClock();
    return construct(Native, parts, new.target);
  };
  Given.prototype = Native.prototype;
  Given.parse = Native.parse;
  Given.UTC = Native.UTC;
  Given.now = noClock;
  Native.prototype.constructor = Given;
  globalThis.Date = Given;
  let seed = 1;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    give: (json) => { globalThis.input = parse(json); },
    show: (value) => value === undefined ? "" : stringify(value, forJson) ?? "",
    fault: (thrown) => {
      if (!(thrown instanceof Error)) return "thrown: " + cut(shown(thrown));
      return cut(text(thrown.name) + ": " + text(thrown.message));
    },
    stack: (thrown) => thrown instanceof Error ? cut(text(thrown.stack ?? "")) : "",
  };
})
`;

/**
 * What the worker of one call runs: the model's code in an interpreter of its own, compiled to WebAssembly, with bounded
 * memory, stack and time.
 *
 * It is plain CommonJS in a text, so that it runs alike from sources, from a build and from a bundle. Code with a \`return\` or
 * an \`await\` at its top runs as the body of an async function, any other as a script whose last expression is its value.
 */
export const sandboxProgram: string = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { newQuickJSWASMModuleFromVariant } = require(workerData.core);
const variant = require(workerData.variant);
const prelude = ${JSON.stringify(prelude)};
const { code, input, maxMemory, maxTimeMs, maxChars } = workerData;
const logs = [];
let logged = 0;
function print(line) {
  if (logged > maxChars) return;
  logged += line.length + 1;
  logs.push(logged > maxChars ? "[what was printed after this is left out]" : line);
}
newQuickJSWASMModuleFromVariant(variant.default ?? variant).then((engine) => {
  let reply;
  try {
    reply = run(engine);
  } catch (fault) {
    reply = { fault: (fault instanceof RangeError ? "RangeError: too deeply nested" : String(fault)) };
  }
  parentPort.postMessage({ ...reply, logs });
});
function run(engine) {
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(maxMemory);
  runtime.setMaxStackSize(256 * 1024);
  const context = runtime.newContext();
  const printing = context.newFunction("print", (line) => print(context.getString(line)));
  const make = context.unwrapResult(context.evalCode(prelude, "prelude.js"));
  const made = context.callFunction(make, context.undefined, printing, context.newNumber(maxChars));
  const own = context.unwrapResult(made);
  const part = (name, value) => context.callFunction(context.getProp(own, name), context.undefined, value);
  const until = performance.now() + maxTimeMs;
  runtime.setInterruptHandler(() => performance.now() > until);
  if (input !== undefined) context.unwrapResult(part("give", context.newString(input)));
  const failed = (error) => {
    if (performance.now() > until) return { isOverdue: true };
    const told = part("fault", error);
    const stack = part("stack", error);
    return {
      fault: told.error ? "the error can't be shown" : context.getString(told.value),
      stack: stack.error ? "" : context.getString(stack.value),
    };
  };
  const isScript = !context.evalCode(code, "code.js", { compileOnly: true }).error;
  const asFunction = "(async function () {" + code + "\\n})()";
  const isBody = !isScript && !context.evalCode(asFunction, "code.js", { compileOnly: true }).error;
  const ending = context.evalCode(isBody ? asFunction : code, "code.js");
  if (ending.error) return failed(ending.error);
  let value = ending.value;
  const jobs = runtime.executePendingJobs();
  if (jobs.error) return failed(jobs.error);
  const state = context.getPromiseState(value);
  if (state.type === "pending" && performance.now() > until) return { isOverdue: true };
  if (state.type === "pending") return { fault: "Error: the result is a promise that nothing settles; there are no timers and no network here" };
  if (state.type === "rejected") return failed(state.error);
  if (!state.notAPromise) value = state.value;
  const shown = part("show", value);
  if (shown.error) return failed(shown.error);
  const json = context.getString(shown.value);
  if (json.length > maxChars) return { fault: "Error: the result has " + json.length + " characters as JSON, more than " + maxChars + "; end with less" };
  return { json, isBody };
}
`;
