import type { StateField } from "../../contracts/state.ts";
import type { CompiledStage } from "../../program/program.ts";
import { childrenOf, type FlowContext, ownWrites, placeOf } from "./flow-context.ts";
import type { StateRead } from "./state-reads.ts";

/** What is read where, by the place of the reader in the order of the spec. */
interface Readers {
  /** Of each field, or `results.<id>`: the first two and the last reader. */
  readonly of: ReadonlyMap<string, readonly number[]>;
  /** Read outside of every stage. */
  readonly elsewhere: ReadonlySet<string>;
  /** The stages of which it is not known what they read. */
  readonly unknown: readonly number[];
}

/** Fields that only other stages read; the answer and the verdict are read by whoever runs the agent. */
const internal: ReadonlySet<StateField> = new Set<StateField>(["plan", "lessons", "candidates"]);

/** Reports stages whose whole product is something that no later stage reads. */
export function checkUnread(
  stages: readonly CompiledStage[],
  outside: readonly StateRead[],
  context: FlowContext,
): void {
  // What could not be read may well be the reader.
  if (hasUnreadTexts(context)) return;
  const readers = readersOf(stages, outside, context);
  const nested = new Set(
    stages.flatMap((stage) => childrenOf(stage).flatMap(({ sequence }) => sequence.stages)),
  );
  for (const [index, stage] of stages.entries()) {
    const product = productOf(stage, context);
    if (product.length === 0 || context.idle.has(stage) || context.unsound.has(stage.id)) continue;
    // A nested stage may run again, and stages before it read what it left.
    const after = nested.has(stage) ? -1 : index;
    if (product.some((name) => isRead(name, after, index, readers))) continue;
    if (readers.unknown.some((one) => one > after)) continue;
    const [what = ""] = product;
    context.diagnostics.warn(
      "LW-FLOW-UNREAD",
      placeOf(stage),
      `\`${stage.id}\` produces \`${what}\`, and ${nested.has(stage) ? "no other" : "no later"} stage reads it`,
      what.startsWith("results")
        ? `read \`${what}.${stage.definition.result === "list" ? "…" : "reply"}\` in a guard, a prompt or a template, or delete the stage`
        : `put a stage that uses \`${what}\` after it, or delete it`,
    );
  }
}

/** What a stage leaves for others alone; empty where it leaves an answer, a verdict or an effect. */
function productOf(stage: CompiledStage, context: FlowContext): readonly string[] {
  const { definition, flow } = stage;
  const result = `results.${stage.id}`;
  if (definition.result === "list") return productOfList(stage, context);
  if (childrenOf(stage).length > 0) return [];
  const writes = ownWrites(stage, context);
  // A strategy that declares no result may be there for its effect.
  if (writes.length === 0) return definition.result === undefined ? [] : [result];
  const isSure = (flow.maySet ?? []).length === 0;
  return isSure && writes.every((field) => internal.has(field)) ? [...writes, result] : [];
}

/** A stage that leaves a list of results: also what its children leave in lists of the run. */
function productOfList(stage: CompiledStage, context: FlowContext): readonly string[] {
  const leaves = [...(context.leaves.get(stage) ?? [])];
  return leaves.includes("answer") ? [] : [`results.${stage.id}`, ...leaves];
}

function isRead(name: string, after: number, self: number, { of, elsewhere }: Readers): boolean {
  return (
    elsewhere.has(name) ||
    elsewhere.has("results") ||
    [name, ...(name.startsWith("results.") ? ["results"] : [])].some((one) =>
      (of.get(one) ?? []).some((index) => index > after && index !== self),
    )
  );
}

function readersOf(
  stages: readonly CompiledStage[],
  outside: readonly StateRead[],
  context: FlowContext,
): Readers {
  const of = new Map<string, number[]>();
  const note = (name: string, index: number): void => {
    const known = of.get(name);
    if (known === undefined) of.set(name, [index]);
    else if (known.at(-1) === index) return;
    // Two readers at the front tell that one is another stage; the last tells whether one comes later.
    else if (known.length < 3) known.push(index);
    else known[2] = index;
  };
  for (const [index, stage] of stages.entries()) {
    for (const name of stage.flow.needs ?? []) note(name, index);
    for (const name of stage.flow.uses ?? []) note(name, index);
    for (const read of context.reads.get(stage) ?? []) note(nameOf(read), index);
  }
  const unknown = [...stages.keys()].filter((index) =>
    context.unsound.has(stages[index]?.id ?? ""),
  );
  return { of, elsewhere: new Set(outside.map(nameOf)), unknown };
}

/** Whether the flow itself is at fault, or an error stands where a text outside of every stage may read the state. */
function hasUnreadTexts({ diagnostics }: FlowContext): boolean {
  return diagnostics.items.some(
    ({ severity, code, path }) =>
      severity === "error" &&
      (code.split("-", 2)[1] === "FLOW" || !/^(strategy|tools|models?|limits)\b/.test(path)),
  );
}

function nameOf({ path, field }: StateRead): string {
  if (field !== undefined) return field;
  const [root = "", id] = path.split(".");
  return root === "results" && id !== undefined ? `results.${id}` : root;
}
