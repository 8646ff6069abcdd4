import { resolve } from "node:path";
import {
  type CheckResult,
  type CompileOptions,
  type Provenance,
  provenanceOf,
  type Saying,
} from "@loopwright/core";
import { CommandError } from "./command-error.ts";
import { specFault } from "./compile-program.ts";
import { counted, placeText } from "./diagnostic-text.ts";
import { EXIT_CODES, type ExitCode } from "./exit-codes.ts";
import type { OpenedApp } from "./open-app.ts";
import { printJson } from "./print-json.ts";

/** What is asked of a spec. */
interface Question {
  readonly spec: string;
  readonly path: string;
  readonly settings: CompileOptions;
  readonly isJson: boolean;
}

/**
 * Prints the value at a path of a spec, where it comes from, and what it replaced; of a spec with errors too, as far as it
 * could be read.
 */
export async function explainPath({ app, root }: OpenedApp, question: Question): Promise<ExitCode> {
  const { spec, path, settings, isJson } = question;
  const found = await app.check({ file: resolve(spec) }, { ...settings, root });
  const { program } = found;
  const errors = errorCount(found);
  const { models = [] } = settings;
  const traced = provenanceOf(found.index, path, { models, ...(program && { program }) });
  if (!traced.ok) {
    const hint = traced.suggestion === undefined ? "" : `; ${traced.suggestion}`;
    const text = `${spec} has nothing at \`${path}\`: ${traced.message}${hint}`;
    if (errors === 0) throw new CommandError(text);
    // What is wrong with the spec may be why nothing is there.
    const { code, details } = specFault(spec, found, root);
    throw new CommandError(`${text}\n${errorsText(spec, errors)}`, { code, details });
  }
  if (isJson) printJson(traced.provenance);
  else process.stdout.write(`${provenanceLines(traced.provenance, root).join("\n")}\n`);
  if (errors === 0) return EXIT_CODES.done;
  process.stderr.write(`loopwright: ${errorsText(spec, errors)}\n`);
  return EXIT_CODES.invalid;
}

function errorsText(spec: string, errors: number): string {
  const all = errors === 1 ? "it" : "them";
  return `${spec} has ${counted(errors, "error")}; \`loopwright check ${spec}\` says ${all}`;
}

function errorCount({ diagnostics }: CheckResult): number {
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

function provenanceLines(said: Provenance, root: string): readonly string[] {
  return [
    `${said.path} ${said.isLost === true ? lostText(said) : `= ${valueText(said)}`}`,
    `  ${originText(said, root)}`,
    ...said.was.map((before) => `  was ${valueText(before)}, ${originText(before, root)}`),
    ...said.parts.flatMap((part) => provenanceLines(part, root).map((line) => `  ${line}`)),
  ];
}

function originText({ origin, by = "", at }: Saying, root: string): string {
  const place = at === undefined ? "" : placeText(at, root);
  switch (origin) {
    case "default":
      return `the default of ${by}`;
    case "set":
      return `from ${at?.file ?? "--set"}`;
    case "env":
      return `from the variable ${by}, at ${place}`;
    case "overlay":
      return `from overlay \`${by}\`, at ${place}`;
    default:
      return `at ${place}`;
  }
}

/** What is written there is shown where it is known. */
function lostText({ value }: Saying): string {
  return value === null ? "can't be read" : `can't be read: ${JSON.stringify(value)}`;
}

function valueText({ value, isLost }: Saying): string {
  if (isLost === true && value === null) return "what can't be read";
  return typeof value === "string" ? value : JSON.stringify(value);
}
