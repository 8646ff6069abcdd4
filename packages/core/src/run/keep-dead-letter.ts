import { createHash } from "node:crypto";
import { isAbsolute, relative, sep } from "node:path";
import type { DeadLetter } from "../contracts/dead-letter.ts";
import type { Json } from "../contracts/json.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { appendDeadLetter } from "../output/dead-letters.ts";
import type { OutputDeclaration } from "../program/program.ts";
import type { RunInput, RunOutcome, RunSettings } from "./run.ts";
import type { Frame } from "./run-scope.ts";

/**
 * Writes down a run that was to give an answer of a declared form and gave none, where a file for that is named: it failed,
 * or a limit ended it without a value. A file that can't be written is told as `sink.failed`.
 */
export async function keepDeadLetter(
  root: Frame,
  outcome: RunOutcome,
  input: RunInput,
  settings: RunSettings,
): Promise<void> {
  const { output, root: folder } = root.run.linked.program;
  const file = settings.deadLetter ?? output?.deadLetter;
  if (output === undefined || file === undefined || !isDead(outcome)) return;
  const { bus, linked } = root.run;
  try {
    const letter = letterOf(root, outcome, output, { input, settings });
    const clean = linked.redactor.data(letter as unknown as Json) as unknown as DeadLetter;
    await appendDeadLetter(file, clean);
    const { code, attempts } = letter;
    const told = { file: within(folder, file), code, attempts: attempts.length };
    bus.emit("output.dead-lettered", told, root.scope);
  } catch (thrown) {
    const message = `the dead letter can't be written: ${messageOf(thrown)}`;
    bus.emit("sink.failed", { sink: "deadLetter", message }, root.scope);
  }
}

function isDead({ outcome, value }: RunOutcome): boolean {
  return outcome === "failed" || (outcome === "limited" && value === null);
}

function letterOf(
  root: Frame,
  { outcome, fault, reason = "", spending }: RunOutcome,
  output: OutputDeclaration,
  { input, settings }: { readonly input: RunInput; readonly settings: RunSettings },
): DeadLetter {
  const { id, linked, rejected } = root.run;
  const { name, hash, file, root: folder } = linked.program;
  const { origin } = settings;
  return {
    v: 1,
    kind: "dead-letter",
    id,
    time: linked.clock.now(),
    spec: name,
    file: within(folder, file),
    programHash: hash,
    outcome,
    code: fault?.code ?? "",
    message: fault?.message ?? reason,
    input: {
      ...(input.task === undefined ? {} : { task: input.task }),
      inputs: input.inputs ?? {},
    },
    attempts: rejected,
    schemaHash: createHash("sha256").update(JSON.stringify(output.schema)).digest("hex"),
    modelCalls: spending.modelCalls,
    usage: spending.usage,
    usd: spending.usd,
    ...(origin === undefined ? {} : { origin }),
  };
}

/** A path as the project knows it; a label stays as it is. */
function within(folder: string, file: string): string {
  return isAbsolute(file) ? relative(folder, file).split(sep).join("/") : file;
}
