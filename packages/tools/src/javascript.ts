import {
  Clock,
  count,
  defineTool,
  duration,
  type Json,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { runSandbox } from "./javascript/run-sandbox.ts";

const bodyAdvice = "code with an await or a return at its top needs `return` before its result.";

const options = Type.Object({
  maxTime: duration({ description: "After this time code is stopped.", default: 5_000 }),
  maxMemory: count({ description: "How many bytes code may take.", default: 64_000_000 }),
  maxChars: count({
    description: "How many characters of the result, and of what is printed, come back at most.",
    default: 20_000,
  }),
});

const input = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: 100_000,
    description: "JavaScript (ES2023), one script; it ends with the expression that is the result.",
  }),
  input: Type.Optional(
    Type.Unknown({ description: "JSON that the code sees as the variable `input`." }),
  ),
});

const output = Type.Object({
  result: Type.Optional(Type.Unknown()),
  logs: Type.Optional(Type.Array(Type.String())),
  note: Type.Optional(Type.String()),
});

/** Runs JavaScript in an interpreter of its own, which reaches nothing of the host. */
export const javascript: ToolDefinition = defineTool({
  id: "javascript",
  description: `Runs a short JavaScript program in a sandbox and returns what it computes.
Use it to count, sort, search, parse, compare or simulate where doing so by hand would be long or unsure. Give the data as \`input\` or inside the code.
Do not use it for one line of arithmetic (use a calculator), or for anything outside the code: there is no network, no file, no import, no timer and no clock (new Date("2024-02-29") works, new Date() does not), and nothing is kept between two calls. Math.random gives the same numbers in every call.
It returns result, the value of the last expression (or of a top-level return, needed where the code uses await) as JSON, and logs, the lines of console.log. BigInts, NaN and infinite numbers come as text, a Map as an object, a Set as a list. An error comes with its line; endless loops and too much memory end the code alone.`,
  options,
  input,
  output,
  effect: "read",
  inject: { clock: Clock },
  create:
    ({ maxTime, maxMemory, maxChars }, { clock }) =>
    async ({ code, input: given }, { signal }) => {
      const { isBody, result, logs } = await runSandbox(
        { code, input: given as Json | undefined, maxMemory, maxTimeMs: maxTime, maxChars },
        { clock, signal },
      );
      return {
        ...(result === undefined ? {} : { result }),
        ...(logs.length === 0 ? {} : { logs: [...logs] }),
        ...(result === undefined
          ? {
              note: `There is no result; ${isBody ? bodyAdvice : "end the code with an expression."}`,
            }
          : {}),
      };
    },
});
