import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { dataOf, runExample } from "./run-example.ts";

const run = () => runExample("market-report.yaml");

describe("a market report with parallel sections", () => {
  it("joins a section for each step of the plan, and rests on what was read", async () => {
    const { outcome, events } = await run();
    expect(outcome).toMatchObject({ outcome: "done", verified: "pass" });
    expect(outcome.answer.text.match(/^## .*/gm)).toEqual([
      "## Demand",
      "## Suppliers",
      "## Rules",
      "## Outlook",
    ]);
    expect(outcome.answer.evidence).toEqual(
      ["item:1", "item:2", "item:3"].map((item) => `${item}.observation-1`),
    );
    expect(outcome.state.results["sections"]?.items?.map(({ ok }) => ok)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("writes free sections at one time, and the outlook after those that it depends on", async () => {
    const { events } = await run();
    const keys = events.flatMap(({ name, stage, key }) =>
      stage === "section" && (name === "stage.start" || name === "stage.end")
        ? [`${/item:\d/.exec(key)?.[0]} ${name}`]
        : [],
    );
    expect(keys.slice(0, 3).toSorted()).toEqual([
      "item:1 stage.start",
      "item:2 stage.start",
      "item:3 stage.start",
    ]);
    const outlook = keys.indexOf("item:4 stage.start");
    expect(outlook).toBeGreaterThan(keys.indexOf("item:1 stage.end"));
    expect(outlook).toBeGreaterThan(keys.indexOf("item:3 stage.end"));
  });

  it("tells the outlook what demand and rules came to", async () => {
    const { events } = await run();
    const asked = events.flatMap((event) =>
      event.name === "model-call.start" && event.key.includes("item:4")
        ? [event.data.messages]
        : [],
    );
    expect(JSON.stringify(asked)).toMatch(/55,000 e-bikes were sold/);
    expect(JSON.stringify(asked)).toMatch(/The grant of 300 ends in June 2026/);
  });

  it("makes one plan", async () => {
    const { events } = await run();
    expect(dataOf(events, "plan.made")).toHaveLength(1);
    expect(dataOf(events, "plan.revised")).toEqual([]);
  });
});
