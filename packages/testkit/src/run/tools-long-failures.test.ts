import { type EventEnvelope, type ToolDefinition, ToolError } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const said = `the shelf is empty ${"x".repeat(5_000_000)} so stop`;

/** A tool that fails with a text of five million characters. */
function shelf(): ToolDefinition {
  return toolOf("shelf", () => {
    throw new ToolError("tool-failed", said);
  });
}

describe("a failure that is told at length", () => {
  it.each([
    ["by default", "tools: [shelf]", 6_000],
    ["where the policy says less", "tools: { shelf: { maxResult: 400 } }", 400],
  ])("is cut in its middle for the model and the log (%s)", async (_, tools, most) => {
    const run = await runScripted(`${tools}\nstrategy: react\n`, [calling("shelf", "a"), "done"], {
      plugins: [shelf()],
    });
    const [observation] = run.outcome.state.observations;
    expect(observation?.content).toMatch(
      /^shelf failed: the shelf is empty x+\n\[cut: \d+ characters left out\]\nx+ so stop$/u,
    );
    expect(observation?.content.length).toBeLessThan(most + 60);
    const end = run.events.find(({ name }) => name === "tool-call.end");
    const { fault } = (end as EventEnvelope<"tool-call.end"> | undefined)?.data ?? {};
    expect(fault?.message).toMatch(/^the shelf is empty x+\n\[cut: .+\]\nx+ so stop$/u);
    expect(fault?.message.length).toBeLessThan(2_060);
    expect(JSON.stringify(run.requests.at(-1)).length).toBeLessThan(most + 10_000);
  });

  it("is cut before what stands in for it is told", async () => {
    const run = await runScripted(
      "tools: { shelf: { fallback: store }, store: {} }\nstrategy: react\n",
      [calling("shelf", "a"), "done"],
      { plugins: [shelf(), toolOf("store", () => "in the store")] },
    );
    const [observation] = run.outcome.state.observations;
    expect(observation?.content.length).toBeLessThan(13_000);
    expect(JSON.stringify(run.events).length).toBeLessThan(200_000);
  });

  it("is as it was where it is short", async () => {
    const run = await runScripted(
      "tools: [ship]\nstrategy: react\n",
      [calling("ship", "a"), "done"],
      {
        plugins: [
          toolOf("ship", () => {
            throw new Error("no ship");
          }),
        ],
      },
    );
    expect(run.outcome.state.observations.map(({ content }) => content)).toEqual([
      "ship failed: no ship",
    ]);
  });
});
