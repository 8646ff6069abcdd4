import type {
  Answer,
  CheckContext,
  CheckResult,
  Observation,
  RunState,
  Task,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { evidence } from "./evidence.ts";

const order: Observation = {
  id: "o1",
  tool: "orders/query",
  input: { orderId: "A20260824001" },
  ok: true,
  degraded: false,
  content:
    '{"order":"A20260824001","status":"in transit","shipped":"2026-08-24","total":"1,234.50","note":"said \\"leave at door\\""}',
};
const failed: Observation = {
  id: "o2",
  tool: "weather",
  input: {},
  ok: false,
  degraded: false,
  content: "timeout of B777",
};
const task: Task = {
  text: "Where is my parcel?",
  inputs: { orderId: "C555" },
  mission: "",
  deliverable: "",
  constraints: [],
};

function check(
  answer: Partial<Answer>,
  observations: readonly Observation[] = [order, failed],
): CheckResult {
  const run = evidence.run as unknown as (
    state: RunState,
    context: CheckContext,
    options: unknown,
  ) => CheckResult;
  const whole = {
    text: "",
    reasoning: "",
    value: null,
    evidence: ["o1"],
    solvable: true,
    ...answer,
  };
  return run({ answer: whole, observations, task } as unknown as RunState, {} as CheckContext, {});
}
const detailsOf = (answer: Partial<Answer>) => check(answer).issues.map(({ detail }) => detail);

describe("evidence", () => {
  it("passes an answer whose claims stand in what it cites or in the task", () => {
    const result = check({
      text: 'Order A20260824001 (yours: C555) is "in transit" since Aug 24, 2026; total 1234.5. You said “Leave at door.”',
    });
    expect(result).toStrictEqual({ issues: [], supportedEvidence: ["o1"], unchecked: [] });
  });

  it.each([
    [
      "It left on 25 August 2026.",
      'The date "25 August 2026" stands in no cited observation and not in the task.',
    ],
    [
      "Order A20260824002 is on its way.",
      '"A20260824002" stands in no cited observation and not in the task.',
    ],
    ["Order A2026 is on its way.", '"A2026" stands in no cited observation and not in the task.'],
    [
      'The status is "delivered".',
      'The quotation "delivered" stands in no cited observation and not in the task.',
    ],
    [
      "状态为“已签收”。",
      'The quotation "已签收" stands in no cited observation and not in the task.',
    ],
    ["Flight B777 is late.", '"B777" stands in no cited observation and not in the task.'],
  ])("reports what no source says: %s", (text, detail) => {
    expect(check({ text }).issues).toMatchObject([
      { kind: "unsupported-claim", detail, needs: "evidence" },
    ]);
  });

  it("leaves unknown numbers to the judge", () => {
    const result = check({ text: "It costs 1,234.50 and weighs 12.5 kg in 3 boxes of 40." });
    expect(result.issues).toStrictEqual([]);
    expect(result.unchecked).toStrictEqual([
      "The answer says 12.5; no cited observation and no part of the task says this number. Does it follow from them?",
      "The answer says 40; no cited observation and no part of the task says this number. Does it follow from them?",
    ]);
  });

  it("looks into the strings of a typed answer, not at its keys", () => {
    const value = { reply: 'It is "in transit".', id: "Z99999" };
    expect(detailsOf({ text: JSON.stringify(value), value })).toStrictEqual([
      '"Z99999" stands in no cited observation and not in the task.',
    ]);
  });

  it("wants a citation, and one that holds", () => {
    expect(check({ text: "It is on its way.", evidence: [] })).toMatchObject({
      issues: [
        {
          detail: 'The answer "It is on its way." cites no observation.',
          requiredAction: expect.stringContaining("there are o1"),
          needs: "evidence",
        },
      ],
      supportedEvidence: [],
    });
    expect(detailsOf({ text: "Rain.", evidence: ["o2"] })).toStrictEqual([
      'The answer cites "o2", a call of weather that failed: "timeout of B777"; it supports nothing.',
    ]);
    expect(check({ text: "On its way.", evidence: ["o1", "o2", "o9"] })).toMatchObject({
      issues: [{ detail: expect.stringContaining('"o9"') }],
      supportedEvidence: ["o1"],
    });
    expect(check({ text: "x", evidence: [] }, []).issues[0]?.requiredAction).toBe(
      "Call a tool that shows it, then cite the observation's id.",
    );
  });

  it("leaves a failed observation beside a good one to the judge: the answer may report the failure", () => {
    const result = check({
      text: "It is on its way; the weather is not known.",
      evidence: ["o1", "o2"],
    });
    expect(result.issues).toStrictEqual([]);
    expect(result.supportedEvidence).toStrictEqual(["o1"]);
    expect(result.unchecked).toStrictEqual([
      expect.stringContaining('cites "o2", a call of weather that failed'),
    ]);
  });

  it("asks nothing of an answer that says there is none", () => {
    expect(
      check({ text: "No order 2026-01-01 X12345.", evidence: [], solvable: false }),
    ).toStrictEqual({ issues: [], supportedEvidence: [] });
  });
});
