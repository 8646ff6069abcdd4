import { readFile } from "node:fs/promises";
import type { EventData, EventName, PersonReply, Run, RunEvent } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { type OrderDesk, openOrderDesk } from "./order-desk-run.ts";

const PARCEL = "Where is my parcel?";
const MOVED = "Please send it to my new address: 12 Example Street, 00012 Leeds, GB.";
const NEW_ADDRESS = {
  street: "12 Example Street",
  postalCode: "00012",
  city: "Leeds",
  country: "GB",
};

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

const storyOf = (events: readonly RunEvent[]): readonly string[] =>
  eventNames(events, { without: ["model-call.delta"] });

const factsOf = <N extends EventName>(
  events: readonly RunEvent[],
  name: N,
): readonly EventData[N][] =>
  events.filter((event) => event.name === name).map((event) => event.data as EventData[N]);

describe("a parcel without a promised date", () => {
  it("is answered wrong, caught, mended, and leaves a lesson", async () => {
    const { outcome, events } = await desk.run("A20260824001", PARCEL);
    expect(storyOf(events)).toEqual(
      [
        "run.start",
        "stage.start recall",
        "lessons.recalled",
        "stage.end recall",
        ["stage.start plan-and-solve", "model-call.start", "model-call.end", "plan.made"],
        ["stage.start react", ...LOOK_UP, ...ANSWER, "stage.end react"],
        "stage.end plan-and-solve",
        ["stage.start verify", "verdict.given"],
        ["stage.start refine", "model-call.start", "model-call.end", "answer.revised"],
        "stage.end refine",
        ["stage.start more-evidence", ...LOOK_UP, ...REVISE, "stage.end more-evidence"],
        ["model-call.start", "model-call.end", "verdict.given", "stage.end verify"],
        ["stage.start reflect", "model-call.start", "model-call.end", "lesson.learned"],
        "stage.end reflect",
        "run.end",
      ].flat(),
    );
    expect(unbalanced(events)).toEqual([]);
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { reply: expect.stringContaining("can't promise a day"), addressChanged: false },
      spending: { modelCalls: 8, toolCalls: 2, usd: 0 },
    });
    expect(factsOf(events, "verdict.given")).toMatchObject([
      {
        outcome: "revise",
        answerRevision: 1,
        issues: [
          {
            kind: "unsupported-claim",
            detail: expect.stringContaining("2026-08-28"),
            needs: "evidence",
          },
        ],
      },
      { outcome: "pass", answerRevision: 3, issues: [] },
    ]);
  });

  it("is answered right at once by a second run, which recalls the lesson", async () => {
    const first = await desk.run("A20260824001", PARCEL);
    const learned = factsOf(first.events, "lesson.learned")[0]?.lesson;
    const { outcome, events } = await desk.run("A20260824001", PARCEL);
    expect(storyOf(events)).toEqual(
      [
        "run.start",
        "stage.start recall",
        "lessons.recalled",
        "stage.end recall",
        ["stage.start plan-and-solve", "model-call.start", "model-call.end", "plan.made"],
        ["stage.start react", ...LOOK_UP, ...ANSWER, "stage.end react"],
        "stage.end plan-and-solve",
        ["stage.start verify", "model-call.start", "model-call.end", "verdict.given"],
        "stage.end verify",
        ["stage.start reflect", "stage.end reflect"],
        "run.end",
      ].flat(),
    );
    expect(unbalanced(events)).toEqual([]);
    expect(factsOf(events, "lessons.recalled")).toMatchObject([
      { memory: "lessons", lessons: [{ id: learned?.id, lesson: learned?.lesson }] },
    ]);
    expect(factsOf(events, "stage.end").at(-1)).toMatchObject({ outcome: "skipped" });
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { reply: expect.stringContaining("has not named a delivery day") },
      spending: { modelCalls: 4, toolCalls: 1 },
    });
  });

  it("leaves a log that holds the same events", async () => {
    const { events } = await desk.run("A20260824001", PARCEL);
    const log = await readFile(desk.logOf(events[0]?.runId ?? ""), "utf8");
    const lines = log.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(events);
  });
});

it("says that an order does not exist instead of inventing one", async () => {
  const { outcome, events } = await desk.run("A20260824999", PARCEL);
  expect(unbalanced(events)).toEqual([]);
  expect(factsOf(events, "observation.recorded")).toMatchObject([
    { content: expect.stringContaining("no order A20260824999 exists"), ok: true },
  ]);
  expect(outcome).toMatchObject({
    outcome: "done",
    verified: "pass",
    value: { reply: expect.stringContaining("I find no order A20260824999") },
    answer: { evidence: ["observation-1"] },
  });
});

it("names a date where a tool returned it", async () => {
  const { outcome } = await desk.run("A20260824002", PARCEL);
  expect(outcome).toMatchObject({
    verified: "pass",
    value: { reply: expect.stringContaining("2026-08-29") },
  });
});

describe("a change of the address", () => {
  const decide = (reply: PersonReply) => (run: Run) => {
    run.on("approval.requested", () => {
      for (const { id } of run.pending()) run.respond(id, reply);
    });
  };

  it("happens when a person approves it", async () => {
    const onRun = decide({ approved: true });
    const { outcome, events } = await desk.run("A20260824002", MOVED, { onRun });
    expect(unbalanced(events)).toEqual([]);
    expect(
      storyOf(events).filter((name) => /^(approval|tool-call|observation)/.test(name)),
    ).toEqual([
      "tool-call.start orders/query",
      "tool-call.end orders/query",
      "observation.recorded",
      "tool-call.start orders/update-address",
      "approval.requested",
      "approval.given",
      "tool-call.end orders/update-address",
      "observation.recorded",
    ]);
    expect(factsOf(events, "approval.requested")).toMatchObject([
      { tool: "orders/update-address", input: { orderId: "A20260824002", address: NEW_ADDRESS } },
    ]);
    expect(factsOf(events, "approval.given")).toMatchObject([{ approved: true, by: "person" }]);
    expect(outcome).toMatchObject({ verified: "pass", value: { addressChanged: true } });
    expect((await desk.orders.findOrder("A20260824002"))?.address).toEqual(NEW_ADDRESS);
  });

  it("does not happen when a person denies it, and the reply says so", async () => {
    const onRun = decide({ approved: false, reason: "not without the caller's date of birth" });
    const { outcome, events } = await desk.run("A20260824002", MOVED, { onRun });
    expect(unbalanced(events)).toEqual([]);
    expect(factsOf(events, "approval.given")).toMatchObject([
      { approved: false, by: "person", reason: "not without the caller's date of birth" },
    ]);
    expect(factsOf(events, "observation.recorded").at(-1)).toMatchObject({
      ok: false,
      content: expect.stringContaining("not without the caller's date of birth"),
    });
    expect(outcome).toMatchObject({ outcome: "done", value: { addressChanged: false } });
    expect((await desk.orders.findOrder("A20260824002"))?.address.city).toBe("Porto");
  });

  it("does not happen where nobody can be asked", async () => {
    const settings = { isPersonPresent: false };
    const { outcome, events } = await desk.run("A20260824002", MOVED, { settings });
    expect(unbalanced(events)).toEqual([]);
    expect(factsOf(events, "approval.given")).toMatchObject([
      { approved: false, by: "no-terminal" },
    ]);
    expect(outcome).toMatchObject({ outcome: "done", value: { addressChanged: false } });
    expect((await desk.orders.findOrder("A20260824002"))?.address.city).toBe("Porto");
  });
});

const LOOK_UP: readonly string[] = [
  "step.start",
  "model-call.start",
  "model-call.end",
  "thought.given",
  "tool-call.start orders/query",
  "tool-call.end orders/query",
  "observation.recorded",
  "step.end",
];
const ANSWER: readonly string[] = [
  "step.start",
  "model-call.start",
  "model-call.end",
  "answer.given",
  "step.end",
];
const REVISE: readonly string[] = ANSWER.with(3, "answer.revised");
