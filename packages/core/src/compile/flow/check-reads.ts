import type { StateField } from "../../contracts/state.ts";
import type { CompiledStage } from "../../program/program.ts";
import { type FlowContext, listFields, ownWrites, placeOf } from "./flow-context.ts";
import type { StateRead } from "./state-reads.ts";
import { type Doubt, NOTHING, type Written } from "./written.ts";

/** Reports what a stage needs and no stage before it writes, or perhaps not. */
export function checkNeeds(stage: CompiledStage, before: Written, context: FlowContext): void {
  for (const field of stage.flow.needs ?? []) {
    if (before.must.has(field)) continue;
    const doubt = before.may.get(field);
    if (doubt?.isTold === true) continue;
    const reads = `\`${stage.definition.id}\` reads \`${field}\``;
    if (doubt !== undefined) {
      context.diagnostics.warn(
        "LW-FLOW-MAYBE-MISSING",
        placeOf(stage),
        `${reads}, which ${mayBeMissing(doubt)}`,
        `let a stage that always runs write \`${field}\`, or ${doubt.cure}`,
      );
    } else {
      context.diagnostics.error(
        "LW-FLOW-NEVER-WRITTEN",
        placeOf(stage),
        `${reads}, which no earlier stage writes; ${writersHere(field, context, stage)}`,
        writerRepair(stage, field, context),
      );
    }
  }
}

/** Reports a text or an expression that reads what is never written, or perhaps not before. */
export function checkRead(read: StateRead, before: Written, context: FlowContext): void {
  const { field, at, by } = read;
  if (field === undefined || before.must.has(field)) return;
  if (!context.writers.has(field)) {
    context.unwritten.add(read);
    context.diagnostics.error(
      "LW-FLOW-NEVER-WRITTEN",
      at,
      `${by} reads \`${field}\`, which no stage of this spec writes`,
      `add a stage that writes \`${field}\`, like \`${writerExamples[field]}\`, or take \`${read.path}\` away`,
    );
    return;
  }
  const doubt = before.may.get(field);
  if (doubt !== undefined && !read.isCondition && !listFields.has(field)) {
    context.diagnostics.warn(
      "LW-FLOW-MAYBE-MISSING",
      at,
      `${by} reads \`${field}\`, which ${mayBeMissing(doubt)}`,
      `guard the stage by what it reads, or let a stage that always runs write \`${field}\``,
    );
  } else if (!before.loose.has(field)) {
    const sees = field === "verdict" ? "it sees `none`" : "it sees an empty one";
    context.diagnostics.warn(
      "LW-FLOW-MAYBE-MISSING",
      at,
      `${by} reads \`${field}\` before any stage can write one; ${sees}; ${writersHere(field, context)}`,
      `put it after ${firstWriter(field, context)}`,
    );
  }
}

/** A strategy that writes each field, for repairs where the spec has none. */
const writerExamples: Readonly<Record<StateField, string>> = {
  plan: "plan",
  observations: "react",
  answer: "direct",
  verdict: "verify",
  candidates: "self-consistency",
  lessons: "recall",
  thread: "react",
};

function writerRepair(stage: CompiledStage, field: StateField, context: FlowContext): string {
  const { line, column } = stage.position;
  const later = context.writers
    .get(field)
    ?.find(
      ({ position }) =>
        position.line > line || (position.line === line && position.column > column),
    );
  return later === undefined
    ? `put a stage that writes \`${field}\` before it, like \`${writerExamples[field]}\``
    : `move \`${later.id}\` (line ${later.position.line}) before it, or put another stage that writes \`${field}\` there`;
}

function firstWriter(field: StateField, context: FlowContext): string {
  const [writer] = context.writers.get(field) ?? [];
  return writer === undefined
    ? `a stage that writes \`${field}\``
    : `\`${writer.id}\` (line ${writer.position.line}), which writes \`${field}\``;
}

function mayBeMissing({ writer, because }: Doubt): string {
  return `may be missing: its writer \`${writer.id}\` (line ${writer.position.line}) ${because}`;
}

const mostNamed = 5;

function writersHere(field: StateField, context: FlowContext, but?: CompiledStage): string {
  const all = context.writers.get(field) ?? [];
  const named = all.slice(0, mostNamed + 1).filter((stage) => stage !== but);
  const isOneOfThem = but !== undefined && ownWrites(but, context).includes(field);
  const others = all.length - (isOneOfThem ? 1 : 0) - Math.min(named.length, mostNamed);
  if (named.length === 0) return "no stage of this spec does";
  const words = named
    .slice(0, mostNamed)
    .map((stage) => `\`${stage.id}\` (line ${stage.position.line})`);
  return `writers here: ${words.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}

/** Reports a text outside of every stage that reads what no stage writes. */
export function checkOutside(read: StateRead, context: FlowContext): void {
  if (read.field === undefined || context.writers.has(read.field)) return;
  checkRead(read, NOTHING, context);
}
