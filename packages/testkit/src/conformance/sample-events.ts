import type { EventData, EventName, RunEvent, Usage } from "@loopwright/core/plugin";
import { deepFreeze } from "./deep-freeze.ts";

const usage: Usage = { input: 20, cacheRead: 5, cacheWrite: 0, output: 8, reasoning: 2 };
const spending = { modelCalls: 1, toolCalls: 1, usage, usd: 0 };
const fault = { code: "tool-failed", message: "the parcel service is closed" };
const plan = { goal: "find the parcel", constraints: [], conflicts: [], steps: [] };
const issue = {
  kind: "incomplete",
  detail: "the carrier is missing",
  requiredAction: "name the carrier",
  needs: "rewrite",
} as const;
const lesson = {
  id: "lesson-1",
  trigger: "a parcel",
  failurePattern: "the carrier was left out",
  lesson: "name the carrier",
  avoid: "",
  source: "run-0",
  time: "2026-08-24T00:00:00.000Z",
  scope: "sample",
  uses: 0,
};
const answer = { text: "The parcel is at the carrier.", value: null, evidence: [], solvable: true };
const given = { ...answer, revision: 1, by: "react" };
const tool = { tool: "orders/query", callId: "call-1" };
const call = { id: "call-1", name: "orders_query", arguments: '{"orderId":"A1"}' };

/** Every event of the catalogue once, in the order of a run; a name that is missing does not compile. */
const DATA: EventData = {
  "run.start": { spec: "sample", version: "1", programHash: "0f", task: "Where?", inputs: {} },
  "lessons.recalled": { memory: "lessons", lessons: [lesson] },
  "stage.start": { strategy: "react", path: "strategy" },
  "plan.made": { plan },
  "plan.revised": { plan },
  "plan-step.ended": {
    step: "step-1",
    status: "done",
    evidence: ["observation-1"],
    because: "the order was found",
  },
  "thought.given": { text: "The order must be looked up first.", isEvidence: false },
  "choice.made": {
    chosen: "orders/query",
    considered: [{ option: "web-search", reason: "orders are not on the web" }],
  },
  "tools.unlisted": { set: "orders", message: "the server closed the connection" },
  "tools.noted": { set: "orders", message: "the server prints what is no message" },
  "tool.dropped": { set: "orders", tool: "odd", reason: "its input schema can't be used" },
  "tools.listed": {
    set: "orders",
    tools: [{ name: "orders/query", effect: "read" }],
    dropped: 1,
  },
  "step.start": { index: 1, max: 3 },
  "model-call.start": {
    model: "stub/stub",
    voice: "default",
    messages: [{ role: "user", text: "Where?" }],
    messagesBefore: 0,
    tools: ["orders_query"],
    requestHash: "0f",
  },
  "model-call.delta": { kind: "text", text: "I look it up." },
  "model-call.end": {
    model: "stub/stub",
    outcome: "done",
    text: "I look it up.",
    reasoning: "The order tells.",
    toolCalls: [call],
    finishReason: "tool-calls",
    usage,
    usd: 0,
    durationMs: 12,
  },
  "output.repaired": { repairs: ["closed a bracket"] },
  "output.rejected": { code: "output-invalid", message: "no JSON", attempt: 1, attempts: 2 },
  "call.retried": {
    model: "stub/stub",
    nextModel: "stub/other",
    fault,
    attempt: 1,
    attempts: 3,
    waitMs: 1_000,
  },
  "call.delayed": { model: "stub/stub", reason: "requests", waitMs: 1_000 },
  "breaker.opened": { model: "stub/stub", failures: 5, restMs: 30_000 },
  "constraint.lowered": {
    model: "stub/stub",
    from: "json-schema",
    to: "json-mode",
    reason: "the endpoint does not know response_format",
  },
  "constraint.loosened": {
    model: "stub/stub",
    schema: "answer",
    dialect: "mfjs",
    parts: ["pattern at code"],
  },
  "output.dead-lettered": { file: "letters.jsonl", code: "output-invalid", attempts: 2 },
  "tool-call.start": { ...tool, arguments: '{"orderId":"A1"}' },
  "approval.requested": {
    id: "a-1",
    tool: "orders/query",
    input: {},
    reason: "it asks",
    expiresMs: 600_000,
  },
  "approval.given": {
    id: "a-1",
    tool: "orders/query",
    approved: true,
    by: "person",
    reason: "",
    input: { orderId: "A1" },
  },
  "effect.stubbed": { tool: "orders/query", input: {} },
  "tool-call.end": { ...tool, outcome: "failed", cached: false, durationMs: 3, fault },
  "observation.recorded": {
    id: "observation-1",
    tool: "orders/query",
    input: { orderId: "A1" },
    content: "found: true",
    ok: true,
    degraded: false,
  },
  "injection.suspected": {
    tool: "orders/query",
    observation: "observation-1",
    kinds: ["override"],
  },
  "tool.retried": { tool: "orders/query", fault, attempt: 1, attempts: 3, waitMs: 1_000 },
  "tool.delayed": { tool: "orders/query", reason: "rate", waitMs: 2_000 },
  "tool.rested": { tool: "orders/query", failures: 3, restMs: 30_000 },
  "arguments.normalized": {
    tool: "orders/query",
    callId: "call-1",
    changes: [{ path: "city", from: "Shanghai, China", to: "Shanghai" }],
  },
  "loop.detected": { tool: "orders/query", times: 3, measure: "hint" },
  "question.asked": { id: "q-1", question: "Which parcel?", options: ["A1", "A2"] },
  "question.answered": { id: "q-1", answered: true, reply: "A1", by: "person" },
  "step.end": { index: 1, outcome: "done" },
  "answer.given": given,
  "answer.revised": { ...given, revision: 2 },
  "verdict.given": { outcome: "revise", issues: [issue], answerRevision: 2 },
  "vote.counted": { votes: [{ answer: "A1", count: 2 }], winner: "A1", samples: 2, counted: 2 },
  "lesson.learned": { memory: "lessons", lesson },
  "lesson.refused": { memory: "lessons", lesson: "name it", reason: "it is kept already" },
  "memory.failed": { memory: "lessons", code: "memory-failed", message: "the disk is full" },
  "fact.told": { fact: "tree.grown", data: { depth: 2 } },
  "stage.end": { strategy: "react", outcome: "done" },
  "switch.changed": {
    switch: "calm",
    isOn: true,
    stages: ["look"],
    tools: [],
    limits: { modelCalls: 9 },
  },
  "message.received": { number: 1, text: "Only nuts, please." },
  "message.shared": { number: 1 },
  "message.missed": { number: 2, text: "And bolts." },
  "limit.reached": { limit: "modelCalls", soft: true, used: 8, max: 10 },
  "sink.failed": { sink: "jsonl", message: "the disk is full" },
  "events.dropped": { sink: "jsonl", count: 2 },
  "run.end": {
    outcome: "done",
    verified: "pass",
    answer: { ...answer, unsolvableReason: "" },
    spending,
    durationMs: 40,
  },
};

/** The text of the answer that ends the sample run. */
export const SAMPLE_ANSWER: string = answer.text;

/** A run that holds every event of the catalogue, deeply frozen, as a sink receives it. */
export function sampleRun(runId = "run-1"): readonly RunEvent[] {
  return (Object.keys(DATA) as EventName[]).map((name, seq) => {
    const noun = name.split(".")[0] ?? name;
    return deepFreeze({
      v: 1,
      id: `${runId}-${seq}`,
      seq,
      time: Date.UTC(2026, 7, 24) + seq,
      runId,
      spanId: `${runId}-${noun}`,
      parentId: noun === "run" ? "" : `${runId}-${noun === "stage" ? "run" : "stage"}`,
      key: noun === "run" ? "run" : "run/react:0",
      stage: noun === "run" ? "" : "react",
      name,
      data: structuredClone(DATA[name]),
    } as RunEvent);
  });
}
