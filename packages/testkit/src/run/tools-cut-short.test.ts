import { Clock, provide } from "@loopwright/core";
import { defineTool, type ToolDefinition, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const never = new Promise<never>(() => undefined);
const three = { calls: [{ name: "ship" }, { name: "hang" }, { name: "look" }] };

function toldContents(run: ScriptedRun): readonly string[] {
  return run.events.flatMap((event) =>
    event.name === "observation.recorded" ? [event.data.content] : [],
  );
}

describe("calls that are cut short", () => {
  const ship = toolOf("ship", () => "shipped", "once");
  const hang = toolOf("hang", () => never, "idempotent");
  const look = toolOf("look", () => never);
  const body = "tools: { ship: { approval: never }, hang: {}, look: {} }\nstrategy: react\n";

  it("by the time limit leave an observation each, told and shown to the conclusion", async () => {
    const clock = testClock();
    const run = await runScripted(`${body}limits: { time: 20s }\n`, [three, "what is known"], {
      plugins: [ship, hang, look],
      services: [provide(Clock, clock)],
      onRun: (live) => {
        let started = 0;
        live.on("tool-call.start", () => {
          started += 1;
          if (started === 3) setImmediate(() => void clock.advance(18_500));
        });
      },
    });
    expect(run.outcome.outcome).toBe("limited");
    const { observations } = run.outcome.state;
    expect(observations).toMatchObject([
      { tool: "ship", ok: true, content: "shipped" },
      { tool: "hang", ok: false },
      { tool: "look", ok: false },
    ]);
    expect(observations[1]?.content).toMatch(/not known whether it took effect/);
    expect(observations[2]?.content).toMatch(/not finished/);
    expect(observations[2]?.content).not.toMatch(/took effect/);
    expect(toldContents(run)).toEqual(observations.map(({ content }) => content));
    const last = JSON.stringify(run.requests.at(-1)?.messages);
    expect(last).toContain("shipped");
    expect(last).toContain("not known whether it took effect");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("by an abort keep what was executed", async () => {
    const run = await runScripted(body, [three], {
      plugins: [ship, hang, look],
      onRun: (live) => {
        live.on("tool-call.end", ({ data }) => {
          if (data.tool === "ship") setImmediate(() => live.abort("enough"));
        });
      },
    });
    expect(run.outcome.outcome).toBe("aborted");
    expect(run.outcome.state.observations.map(({ tool, ok }) => [tool, ok])).toEqual([
      ["ship", true],
      ["hang", false],
      ["look", false],
    ]);
    expect(toldContents(run)).toHaveLength(3);
  });

  it("while a person is asked are said to be not executed", async () => {
    const run = await runScripted("tools: [ship]\nstrategy: react\n", [calling("ship", "nut")], {
      plugins: [ship],
      onRun: (live) =>
        live.on("approval.requested", () => setImmediate(() => live.abort("enough"))),
    });
    expect(run.outcome.state.observations).toMatchObject([
      { tool: "ship", ok: false, content: expect.stringMatching(/^not executed/) as string },
    ]);
  });
});

describe("a tool that takes too long", () => {
  it.each(["once", "idempotent"] as const)(
    "and acts (%s) may have taken effect",
    async (effect) => {
      const clock = testClock();
      const slow = toolOf("slow", () => never, effect);
      const run = await runScripted(
        `tools: { slow: { timeout: 3s, approval: never${effect === "once" ? "" : ", retry: 1"} } }\nstrategy: react\n`,
        [calling("slow", "x"), "ok"],
        {
          plugins: [slow],
          services: [provide(Clock, clock)],
          onRun: (live) =>
            live.on("tool-call.start", () => setImmediate(() => void clock.advance(3_000))),
        },
      );
      const content = run.outcome.state.observations[0]?.content;
      expect(content).toMatch(/did not answer within 3000 ms/);
      expect(content).toMatch(/may have taken effect; do not repeat it without looking/);
      expect(content).not.toMatch(/failed/);
    },
  );
});

describe("what a tool knows about a call", () => {
  it("makes its signal when it is read, aborted where the call is over already", async () => {
    const clock = testClock();
    const seen: { early?: AbortSignal; late?: () => AbortSignal }[] = [];
    const slow = readingTool("slow", seen, never);
    const run = await runScripted(
      "tools: { slow: { timeout: 3s, retry: 1 } }\nstrategy: react\n",
      [calling("slow", "early", "late"), "ok"],
      {
        plugins: [slow],
        services: [provide(Clock, clock)],
        onRun: (live) => {
          let started = 0;
          live.on("tool-call.start", () => {
            started += 1;
            if (started === 2) setImmediate(() => void clock.advance(3_000));
          });
        },
      },
    );
    expect(run.outcome.outcome).toBe("done");
    const [early, late] = seen;
    expect(early?.early?.aborted).toBe(true);
    expect(early?.early).toBe(early?.late?.());
    expect(late?.late?.().aborted).toBe(true);
    expect(String(late?.late?.().reason)).toMatch(/did not answer/);
    expect(clock.timers).toBe(0);
  });

  it("stops following the run once the call is over", async () => {
    const seen: { late?: () => AbortSignal }[] = [];
    const host = new AbortController();
    const quick = readingTool("quick", seen, "done");
    const run = await runScripted(
      "tools: [quick]\nstrategy: react\n",
      [calling("quick", "early")],
      {
        plugins: [quick],
        settings: { signal: host.signal },
        onRun: (live) => live.on("observation.recorded", () => host.abort()),
      },
    );
    expect(run.outcome.outcome).toBe("aborted");
    expect(seen[0]?.late?.().aborted).toBe(false);
  });
});

/** A tool that reads its signal at once for the item `early`, and lets a test read it later. */
function readingTool(
  id: string,
  seen: { early?: AbortSignal; late?: () => AbortSignal }[],
  output: unknown,
): ToolDefinition {
  return defineTool({
    id,
    description: "Reads its signal.",
    options: Type.Object({}),
    input: Type.Object({ item: Type.String() }),
    effect: "read",
    create: () => (input, call) => {
      const late = (): AbortSignal => call.signal;
      seen.push(input.item === "early" ? { early: call.signal, late } : { late });
      return output;
    },
  });
}
