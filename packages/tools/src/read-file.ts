import { readFile as readBytes, realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import {
  count,
  defineTool,
  path,
  ProjectRoot,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { cutLines } from "./read-file/cut-lines.ts";

/** Larger files are not read at all, not even in parts. */
const maxFileBytes = 20_000_000;

const options = Type.Object({
  root: Type.Optional(
    path({ description: "The folder to read from; by default the project root." }),
  ),
  maxBytes: count({ description: "How many bytes one call returns at most.", default: 200_000 }),
});

const input = Type.Object({
  path: Type.String({
    minLength: 1,
    description: "The file, relative to the root; use / between folders.",
  }),
  offset: Type.Optional(
    Type.Integer({ minimum: 1, description: "The first line to return, from 1." }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, description: "How many lines to return at most." }),
  ),
});

/** Reads a text file inside the project root or one folder; links that lead out are refused. */
export const readFile: ToolDefinition = defineTool({
  id: "read-file",
  description: `Reads one text file and returns its lines unchanged.
Use it when the task names a file, or an observation shows its path.
Do not use it for folders, pictures, archives or other binary files, for anything outside the given folder, or to search for a file by guessing names.
It returns the text; where it had to stop, a last line in square brackets says which lines these are and the offset to go on with. Use offset and limit for parts of a long file.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  inject: { projectRoot: ProjectRoot },
  create:
    ({ root, maxBytes }, { projectRoot }) =>
    async (call, { signal }) => {
      const file = await locate(root ?? projectRoot, call.path);
      signal.throwIfAborted();
      const text = await readText(file, call.path, signal);
      return cutLines(text, { first: call.offset ?? 1, maxLines: call.limit, maxBytes });
    },
});

async function locate(root: string, wanted: string): Promise<string> {
  const realRoot = await realpath(root).catch((cause: unknown) => {
    throw new ToolError(
      "tool-failed",
      `The folder ${root} can't be read; the spec's \`root\` must exist.`,
      { cause },
    );
  });
  const target = resolve(realRoot, wanted);
  if (wanted.includes("\0") || !isInside(realRoot, target)) throw outside(wanted);
  const file = await realpath(target).catch((cause: unknown) => {
    throw new ToolError(
      "tool-failed",
      `There is no readable file "${wanted}"; check its path and spelling.`,
      { cause },
    );
  });
  if (!isInside(realRoot, file)) throw outside(wanted);
  if (/(?:^|[\\/])\.env(?!\.example$)(?:\.[^\\/]*)?$/.test(file)) {
    throw new ToolError(
      "tool-failed",
      `"${wanted}" holds secrets of the environment and is never read.`,
    );
  }
  return file;
}

function isInside(root: string, target: string): boolean {
  const way = relative(root, target);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function outside(wanted: string): ToolError {
  return new ToolError(
    "tool-failed",
    `"${wanted}" lies outside the folder that may be read; give a path inside it.`,
  );
}

async function readText(file: string, wanted: string, signal: AbortSignal): Promise<string> {
  const facts = await stat(file);
  if (facts.isDirectory())
    throw new ToolError("tool-failed", `"${wanted}" is a folder; name a file in it.`);
  if (!facts.isFile()) throw new ToolError("tool-failed", `"${wanted}" is not a regular file.`);
  if (facts.size > maxFileBytes) {
    throw new ToolError(
      "tool-failed",
      `"${wanted}" has ${facts.size} bytes; files above ${maxFileBytes} bytes are not read.`,
    );
  }
  return decode(await readBytes(file, { signal }), wanted);
}

function decode(bytes: Uint8Array, wanted: string): string {
  try {
    if (bytes.includes(0)) throw new TypeError("a NUL byte");
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ToolError(
      "tool-failed",
      `"${wanted}" is binary or not UTF-8 text; only UTF-8 text is read.`,
      { cause },
    );
  }
}
