import { Buffer, isUtf8 } from "node:buffer";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { DiagnosticCode } from "./diagnostic-codes.ts";

/** A file's text and its lines; `problems` say why it could not be read as text, and are reported by whoever parses it. */
export interface SourceText {
  /** The path from the project root, with forward slashes; as given when it lies outside. */
  readonly file: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly problems?: readonly SourceProblem[];
}

/** A reason why a file is not usable text. */
export interface SourceProblem {
  readonly code: DiagnosticCode;
  readonly line: number;
  readonly column: number;
  readonly message: string;
  readonly suggestion?: string;
}

/** The largest spec file, in bytes. */
export const maxSourceBytes: number = 1024 * 1024;

/** Reads a UTF-8 file inside the project root, given from there; never throws, what went wrong is in `problems`. */
export function readSource(path: string, options: { root: string; maxBytes?: number }): SourceText {
  const found = locate(path, options.root);
  if (!found.ok) return failed(found.file, found.problem);
  const maxBytes = options.maxBytes ?? maxSourceBytes;
  let bytes: Uint8Array;
  try {
    const status = statSync(found.absolute);
    if (!status.isFile())
      return failed(
        found.file,
        problem(
          "LW-FILE-UNREADABLE",
          `\`${found.file}\` is not a regular file`,
          "name a file, not a folder",
        ),
      );
    if (status.size > maxBytes) {
      return failed(
        found.file,
        problem(
          "LW-FILE-TOO-LARGE",
          `\`${found.file}\` has ${status.size} bytes; at most ${maxBytes} are read`,
          "split it, or keep data in a smaller file",
        ),
      );
    }
    bytes = readFileSync(found.absolute);
  } catch (cause) {
    const reason = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown";
    return failed(
      found.file,
      problem(
        "LW-FILE-UNREADABLE",
        `\`${found.file}\` cannot be read (${reason})`,
        "check who may read it",
      ),
    );
  }
  const encodingProblem = findEncodingProblem(bytes);
  if (encodingProblem !== undefined) return failed(found.file, encodingProblem);
  return sourceFromText(Buffer.from(bytes).toString("utf8"), found.file);
}

/** Makes a source from text that is already in memory; a byte-order mark is dropped. */
export function sourceFromText(text: string, file: string): SourceText {
  const body = text.startsWith("\ufeff") ? text.slice(1) : text;
  const lines = body.split(/\r?\n/);
  const found =
    body.length > maxCharacters
      ? [
          problem(
            "LW-FILE-TOO-LARGE",
            `\`${file}\` is too large`,
            "split it, or keep data in a smaller file",
          ),
        ]
      : findTextProblems(body);
  return found.length === 0
    ? { file, text: body, lines }
    : { file, text: body, lines, problems: found };
}

type Located =
  | { readonly ok: true; readonly file: string; readonly absolute: string }
  | { readonly ok: false; readonly file: string; readonly problem: SourceProblem };

const maxCharacters = 16 * 1024 * 1024;

function locate(path: string, root: string): Located {
  const absolute = resolve(root, path);
  const file = isInside(root, absolute) ? relative(root, absolute).split(sep).join("/") : path;
  const outside = problem(
    "LW-FILE-OUTSIDE-ROOT",
    `\`${path}\` leads outside the project root`,
    "move the file into the project, or choose another root with --root",
  );
  if (path.includes("\0"))
    return {
      ok: false,
      file: path.replaceAll("\0", ""),
      problem: problem("LW-FILE-MISSING", "the path holds a NUL character", "delete it"),
    };
  if (!isInside(root, absolute)) return { ok: false, file, problem: outside };
  try {
    const real = realpathSync(absolute);
    return isInside(realpathSync(root), real)
      ? { ok: true, file, absolute: real }
      : { ok: false, file, problem: outside };
  } catch {
    return { ok: false, file, problem: problem("LW-FILE-MISSING", `\`${file}\` does not exist`) };
  }
}

/** Whether a path is a folder or lies in it. */
export function isInside(root: string, absolute: string): boolean {
  const way = relative(resolve(root), absolute);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const byteOrderMarks: readonly (readonly [string, readonly number[]])[] = [
  ["UTF-32LE", [0xff, 0xfe, 0, 0]],
  ["UTF-32BE", [0, 0, 0xfe, 0xff]],
  ["UTF-16LE", [0xff, 0xfe]],
  ["UTF-16BE", [0xfe, 0xff]],
];

function findEncodingProblem(bytes: Uint8Array): SourceProblem | undefined {
  const repair = "save the file as UTF-8";
  for (const [name, mark] of byteOrderMarks) {
    if (mark.every((byte, index) => bytes[index] === byte)) {
      return problem("LW-FILE-ENCODING", `the file is encoded as ${name}, not UTF-8`, repair);
    }
  }
  if (bytes[1] === 0 && bytes[0] !== 0)
    return problem("LW-FILE-ENCODING", "the file looks like UTF-16LE, not UTF-8", repair);
  if (bytes[0] === 0 && bytes[1] !== 0)
    return problem("LW-FILE-ENCODING", "the file looks like UTF-16BE, not UTF-8", repair);
  if (isUtf8(bytes)) return undefined;
  const { line, column, byte } = firstBadByte(bytes);
  const message = `the file is not UTF-8 (byte 0x${byte.toString(16)}; perhaps Latin-1, Windows-1252 or GBK)`;
  return { code: "LW-FILE-ENCODING", line, column, message, suggestion: repair };
}

// The decoder replaces what it cannot read, so the first U+FFFD that is not itself encoded in the bytes marks the place.
function firstBadByte(bytes: Uint8Array): { line: number; column: number; byte: number } {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();
  const good = decoder.decode(bytes);
  let offset = 0;
  let line = 1;
  let column = 1;
  for (const character of good) {
    const isGenuine =
      character !== "\ufffd" ||
      (bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd);
    if (!isGenuine) break;
    offset += character.charCodeAt(0) < 0x80 ? 1 : encoder.encode(character).length;
    column = character === "\n" ? 1 : column + character.length;
    if (character === "\n") line += 1;
  }
  return { line, column, byte: bytes[offset] ?? 0 };
}

const controlCharacter =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

function findTextProblems(text: string): SourceProblem[] {
  const control = controlCharacter.exec(text);
  if (control !== null) {
    const name = `U+${control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    return [
      {
        code: "LW-FILE-CONTROL-CHARACTER",
        ...placeOf(text, control.index),
        message: `the control character ${name} is not allowed`,
        suggestion: "delete it",
      },
    ];
  }
  const bare = /\r(?!\n)/.exec(text);
  if (bare === null) return [];
  const message = "a bare carriage return ends no line here; lines end in LF or CRLF";
  return [
    {
      code: "LW-FILE-LINE-ENDING",
      ...placeOf(text, bare.index),
      message,
      suggestion: "save the file with LF line endings",
    },
  ];
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function problem(code: DiagnosticCode, message: string, suggestion?: string): SourceProblem {
  return { code, line: 1, column: 1, message, ...(suggestion === undefined ? {} : { suggestion }) };
}

function failed(file: string, found: SourceProblem): SourceText {
  return { file, text: "", lines: [], problems: [found] };
}
