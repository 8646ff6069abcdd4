import { resolve } from "node:path";
import {
  type CompileOptions,
  type Json,
  type Program,
  type Provenance,
  provenanceOf,
  type Saying,
} from "@loopwright/core";
import { CommandError } from "./command-error.ts";
import { placeText } from "./diagnostic-text.ts";
import type { OpenedApp } from "./open-app.ts";
import { printJson } from "./print-json.ts";

/** What is asked of a spec. */
interface Question {
  readonly spec: string;
  readonly path: string;
  readonly program: Program;
  readonly settings: CompileOptions;
  readonly isJson: boolean;
}

/** Prints the value at a path of a spec, where it comes from, and what it replaced. */
export async function explainPath({ app, root }: OpenedApp, question: Question): Promise<void> {
  const { spec, path, program, settings, isJson } = question;
  const { index } = await app.check({ file: resolve(spec) }, { ...settings, root });
  const { models = [] } = settings;
  const traced = provenanceOf(index, path, { program, models });
  if (!traced.ok) {
    const hint = traced.suggestion === undefined ? "" : `; ${traced.suggestion}`;
    throw new CommandError(`${spec} has nothing at \`${path}\`: ${traced.message}${hint}`);
  }
  if (isJson) printJson(traced.provenance);
  else process.stdout.write(`${provenanceLines(traced.provenance, root).join("\n")}\n`);
}

function provenanceLines(said: Provenance, root: string): readonly string[] {
  return [
    `${said.path} = ${valueText(said.value)}`,
    `  ${originText(said, root)}`,
    ...said.was.map((before) => `  was ${valueText(before.value)}, ${originText(before, root)}`),
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

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
