import { type Diagnostic, formatDiagnostic } from "@loopwright/core";
import { CommandError } from "./command-error.ts";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
import { neutralize, neutralizeName } from "./neutralize.ts";
import { readBytes, requireFile } from "./read-file.ts";
import { shellWord } from "./shell-word.ts";
import { writeTextFile } from "./write-file.ts";

/** Why a spec has no other form. */
interface RewriteFault {
  readonly ok: false;
  /** Missing where `check` has no word for it. */
  readonly code?: Diagnostic["code"];
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly endColumn?: number;
  readonly suggestion?: string;
}

/** A spec in its other form. */
interface Rewritten {
  readonly ok: true;
  readonly text: string;
  /** What was left as it is and why, for standard error. */
  readonly remark?: string;
}

/** How specs are rewritten, and what is done with the result. */
export interface RewriteMode<Done extends Rewritten> {
  readonly rewrite: (text: string) => Done | RewriteFault;
  /** Writes nothing; a spec that would change makes the exit code 1. */
  readonly isCheck: boolean;
  /** Prints the result instead of writing it. */
  readonly isToStdout?: boolean;
  /** The line about one spec, or "" for none. */
  readonly tell: (spec: string, done: Done, isChanged: boolean) => string;
}

/** Rewrites spec files in place; a broken one is told on standard error and left as it is, and the others are done all the same. */
export function rewriteSpecs<Done extends Rewritten>(
  specs: readonly string[],
  mode: RewriteMode<Done>,
): ExitCode {
  let [isBroken, isStale] = [false, false];
  for (const spec of specs) {
    const text = readUtf8(spec);
    const done = mode.rewrite(text);
    if (!done.ok) {
      isBroken = true;
      process.stderr.write(faultText(spec, text, done));
      continue;
    }
    if (done.remark !== undefined)
      process.stderr.write(`${neutralizeName(spec)}: ${neutralize(done.remark)}\n`);
    const isChanged = done.text !== text;
    isStale ||= isChanged;
    if (mode.isToStdout === true) process.stdout.write(done.text);
    else {
      if (isChanged && !mode.isCheck) writeTextFile(spec, done.text);
      process.stdout.write(mode.tell(neutralizeName(spec), done, isChanged));
    }
  }
  if (isBroken) return EXIT_CODES.invalid;
  return mode.isCheck && isStale ? EXIT_CODES.failed : EXIT_CODES.done;
}

function faultText(spec: string, text: string, fault: RewriteFault): string {
  const { ok: _, code, ...found } = fault;
  if (code !== undefined) {
    const told = {
      ...found,
      code,
      file: neutralizeName(spec),
      severity: "error",
      path: "",
    } as const;
    const lines = text.replace(/^\ufeff/u, "").split(/\r?\n/u);
    const all = `loopwright check ${shellWord(spec)} tells all that is wrong with it`;
    return `${formatDiagnostic(told, lines)}\n${neutralize(all)}\n`;
  }
  const { line, column, message, suggestion } = fault;
  const repair = suggestion === undefined ? "" : `fix: ${neutralize(suggestion)}\n`;
  return `${neutralizeName(spec)}:${line}:${column} ${neutralize(message)}\n${repair}`;
}

// A text that was decoded wrongly would be written back broken.
function readUtf8(spec: string): string {
  const bytes = readBytes(requireFile(spec, ""), "");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CommandError(`${spec} is not UTF-8; save it as UTF-8 first`);
  }
}
