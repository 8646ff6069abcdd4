import { OrderDatabase } from "@acme/loopwright-orders";
import { type PersonReply, provide, type Run } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import type { SpecRun } from "../run-spec.ts";
import { builtIn } from "./example-specs.ts";
import { type OrderDesk, openOrderDesk, orderTools } from "./order-desk-run.ts";
import { dataOf, runExample } from "./run-example.ts";

const ORDER = "A20260824002";

let desk: OrderDesk;
beforeEach(async () => {
  desk = await openOrderDesk();
});
afterEach(() => desk.close());

function run(reply: PersonReply, set: readonly { path: string; value: unknown }[] = []) {
  const onRun = (live: Run) => {
    live.on("approval.requested", () => {
      for (const { id } of live.pending()) live.respond(id, reply);
    });
  };
  return runExample("refund-desk.yaml", {
    plugins: [...builtIn, orderTools],
    services: [provide(OrderDatabase, desk.orders)],
    input: {
      task: "The jacket comes too late. Please send my money back.",
      inputs: { orderId: ORDER },
    },
    compile: { overrides: [...desk.overrides, ...set] as OrderDesk["overrides"] },
    onRun,
  });
}

const callsOf = ({ events }: SpecRun): readonly string[] =>
  eventNames(events).filter((name) => /^(?:approval|tool-call|observation)/.test(name));

const LOOKED_UP = [
  "tool-call.start orders/query",
  "tool-call.end orders/query",
  "observation.recorded",
  "tool-call.start orders/refund-order",
];

describe("a desk with a tool for refunds", () => {
  it("sends money back once a person agrees, and rests its reply on that", async () => {
    const ended = await run({ approved: true });
    expect(ended.outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { reply: expect.stringContaining("98.50 EUR") as string, refunded: true },
      answer: { evidence: ["observation-1", "observation-2"] },
    });
    expect(callsOf(ended)).toEqual([
      ...LOOKED_UP,
      "approval.requested",
      "approval.given",
      "tool-call.end orders/refund-order",
      "observation.recorded",
    ]);
    expect(dataOf(ended.events, "approval.requested")).toMatchObject([
      { tool: "orders/refund-order", input: { orderId: ORDER, amountCents: 9850 } },
    ]);
    expect(await desk.orders.findRefund(ORDER)).toMatchObject({ amountCents: 9850 });
    expect(unbalanced(ended.events)).toEqual([]);
  });

  it("sends nothing where a person denies it, and a rule takes back that it did", async () => {
    const ended = await run({ approved: false, reason: "ask the warehouse first" });
    expect(dataOf(ended.events, "verdict.given")).toMatchObject([
      { outcome: "revise", issues: [{ kind: "missed-constraint" }] },
      { outcome: "pass", issues: [] },
    ]);
    expect(ended.outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { reply: expect.stringContaining("did not approve") as string, refunded: false },
    });
    expect(dataOf(ended.events, "lesson.learned")).toHaveLength(1);
    expect(await desk.orders.findRefund(ORDER)).toBeUndefined();
    expect(unbalanced(ended.events)).toEqual([]);
  });

  it("asks nobody above the bound: the call is refused", async () => {
    const bound = {
      path: "tools.orders/refund-order.deny",
      value: { when: "args.amountCents > 9000" },
    };
    const ended = await run({ approved: true }, [bound]);
    expect(callsOf(ended)).not.toContain("approval.requested");
    expect(ended.outcome).toMatchObject({ verified: "pass", value: { refunded: false } });
    expect(await desk.orders.findRefund(ORDER)).toBeUndefined();
  });
});
