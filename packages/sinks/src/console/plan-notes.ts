import type { EventData, Json, PlanStep } from "@loopwright/core/plugin";
import { isRecord } from "./compact.ts";
import { type Level, type Note, warning } from "./note.ts";

/** The plan, step by step; the conditions of success for the curious. */
export function planNote(label: string, { plan }: EventData["plan.made"], level: Level): Note {
  const steps = plan.steps.map((step, index) => ({
    mark: `${index + 1}.`,
    text: stepText(step, plan.steps, level),
    ...(step.status === "done" ? { tone: "quiet" as const } : {}),
  }));
  const conflicts = plan.conflicts.map((text) => ({
    mark: "!",
    text: `conflict: ${text}`,
    tone: "warning" as const,
  }));
  const settled = (plan.tradeoffs ?? []).map((text) => ({ mark: "·", text: `settled: ${text}` }));
  const items = [...steps, ...settled, ...conflicts];
  return { label, tone: "heading", text: plan.goal, maxLines: 3, items };
}

/** A step of the plan that ended, and what its ending rests on. */
export function planStepNote({
  step,
  status,
  evidence,
  because,
}: EventData["plan-step.ended"]): Note {
  const tones = { done: "good", failed: "warning", open: "quiet" } as const;
  const said = because.trim() === "" ? "" : `: ${because.trim()}`;
  const ids = evidence.map((id) => `[${id}]`).join(" ");
  return {
    label: "plan step",
    tone: tones[status],
    text: `${step} ${status === "open" ? "is open again" : status}${said}`,
    maxLines: 3,
    items: evidence.length === 0 ? [] : [{ mark: "·", text: `rests on ${ids}`, tone: "quiet" }],
  };
}

/** What a planner did about hard constraints, or why it made no other plan; undefined for any other fact. */
export function planFactNote(fact: string, data: Json): Note | undefined {
  if (!isRecord(data)) return undefined;
  const { constraints, reason } = data;
  if (fact === "replan.refused")
    return typeof reason === "string" ? warning("plan", `no other one: ${reason}`) : undefined;
  const words = FACTS.get(fact);
  if (words === undefined || !Array.isArray(constraints)) return undefined;
  return warning("plan", `hard constraint ${words}: ${constraints.join("; ")}`);
}

const FACTS: ReadonlyMap<string, string> = new Map([
  ["constraints.kept", "missing from the draft, put back"],
  ["constraints.relaxed", "gives way to a stated preference"],
]);

function stepText(step: PlanStep, steps: readonly PlanStep[], level: Level): string {
  const numbers = step.dependsOn.map((id) => steps.findIndex((other) => other.id === id) + 1);
  const before = numbers.filter((number) => number > 0);
  const order = level === "verbose" && before.length > 0 ? ` (after ${before.join(", ")})` : "";
  const success =
    level === "verbose" && step.successCondition !== "" ? `: ${step.successCondition}` : "";
  const status = step.status === "open" ? "" : ` (${step.status})`;
  return `${step.objective}${success}${order}${status}`;
}
