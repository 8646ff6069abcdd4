import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, runExample } from "./run-example.ts";

describe("three days in Beijing without getting wet", () => {
  it("makes another plan when the forecast says rain, and keeps the Wall off that day", async () => {
    const { outcome, events } = await runExample("beijing-days.yaml");
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: {
        friday: "Great Wall at Mutianyu",
        saturday: "National Museum",
        sunday: "Summer Palace",
      },
    });
    expect(dataOf(events, "plan.made")).toMatchObject([
      { plan: { steps: [{}, {}, { objective: "Put the Great Wall on Saturday." }, {}] } },
    ]);
    expect(dataOf(events, "plan.revised")).toMatchObject([
      { plan: { steps: [{ objective: "Put the Great Wall on Friday." }, {}, {}] } },
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("keeps thoughts out of the evidence", async () => {
    const { outcome } = await runExample("beijing-days.yaml");
    const { observations, answer } = outcome.state;
    expect(observations.map(({ tool, isThought }) => [tool, isThought === true])).toEqual([
      ["read-file", false],
      ["reflection", true],
      ["search-files", false],
      ["reflection", true],
    ]);
    expect(answer.evidence).toEqual(["observation-1", "observation-3"]);
  });

  it("asks for the other plan right after the reflection that wants it", async () => {
    const { events } = await runExample("beijing-days.yaml");
    const told = events.flatMap(({ name, data }) =>
      name === "tool-call.end"
        ? [(data as { tool: string }).tool]
        : name.startsWith("plan.")
          ? [name]
          : [],
    );
    expect(told).toEqual([
      "plan.made",
      "read-file",
      "reflection",
      "plan.revised",
      "search-files",
      "reflection",
    ]);
  });
});
