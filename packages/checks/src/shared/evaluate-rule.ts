import { type CheckContext, type Json, messageOf } from "@loopwright/core/plugin";

/** What a rule says: it holds, it does not, or it could not be computed and why. */
export type RuleOutcome =
  | { readonly status: "true" | "false" }
  | { readonly status: "fault"; readonly reason: string };

/** Evaluates a rule; a fault in it is an outcome, so that other rules still speak. */
export function evaluateRule(context: CheckContext, rule: string): RuleOutcome {
  let value: Json;
  try {
    value = context.evaluate(rule);
  } catch (fault) {
    return { status: "fault", reason: messageOf(fault) };
  }
  if (typeof value === "boolean") return { status: value ? "true" : "false" };
  return { status: "fault", reason: `it gives ${JSON.stringify(value)}, not true or false` };
}
