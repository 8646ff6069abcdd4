import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const asking = Array.from({ length: 6 }, () => calling("status", "order"));

describe("a tool that polls", () => {
  it("may be asked for the same thing again and again", async () => {
    const run = await runScripted(
      "tools: { status: { polls: true } }\nstrategy: { react: { maxSteps: 8 } }\n",
      [...asking, "shipped"],
      { plugins: [toolOf("status", () => "waiting")] },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(run.outcome.state.observations.map(({ content }) => content)).toEqual(
      asking.map(() => "waiting"),
    );
  });

  it("is a loop where it does not say so", async () => {
    const run = await runScripted(
      "tools: [status]\nstrategy: { react: { maxSteps: 8 } }\n",
      [...asking, "shipped"],
      { plugins: [toolOf("status", () => "waiting")] },
    );
    expect(run.outcome.outcome).toBe("limited");
  });
});

describe("a reason for approval", () => {
  it("is what the person reads", async () => {
    const reasons: unknown[] = [];
    await runScripted(
      "tools: { ship: { reason: It costs money. } }\nstrategy: react\n",
      [calling("ship", "nut"), "done"],
      {
        plugins: [toolOf("ship", () => "out", "once")],
        onRun: (live) =>
          live.on("approval.requested", (event) => {
            const { id, reason } = event.data as { readonly id: string; readonly reason: string };
            reasons.push(reason);
            setImmediate(() => live.respond(id, { approved: true }));
          }),
      },
    );
    expect(reasons).toEqual(["It costs money."]);
  });
});
