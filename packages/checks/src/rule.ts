import {
  type CheckDefinition,
  defineCheck,
  expression,
  type Issue,
  template,
  Type,
} from "@loopwright/core/plugin";
import { evaluateRule } from "./shared/evaluate-rule.ts";

const options = Type.Object({
  expr: expression("bool", {
    description: "What must be true, as a CEL expression over the state.",
  }),
  message: template({ description: "What is wrong when it is not true, and how to mend it." }),
});

/** Holds an answer against one expression; choose it for what the state alone decides. */
export const rule: CheckDefinition = defineCheck({
  id: "rule",
  description:
    "An expression over the state must be true; its message says what is wrong when it is not.",
  options,
  run: (_state, context, { expr, message }) => {
    const outcome = evaluateRule(context, expr);
    if (outcome.status === "fault") return { issues: [faulty(expr, message, outcome.reason)] };
    return { issues: outcome.status === "true" ? [] : [missed(expr, message)] };
  },
});

function missed(expr: string, message: string): Issue {
  return {
    kind: "missed-constraint",
    detail: message,
    requiredAction: `Change the answer so that this holds: ${expr}`,
    needs: "rewrite",
  };
}

function faulty(expr: string, message: string, reason: string): Issue {
  return {
    kind: "missed-constraint",
    detail: `The rule \`${expr}\` (${message}) can't be computed: ${reason}`,
    requiredAction: "Give the answer every value that the rule reads, in the right type.",
    needs: "rewrite",
  };
}
