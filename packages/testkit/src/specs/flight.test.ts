import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, replying, runExample } from "./run-example.ts";

describe("the cheapest direct flight, where cheap and direct contradict each other", () => {
  it("asks with the price of each wish", async () => {
    const { events } = await runExample("flight.yaml", { onRun: replying("direct") });
    const [asked] = dataOf(events, "question.asked");
    expect(asked?.question).toMatch(/389 \(EX117.*one stop \(EX205, for 198\)/s);
    expect(asked?.options).toEqual(["direct", "cheap"]);
  });

  it.each([
    ["direct", { flight: "EX117", price: 389, givenUp: "less than 250" }],
    ["cheap", { flight: "EX205", price: 198, givenUp: "direct" }],
  ])("takes the reply %s for the next plan, and says what was given up", async (reply, value) => {
    const { outcome, events } = await runExample("flight.yaml", { onRun: replying(reply) });
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value,
      answer: { evidence: ["observation-1"] },
    });
    expect(dataOf(events, "plan.made")).toMatchObject([
      { plan: { conflicts: [expect.stringContaining("389")] } },
    ]);
    expect(dataOf(events, "plan.revised")).toMatchObject([{ plan: { conflicts: [] } }]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("stops with what it knows where nobody replies", async () => {
    const onRun = (run: Parameters<ReturnType<typeof replying>>[0]) =>
      run.on("question.asked", () => {
        for (const { id } of run.pending()) run.respond(id, { answered: false });
      });
    const { outcome, events } = await runExample("flight.yaml", { onRun });
    expect(outcome).toMatchObject({
      outcome: "done",
      reason: expect.stringContaining("Nobody replied") as string,
    });
    expect(dataOf(events, "plan.revised")).toEqual([]);
  });
});
