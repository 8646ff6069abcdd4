import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, runExample } from "./run-example.ts";

describe("umbrellas for five people in the rain", () => {
  it("looks up the weather, counts the people, and buys for those who have none", async () => {
    const { outcome, events } = await runExample("umbrellas.yaml");
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { rain: true, people: 5, owned: 2, buy: 3 },
      answer: { evidence: ["observation-1", "observation-2", "observation-3"], by: "refine" },
    });
    expect(
      outcome.state.observations.map(({ tool, content }) => [tool, content.length > 0]),
    ).toEqual([
      ["read-file", true],
      ["read-file", true],
      ["calculator", true],
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("takes an umbrella too many for a missed hard constraint, without a model", async () => {
    const { events } = await runExample("umbrellas.yaml");
    expect(dataOf(events, "answer.given")).toMatchObject([{ value: { buy: 5 } }]);
    expect(dataOf(events, "verdict.given")).toMatchObject([
      { outcome: "revise", issues: [{ kind: "missed-constraint" }] },
      { outcome: "pass" },
    ]);
    const judged = events.filter(
      (event) => event.name === "model-call.start" && event.stage === "verify",
    );
    expect(judged).toEqual([]);
  });

  it("plans before it looks anything up", async () => {
    const { events } = await runExample("umbrellas.yaml");
    const names = events.map(({ name }) => name);
    expect(names.indexOf("plan.made")).toBeGreaterThan(0);
    expect(names.indexOf("plan.made")).toBeLessThan(names.indexOf("tool-call.start"));
    expect(dataOf(events, "plan.made")).toMatchObject([
      {
        plan: {
          constraints: ["In rain everybody who comes has an umbrella; nobody gets a second one."],
          steps: [{ id: "step-1" }, { id: "step-2" }, { dependsOn: ["step-1", "step-2"] }],
        },
      },
    ]);
  });
});
