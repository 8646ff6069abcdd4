import type { SpecDocument } from "../../spec/document/read-document.ts";
import type { CompiledSequence, CompiledStage } from "../../program/program.ts";
import { childrenOf, type FlowContext, keepsWritesOf, ownWrites } from "./flow-context.ts";
import type { StateRead } from "./state-reads.ts";
import type { Arrival } from "./written.ts";

/** The ends of a tree, and what is read of the answer. */
export interface AnswerFacts {
  readonly strategy: CompiledSequence;
  readonly document: SpecDocument;
  readonly end: Arrival;
  readonly outside: readonly StateRead[];
}

/**
 * Reports a tree in which no stage answers; true where that is told, here or by a stage that reads the answer. A tree
 * that surely ends by a stop has its answer: the reason of the stop.
 */
export function checkUnanswered(facts: AnswerFacts, context: FlowContext): boolean {
  const { strategy, document, end, outside } = facts;
  if (end.ender !== undefined || answers(strategy, context)) return false;
  if (isAskedFor(outside, context)) return true;
  // A slot that could not be read may hold the stage that answers.
  if (hasUnreadStages(context)) return false;
  const { key = document.root } = document.root.entries.get("strategy") ?? {};
  const output = document.root.entries.get("output")?.key;
  const list = listWithAnswers(context);
  const repair =
    list === undefined
      ? "put a stage that writes `answer` at the end"
      : `give \`${list.id}\` a \`combine:\` with a stage that makes one answer of its results`;
  if (output === undefined) {
    const message = "no stage of `strategy` writes `answer`: a run ends without one";
    context.diagnostics.warn("LW-FLOW-NO-ANSWER", key, message, repair);
  } else {
    const message = `\`output\` (line ${output.line}) says what an answer holds, and no stage of \`strategy\` writes \`answer\``;
    context.diagnostics.error("LW-FLOW-NO-ANSWER", key, message, repair);
  }
  return true;
}

function answers({ stages }: CompiledSequence, context: FlowContext): boolean {
  return stages.some(
    (stage) =>
      !context.idle.has(stage) &&
      (ownWrites(stage, context).includes("answer") ||
        childrenOf(stage).some(
          ({ slot, sequence }) =>
            keepsWritesOf(stage, slot, "answer") && answers(sequence, context),
        )),
  );
}

/** Whether something that runs reads the answer: then it is told there that nothing writes one. */
function isAskedFor(outside: readonly StateRead[], { reads, idle }: FlowContext): boolean {
  const inside = [...reads].some(
    ([stage, read]) =>
      !idle.has(stage) &&
      (stage.flow.needs?.includes("answer") === true ||
        read.some(({ field }) => field === "answer")),
  );
  return inside || outside.some(({ field }) => field === "answer");
}

/** Whether an error stands in the tree: it may have cost a stage. */
function hasUnreadStages({ diagnostics }: FlowContext): boolean {
  return diagnostics.items.some(
    ({ severity, path }) => severity === "error" && path.startsWith("strateg"),
  );
}

/** The first stage that keeps the answers of its items in a list. */
function listWithAnswers(context: FlowContext): CompiledStage | undefined {
  return [...context.reads.keys()].find(
    (stage) =>
      stage.definition.result === "list" &&
      !context.idle.has(stage) &&
      childrenOf(stage).some(({ sequence }) => answers(sequence, context)),
  );
}
