import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, runExample } from "./run-example.ts";

describe("an incident, with tools that only read", () => {
  it("comes to the cause that the checks support", async () => {
    const { outcome, events } = await runExample("incident.yaml");
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { cause: "Release 88 holds connections too long.", rivals: [] },
    });
    expect(unbalanced(events)).toEqual([]);
  });

  it("keeps every rival with what became of it, and that none of them may hold", async () => {
    const { outcome } = await runExample("incident.yaml");
    const ranked = outcome.state.candidates.map(({ text, value }) => [
      text,
      (value as { status: string }).status,
    ]);
    expect(ranked[0]).toEqual(["Release 88 holds connections too long.", "supported"]);
    expect(Object.fromEntries(ranked)).toMatchObject({
      "The database is overloaded.": "refuted",
      "There are many more requests.": "refuted",
    });
    expect(ranked).toHaveLength(4);
  });

  it("makes the check that tells most causes apart, and none twice", async () => {
    const { outcome } = await runExample("incident.yaml");
    expect(
      outcome.state.observations.map(({ tool, input }) => [
        tool,
        (input as { readonly text: string }).text,
      ]),
    ).toEqual([
      ["metrics", "database.cpu"],
      ["logs", "connections"],
      ["metrics", "checkout.requests"],
    ]);
  });

  it("never sees the tool that changes something", async () => {
    const { events } = await runExample("incident.yaml");
    expect(dataOf(events, "tool-call.start").map(({ tool }) => tool)).not.toContain("rollback");
    const prompts = JSON.stringify(dataOf(events, "model-call.start"));
    expect(prompts).toContain("metrics");
    expect(prompts).not.toContain("rollback");
  });
});
