import { asNullable, type ObjectShape, type Shape } from "../spec/text/shape.ts";

const text: Shape = { kind: "text" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };
const anything: Shape = { kind: "any" };

function list(of: Shape): Shape {
  return { kind: "list", of };
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
  constraints: list(object({ id: text, text })),
});

const plan: ObjectShape = object({
  goal: text,
  constraints: list(text),
  conflicts: list(text),
  hasConflicts: boolean,
  steps: list(
    object({
      id: text,
      objective: text,
      needsExternalInfo: boolean,
      successCondition: text,
      dependsOn: list(text),
      status: oneOf("open", "done", "failed"),
      evidence: list(text),
    }),
  ),
});

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

/** The shape of the state that expressions and templates see; total, so that every path can be checked. */
export function stateShape(known: {
  readonly inputs: Shape;
  /** Of `answer.value`; `any` without declared fields. */
  readonly value: Shape;
  readonly stages: readonly string[];
}): ObjectShape {
  const result = object({
    ran: boolean,
    outcome: oneOf("none", "done", "failed", "limited", "skipped"),
    text,
    value: anything,
    answer: answer(anything),
    answered: boolean,
    reply: text,
  });
  return object({
    task,
    inputs: known.inputs,
    plan,
    observations: list(observation),
    answer: answer(known.value),
    verdict,
    candidates: list(candidate),
    lessons: list(lesson),
    results: object(Object.fromEntries(known.stages.map((id) => [id, result]))),
  });
}

/** What the expressions of a tool's policy see. */
export function policyShape(args: Shape, inputs: Shape): ObjectShape {
  return object({ args, inputs, task });
}

/** What the templates of the task see. */
export function taskShape(inputs: Shape): ObjectShape {
  return object({ inputs });
}
