import { stat } from "node:fs/promises";
import {
  Clock,
  count,
  defineTool,
  duration,
  type JsonSchema,
  path,
  ProjectRoot,
  secret,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { confine } from "./shared/confined-path.ts";
import { compileAllowList, manualOf, problemsOf, programsOf } from "./shell/allow-list.ts";
import { findProgram } from "./shell/find-program.ts";
import { runProgram } from "./shell/run-program.ts";

/** More than any system takes of one call. */
const maxArgumentBytes = 100_000;

const rule = Type.Object({
  command: Type.String({ description: "The program, and the arguments that it begins with." }),
  arguments: Type.Array(Type.String(), {
    description: "Regular expressions; every further argument matches one of them as a whole.",
  }),
});

const options = Type.Object({
  allow: Type.Array(Type.Union([Type.String(), rule]), {
    description:
      "What may be run: `ls` with any arguments, `wc -l` with any after `-l`, or `{ command: git log, arguments: ['--max-count=[0-9]+'] }` with such alone. A name is looked up in PATH; a path is taken as it stands. Nothing by default.",
    default: [],
  }),
  folder: Type.Optional(
    path({
      description: "The folder to run in, with those below it; by default the project root.",
    }),
  ),
  env: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Variables of the programs, beside PATH, HOME, LANG and TMPDIR.",
    }),
  ),
  maxTime: duration({
    description:
      "After this time a program is ended, and what it wrote comes back; the tool's `timeout` has to be longer.",
    default: 60_000,
  }),
  maxBytes: count({
    description: "How many bytes of each stream come back, from its beginning and its end.",
    default: 20_000,
  }),
});

const output = Type.Object({
  exitCode: Type.Union([Type.Integer(), Type.Null()]),
  signal: Type.Optional(Type.String()),
  stdout: Type.String(),
  stderr: Type.String(),
  note: Type.Optional(Type.String()),
});

/** Runs programs that the spec allows, without a shell; they end with the call. */
export const shell: ToolDefinition = defineTool({
  id: "shell",
  description: `Runs one program of this machine and returns what it wrote.
Use it for what only an installed program can tell or do, when its name and arguments are among those allowed.
Do not use it for pipes, redirections, wildcards, variables or several commands at once: there is no shell, every argument reaches the program as it is written. Do not start servers or anything that waits for input; what a program starts ends with it, unless it leaves its group.
It returns exitCode, stdout and stderr; an exit code other than 0 is a result, not a failure of this tool (grep says 1 where nothing matches). Long output is cut in the middle, with a note; a program that takes too long is ended, and a note says so.`,
  options,
  input: ({ allow }) => inputOf(allow) as JsonSchema,
  output,
  effect: "once",
  policy: { timeoutMs: 90_000 },
  validate: ({ allow }) => problemsOf(allow),
  inject: { clock: Clock, projectRoot: ProjectRoot },
  create: ({ allow, folder, env = {}, maxTime, maxBytes }, { clock, projectRoot }) => {
    const judge = compileAllowList(allow);
    const found = new Map<string, Promise<string>>();
    return async (call, { signal }) => {
      const { command, args = [], folder: below = "." } = call as ShellInput;
      refuseOddArguments(args);
      judge(command, args);
      const variables = ownVariables();
      const finding = found.get(command) ?? findProgram(command, projectRoot, variables.PATH);
      found.set(command, finding);
      const file = await finding.catch((fault: unknown) => {
        found.delete(command);
        throw fault;
      });
      const target = await folderIn(folder ?? projectRoot, below);
      const { exitCode, isOverdue, ...ended } = await runProgram({
        file,
        args,
        folder: target,
        env: { ...variables, ...env },
        maxBytes,
        maxTimeMs: maxTime,
        clock,
        signal,
      });
      return {
        exitCode,
        ...(ended.signal === null ? {} : { signal: ended.signal }),
        stdout: ended.stdout,
        stderr: ended.stderr,
        ...(isOverdue ? { note: `Ended after ${maxTime / 1000} s; it was not finished.` } : {}),
      };
    };
  },
});

interface ShellInput {
  readonly command: string;
  readonly args?: readonly string[];
  readonly folder?: string;
}

function inputOf(allow: Parameters<typeof programsOf>[0]) {
  return Type.Object(
    {
      command: Type.String({
        ...(allow.length === 0 ? {} : { enum: [...programsOf(allow)] }),
        description: "The program, without arguments.",
      }),
      args: Type.Optional(
        Type.Array(Type.String(), {
          description: `Its arguments, one an item, unquoted. Allowed: ${manualOf(allow)}.`,
        }),
      ),
      folder: Type.Optional(
        Type.String({ description: "The folder to run in, relative to the usual one." }),
      ),
    },
    { additionalProperties: false },
  );
}

async function folderIn(root: string, wanted: string): Promise<string> {
  const { target } = await confine(root, wanted);
  if ((await stat(target)).isDirectory()) return target;
  throw new ToolError("tool-failed", `Not run: "${wanted}" is no folder; name one to run in.`);
}

function refuseOddArguments(args: readonly string[]): void {
  const bytes = args.reduce((sum, argument) => sum + Buffer.byteLength(argument) + 1, 0);
  const fault =
    bytes > maxArgumentBytes
      ? `the arguments have more than ${maxArgumentBytes} bytes; put long text into a file`
      : args.some((argument) => argument.includes("\0"))
        ? "an argument holds a NUL character; leave it out"
        : undefined;
  if (fault !== undefined) throw new ToolError("tool-arguments-invalid", `Not run: ${fault}.`);
}

/** The few variables of the host that programs get; everything else stays with it. */
function ownVariables(): Record<string, string> & { readonly PATH: string } {
  const kept = ["HOME", "LANG", "TMPDIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { PATH: process.env["PATH"] ?? "", ...Object.fromEntries(kept) };
}
