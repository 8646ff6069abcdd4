import type { ToolPolicy } from "../program/program.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";

/** One level that says something of a tool's policy, with everything below it applied. */
export interface AppliedLevel {
  readonly tool: string;
  readonly node: MapNode;
  readonly policy: ToolPolicy;
  /** Whether the tool is an agent, which asks models. */
  readonly isAgent: boolean;
}

/** Reports policies of one tool that contradict each other or can have no effect. */
export function reportContradictions(level: AppliedLevel, diagnostics: Diagnostics): void {
  reportRetry(level, diagnostics);
  reportRepeat(level, diagnostics);
  reportLimits(level, diagnostics);
  reportApproval(level, diagnostics);
}

function keyOf(node: MapNode, key: string): SpecNode | undefined {
  return node.entries.get(key)?.key;
}

function reportRetry({ tool, node, policy }: AppliedLevel, diagnostics: Diagnostics): void {
  const at = keyOf(node, "retry");
  if (at === undefined || policy.effect !== "once" || (policy.retry?.attempts ?? 1) <= 1) return;
  const message = `\`${tool}\` must run once for each call (effect once); trying it again could do it twice`;
  diagnostics.error("LW-TOOL-POLICY", at, message, "delete `retry`");
}

function reportRepeat({ tool, node, policy }: AppliedLevel, diagnostics: Diagnostics): void {
  const at = keyOf(node, "repeat");
  // At one level the two are told apart from this.
  if (at === undefined || policy.polls !== true || node.entries.has("polls")) return;
  const message = `\`${tool}\` polls, so the same call may be made again and again; \`repeat\` bounds just that`;
  diagnostics.error("LW-TOOL-POLICY", at, message, "delete `repeat`, or write `polls: false`");
}

const modelLimits: readonly string[] = ["modelCalls", "tokens", "usd"];

function reportLimits({ tool, node, isAgent }: AppliedLevel, diagnostics: Diagnostics): void {
  const limits = entry(node, "limits");
  if (isAgent || limits?.kind !== "map") return;
  for (const key of modelLimits) {
    const at = keyOf(limits, key);
    if (at === undefined) continue;
    const message = `\`${tool}\` asks no model; \`limits.${key}\` can bound nothing`;
    diagnostics.error("LW-TOOL-POLICY", at, message, `delete \`${key}\``);
  }
}

function reportApproval({ tool, node, policy }: AppliedLevel, diagnostics: Diagnostics): void {
  if (policy.approval !== "never") return;
  // What could not be read is reported where it stands.
  const said = entry(node, "approval");
  if (said !== undefined && !(said.kind === "scalar" && said.value === "never")) return;
  for (const key of ["expires", "reason"]) {
    const at = keyOf(node, key);
    if (at === undefined) continue;
    const message = `\`${key}\` of \`${tool}\` has no effect: nobody is asked to approve its calls`;
    diagnostics.warn(
      "LW-TOOL-POLICY",
      at,
      message,
      `add \`approval: always\`, or delete \`${key}\``,
    );
  }
}
