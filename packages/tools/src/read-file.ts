import {
  count,
  defineTool,
  path,
  ProjectRoot,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { readPart } from "./read-file/read-part.ts";
import { confine } from "./shared/confined-path.ts";
import { type OpenFile, openTextFile } from "./shared/open-text-file.ts";
import { HEAD_BYTES, natureOf } from "./shared/text-encoding.ts";
import { readHead, textLines } from "./shared/text-lines.ts";

/** Longer files are not read on beyond the part that is wanted, so their lines are not counted. */
const maxCountedBytes = 20_000_000;

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
  encoding: Type.Optional(
    Type.String({
      description: "The encoding, where it is not UTF-8; for example windows-1252, gbk or big5.",
    }),
  ),
});

/** Reads a text file inside the project root or one folder; links that lead out are refused. */
export const readFile: ToolDefinition = defineTool({
  id: "read-file",
  description: `Reads one text file and returns its lines unchanged.
Use it when the task names a file, or an observation shows its path.
Do not use it for folders, for anything outside the given folder, or to search for a file by guessing names.
It returns the text; where it had to stop, a last line in square brackets says which lines these are and the offset to go on with. Use offset and limit for parts of a long file. Pictures, archives and other binary files are only described. UTF-16 with a byte-order mark is read as such; other encodings than UTF-8 must be named.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  inject: { projectRoot: ProjectRoot },
  create:
    ({ root, maxBytes }, { projectRoot }) =>
    async (call, { signal }) => {
      const place = await confine(root ?? projectRoot, call.path);
      signal.throwIfAborted();
      const file = await openTextFile(place);
      try {
        return await readOpen(file, { ...call, maxBytes, signal });
      } finally {
        await file.handle.close();
      }
    },
});

interface Reading {
  readonly path: string;
  readonly offset?: number;
  readonly limit?: number;
  readonly encoding?: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function readOpen({ handle, size }: OpenFile, wanted: Reading): Promise<string> {
  const { maxBytes, signal } = wanted;
  const nature = natureOf(await readHead(handle, HEAD_BYTES));
  if (nature.kind === "binary" && wanted.encoding === undefined)
    return `[${wanted.path} is ${nature.what} of ${size} bytes; its content is not shown]`;
  const encoding = encodingOf(wanted.encoding ?? (nature.kind === "text" ? nature.encoding : ""));
  const lines = textLines(handle, { encoding, maxLine: maxBytes, signal });
  const part = {
    first: wanted.offset ?? 1,
    maxLines: wanted.limit,
    maxBytes,
    isCounted: size <= maxCountedBytes,
  };
  const text = await readPart(lines, part).catch((cause: unknown) => {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ToolError(
      "tool-failed",
      `"${wanted.path}" is not ${encoding} text; it is binary or has another encoding. Give \`encoding\` where you know it, for example windows-1252 or gbk.`,
      { cause },
    );
  });
  return encoding === "utf-8" ? text : `${text}\n[read as ${encoding}]`;
}

function encodingOf(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new ToolError(
      "tool-arguments-invalid",
      `The encoding "${name}" is unknown; use utf-8, utf-16le, windows-1252, gbk, big5, shift_jis or another name of the web's encodings.`,
    );
  }
}
