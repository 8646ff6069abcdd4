import type { SpecDocument } from "../../spec/document/read-document.ts";
import { entry, type SpecNode } from "../../spec/text/spec-node.ts";
import type { Draft } from "../canonical-spec.ts";
import {
  readsOfCheck,
  readsOfExpression,
  readsOfTemplate,
  type StateRead,
  textsIn,
} from "./state-reads.ts";

/** What is read outside of every stage: by the instructions of the spec, the checks of its output and its constraints. */
export function outsideReads(draft: Draft, document: SpecDocument): readonly StateRead[] {
  const instructions = document.section("instructions");
  return [
    ...(draft.instructions === undefined || instructions === undefined
      ? []
      : readsOfTemplate(draft.instructions, instructions, "`instructions`")),
    ...outputReads(draft, document.section("output")),
    ...constraintReads(draft, document.section("task")),
  ];
}

function outputReads({ output, checks }: Draft, node: SpecNode | undefined): readonly StateRead[] {
  if (output === undefined || node === undefined) return [];
  const texts = textsIn(node);
  return output.checks.flatMap(({ instance }) => {
    const check = checks[instance];
    return check === undefined ? [] : readsOfCheck(check, texts, node);
  });
}

function constraintReads({ task }: Draft, node: SpecNode | undefined): readonly StateRead[] {
  const list = node?.kind === "map" ? entry(node, "constraints") : undefined;
  if (list?.kind !== "list") return [];
  const texts = textsIn(list);
  return task.constraints.flatMap(({ id, rule }) =>
    rule === undefined
      ? []
      : readsOfExpression(rule, texts?.get(rule.source) ?? list, `the rule of constraint ${id}`),
  );
}
