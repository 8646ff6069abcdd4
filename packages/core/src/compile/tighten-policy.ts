import { compileExpression, type Expression } from "../spec/text/expression.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { ToolPolicy } from "../program/program.ts";
import { loosened, loosenedLimits } from "./loosened-policy.ts";
import type { PolicyLevel } from "./tool-policy.ts";

/** Lays a stage's policy over a tool's: it may only tighten; what would loosen is reported. */
export function tightenPolicy(
  base: ToolPolicy,
  level: PolicyLevel,
  tool: string,
  shape: ObjectShape,
  diagnostics: Diagnostics,
): ToolPolicy {
  const { said, node } = level;
  const report = (key: string, was: string, is: string, at: SpecNode = node): void => {
    const message = `a stage may only tighten the policy of \`${tool}\`: \`${key}\` is ${was}, and ${is} would loosen it`;
    diagnostics.error(
      "LW-TOOL-LOOSENED-POLICY",
      at,
      message,
      `delete it here, or change \`tools.${tool}\``,
    );
  };
  for (const { key, was, is, part } of [...loosened(base, said), ...loosenedLimits(base, said)]) {
    const place = entry(node, key);
    const inner = part === undefined || place?.kind !== "map" ? place : entry(place, part);
    report(part ?? key, was, is, inner ?? place);
  }
  const approval = strictestApproval(base.approval, said.approval, shape);
  if (approval === undefined)
    report(
      "approval",
      approvalWords(base.approval),
      approvalWords(said.approval ?? "never"),
      entry(node, "approval"),
    );
  const deny = said.deny === undefined ? base.deny : either(base.deny, said.deny, shape);
  const limits = said.limits === undefined ? base.limits : { ...base.limits, ...said.limits };
  return {
    ...base,
    ...said,
    approval: approval ?? base.approval,
    ...(deny === undefined ? {} : { deny }),
    ...(limits === undefined ? {} : { limits }),
  };
}

function strictestApproval(
  base: ToolPolicy["approval"],
  said: ToolPolicy["approval"] | undefined,
  shape: ObjectShape,
): ToolPolicy["approval"] | undefined {
  if (said === undefined || said === base || said === "always") return said ?? base;
  if (base === "always" || said === "never") return undefined;
  return base === "never" ? said : { when: either(base.when, said.when, shape) };
}

// Both expressions were checked alone, so the two joined by "or" compile too.
function either(first: Expression | undefined, second: Expression, shape: ObjectShape): Expression {
  if (first === undefined || first.source === second.source) return second;
  const joined = compileExpression(`(${first.source}) || (${second.source})`, shape, "bool");
  return joined.ok ? joined.expression : second;
}

function approvalWords(approval: ToolPolicy["approval"]): string {
  return typeof approval === "string" ? `\`${approval}\`` : "asked for by a condition";
}
