import { Clock, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { testClock } from "../test-clock.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { dataOf } from "../specs/run-example.ts";

const TASK =
  "task: { text: Write a reply., constraints: [Be polite to the customer., Never promise a refund.] }\n";
const RUDE = "Shut up, you idiot. You get a full refund.";
const PASS = { json: { outcome: "pass", issues: [], supportedEvidence: [] } };

describe("constraints that no rule decides", () => {
  it("leave an answer unverified where nobody judges", async () => {
    const { outcome, events } = await runScripted(
      `${TASK}strategy: [direct, { verify: { checks: [constraints], model: none } }]\n`,
      [RUDE],
    );
    expect(outcome).toMatchObject({ outcome: "done", verified: "none" });
    expect(dataOf(events, "verdict.given")).toEqual([]);
    const unchecked = ["Be polite to the customer.", "Never promise a refund."];
    expect(dataOf(events, "fact.told")).toEqual([
      { fact: "answer.unchecked", data: { unchecked } },
    ]);
  });

  it("never pass a revision that a check asked for", async () => {
    const mixed = TASK.replace("[Be", "[At most 5 words., Be");
    const revise = "{ refine: { model: default } }";
    const { outcome } = await runScripted(
      `${mixed}strategy: [direct, { verify: { checks: [constraints], model: none, revise: ${revise} } }]\n`,
      [RUDE, "Pay nothing."],
    );
    expect(outcome.verified).toBe("stale");
  });

  it("are the judge's where there is one", async () => {
    const { outcome, events } = await runScripted(
      `${TASK}strategy: [direct, { verify: { checks: [constraints] } }]\n`,
      ["Thank you for writing.", PASS],
    );
    expect(outcome.verified).toBe("pass");
    expect(dataOf(events, "fact.told")).toEqual([]);
  });
});

it("a number that no observation holds leaves an answer unverified where nobody judges", async () => {
  const { outcome } = await runScripted(
    "tools: [stock]\nstrategy: [react, { verify: { checks: [evidence], model: none } }]\n",
    [calling("stock", "nut"), "There are 1234 nuts [observation-1]."],
    { plugins: [toolOf("stock", () => "4 nuts")] },
  );
  expect(outcome.verified).toBe("none");
});

describe("a question with options whose run goes on without a reply", () => {
  const ask = (rest: string) => {
    const clock = testClock();
    return runScripted(
      `strategy: [{ ask: { question: Which?, options: [a, b], timeout: 10s, onTimeout: continue${rest} } }, direct]\n`,
      ["Done."],
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("question.asked", () => setImmediate(() => void clock.advance(10_000))),
      },
    );
  };

  it("tells the reply that counts", async () => {
    const { events } = await ask(", default: b");
    const told = { fact: "reply.stood-in", data: { reply: "b" } };
    expect(dataOf(events, "fact.told")).toEqual([told]);
  });

  it("takes no default that is no option", async () => {
    await expect(ask(", default: c")).rejects.toThrow("`c` is none of the `options`");
  });
});
