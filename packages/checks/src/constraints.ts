import {
  type CheckContext,
  type CheckDefinition,
  type CheckResult,
  type Constraint,
  defineCheck,
  type Issue,
  Type,
} from "@loopwright/core/plugin";
import type { Decision, Judged } from "./constraints/decision.ts";
import { decideLength } from "./constraints/length-bound.ts";
import { decideMention } from "./constraints/mention.ts";
import { answerProse, answerTexts } from "./shared/answer-texts.ts";
import { evaluateRule } from "./shared/evaluate-rule.ts";

const nothing: CheckResult = { issues: [] };

/** Decides each hard constraint that a rule or its own plain wording decides, and leaves the others to the judge. */
export const constraints: CheckDefinition = defineCheck({
  id: "constraints",
  description:
    "Each hard constraint of the task holds: by its rule, or by its wording where that is mechanical (lengths, words that must or must not be said); the judge decides the others.",
  options: Type.Object({}),
  requires: "constraints",
  isLeftToJudge: ({ text, rule }) =>
    rule === undefined && samples.every((sample) => byWords(text, sample) === undefined),
  run: ({ task, answer }, context) => {
    const judged: Judged = { texts: answerTexts(answer), prose: answerProse(answer) };
    const results = task.constraints.map((constraint) =>
      constraint.rule === undefined
        ? byWording(constraint, judged, answer.solvable)
        : byRule(constraint, constraint.rule, context, answer.solvable),
    );
    return {
      issues: results.flatMap(({ issues }) => issues),
      unchecked: results.flatMap(({ unchecked }) => unchecked ?? []),
    };
  },
});

function byRule(
  constraint: Constraint,
  rule: string,
  context: CheckContext,
  isSolvable: boolean,
): CheckResult {
  const outcome = evaluateRule(context, rule);
  if (outcome.status === "fault") {
    // An answer that says there is none has no value for a rule to read.
    if (!isSolvable) return { issues: [], unchecked: [constraint.text] };
    return {
      issues: [
        missed(
          constraint,
          `its rule \`${rule}\` can't be computed: ${outcome.reason}`,
          "Give the answer every value that the rule reads.",
        ),
      ],
    };
  }
  if (outcome.status === "true") return nothing;
  return {
    issues: [
      missed(
        constraint,
        `its rule \`${rule}\` does not hold`,
        "Change the answer so that the rule holds.",
      ),
    ],
  };
}

function byWording(constraint: Constraint, judged: Judged, isSolvable: boolean): CheckResult {
  const decision = byWords(constraint.text, judged);
  if (decision?.isMet === true) return nothing;
  if (decision === undefined || !isSolvable) return { issues: [], unchecked: [constraint.text] };
  return { issues: [missed(constraint, decision.detail, decision.requiredAction)] };
}

function byWords(constraint: string, judged: Judged): Decision | undefined {
  return decideLength(constraint, judged) ?? decideMention(constraint, judged);
}

/** Answers of which a wording that decides anything decides one: nothing said, and more than any bound allows. */
const samples: readonly Judged[] = ["", "word. ".repeat(5000)].map((prose) => ({
  texts: [prose],
  prose,
}));

function missed({ text }: Constraint, detail: string, requiredAction: string): Issue {
  return {
    kind: "missed-constraint",
    detail: `"${text}" is missed: ${detail}.`,
    requiredAction,
    needs: "rewrite",
  };
}
