import { asNullable, type ObjectShape, type Shape } from "../spec/text/shape.ts";

const text: Shape = { kind: "text" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };
const anything: Shape = { kind: "any" };

function list(of: Shape, maxItems?: number): Shape {
  return maxItems === undefined ? { kind: "list", of } : { kind: "list", of, maxItems };
}

function oneOf(...values: readonly string[]): Shape {
  return { kind: "enum", values };
}

function object(fields: Readonly<Record<string, Shape>>): ObjectShape {
  return { kind: "object", fields };
}

const task: ObjectShape = object({
  text,
  mission: text,
  deliverable: text,
  part: text,
  constraints: list(object({ id: text, text })),
});

const planStep: ObjectShape = object({
  id: text,
  objective: text,
  needsExternalInfo: boolean,
  successCondition: text,
  dependsOn: list(text),
  status: oneOf("open", "done", "failed"),
  evidence: list(text),
  because: text,
});

function plan(maxSteps: number | undefined): ObjectShape {
  return object({
    goal: text,
    constraints: list(text),
    conflicts: list(text),
    tradeoffs: list(text),
    hasConflicts: boolean,
    steps: list(planStep, maxSteps),
  });
}

const observation: ObjectShape = object({
  id: text,
  tool: text,
  input: anything,
  content: text,
  ok: boolean,
  degraded: boolean,
});

const verdict: ObjectShape = object({
  outcome: oneOf("none", "pass", "revise", "fail", "stale"),
  issues: list(
    object({
      kind: text,
      detail: text,
      requiredAction: text,
      needs: oneOf("rewrite", "evidence", "plan", "person"),
    }),
  ),
  supportedEvidence: list(text),
  revised: boolean,
  passed: boolean,
  needsEvidence: boolean,
  needsPlan: boolean,
  needsPerson: boolean,
  needsRewrite: boolean,
});

const candidate: ObjectShape = object({
  id: text,
  text,
  value: anything,
  score: asNullable(number),
  evidence: list(text),
  by: text,
});

const lesson: ObjectShape = object({
  id: text,
  trigger: text,
  failurePattern: text,
  lesson: text,
  avoid: text,
  uses: number,
});

function answer(value: Shape): ObjectShape {
  return object({
    text,
    value,
    reasoning: text,
    evidence: list(text),
    solvable: boolean,
    unsolvableReason: text,
    revision: number,
    by: text,
  });
}

/** What `results.<id>` is: what the stage produced, `value` of a known shape or any. */
export function resultShape(value: Shape = anything): ObjectShape {
  return object({
    ran: boolean,
    outcome: oneOf("none", "done", "failed", "limited", "skipped"),
    text,
    value,
    answer: answer(anything),
    answered: boolean,
    reply: text,
  });
}

/** What `results.<id>` is of a stage that leaves one result for each item of a list. */
export function itemResultsShape(item: Shape, maxItems?: number): Shape {
  return list(
    object({
      key: text,
      item,
      task: text,
      ok: boolean,
      reason: text,
      answer: answer(anything),
      text,
      value: anything,
    }),
    maxItems,
  );
}

/** The most items of the lists in the state, where they are known. */
export type ListBounds = Readonly<Partial<Record<"plan.steps" | "candidates" | "lessons", number>>>;

/** The shape of the state that expressions and templates see; total, so that every path can be checked. */
export function stateShape(known: {
  readonly inputs: Shape;
  /** Of `answer.value`; `any` without declared fields. */
  readonly value: Shape;
  /** Of `results.<id>`, by id. */
  readonly results: Readonly<Record<string, Shape>>;
  readonly bounds?: ListBounds;
}): ObjectShape {
  const { inputs, value, results, bounds = {} } = known;
  return object({
    task,
    inputs,
    plan: plan(bounds["plan.steps"]),
    observations: list(observation),
    answer: answer(value),
    verdict,
    candidates: list(candidate, bounds.candidates),
    lessons: list(lesson, bounds.lessons),
    results: object(results),
  });
}

/** What the expressions of a tool's policy see; those of a stage also what the slots around it bind. */
export function policyShape(
  args: Shape,
  inputs: Shape,
  bound: Readonly<Record<string, Shape>> = {},
): ObjectShape {
  return object({ ...bound, args, inputs, task });
}

/** What the templates of the task see. */
export function taskShape(inputs: Shape): ObjectShape {
  return object({ inputs });
}
