import type { Run } from "@loopwright/core";
import { Clock, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** The run, for what happens while a model answers. */
function live(): { run: Run | undefined; readonly onRun: (run: Run) => void } {
  const held: { run: Run | undefined; onRun: (run: Run) => void } = {
    run: undefined,
    onRun: (run) => {
      held.run = run;
    },
  };
  return held;
}

describe("a switch on a live run", () => {
  it("skips a stage from its next start on, and is told where it takes effect", async () => {
    const held = live();
    const run = await runScripted(
      "strategy: { loop: { maxRounds: 3, until: 'false', do: [direct, { chain-of-thought: { id: polish } }] } }\nswitches: { quick: { stages: [polish] } }\n",
      ({ key }) => {
        if (key.includes("direct:1/")) {
          held.run?.setSwitch("quick", true);
          held.run?.setSwitch("quick", true);
        }
        return { text: "4" };
      },
      held,
    );
    const polish = run.events.flatMap((event) =>
      event.name === "stage.end" && event.stage === "polish" ? [event.data.outcome] : [],
    );
    expect(polish.map((outcome) => outcome === "skipped")).toEqual([false, true, true]);
    const told = run.events.filter(({ name }) => name === "switch.changed");
    expect(told).toMatchObject([
      {
        key: "run/loop:0/polish:1",
        data: { switch: "quick", isOn: true, stages: ["polish"], tools: [], limits: {} },
      },
    ]);
  });

  it("lowers limits for the next call, never above the spec's, and gives them back", async () => {
    const rounds = "strategy: { loop: { maxRounds: 8, until: 'false', do: direct } }\n";
    const limits =
      "limits: { modelCalls: 7 }\nswitches: { thrift: { limits: { modelCalls: 4 } } }\n";
    const held = live();
    const low = await runScripted(
      rounds + limits,
      () => {
        held.run?.setSwitch("thrift", true);
        return { text: "4" };
      },
      held,
    );
    expect(low.outcome).toMatchObject({
      outcome: "limited",
      fault: { code: "limit-model-calls" },
      answer: { text: "4" },
      spending: { modelCalls: 3 },
    });
    let count = 0;
    const back = await runScripted(
      rounds + limits,
      () => {
        held.run?.setSwitch("thrift", ++count < 3);
        return { text: "4" };
      },
      held,
    );
    expect(back.outcome.spending.modelCalls).toBe(6);
    const changes = back.events.flatMap((event) =>
      event.name === "switch.changed" ? [event.data] : [],
    );
    expect(changes.map(({ isOn, limits: lowered }) => [isOn, lowered])).toEqual([
      [true, { modelCalls: 4 }],
      [false, { modelCalls: 4 }],
    ]);
  });

  it("bounds a time that the spec leaves open, counted from the start", async () => {
    const clock = testClock();
    const held = live();
    let calls = 0;
    const run = await runScripted(
      "strategy: { loop: { maxRounds: 9, until: 'false', do: direct } }\nswitches: { hurry: { limits: { time: 10s } } }\n",
      async () => {
        calls += 1;
        if (calls === 2) held.run?.setSwitch("hurry", true);
        await clock.advance(4000);
        return { text: "4" };
      },
      { onRun: held.onRun, services: [provide(Clock, clock)] },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-time" } });
    expect(calls).toBe(3);
    expect(clock.timers).toBe(0);
  });

  it("holds from the start where the host says so", async () => {
    const run = await runScripted(
      "strategy: [direct, { chain-of-thought: { id: again } }]\nswitches: { quick: { stages: [again] } }\n",
      ["4"],
      { settings: { switches: ["quick"] } },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.events.slice(0, 3).map(({ name, key }) => [name, key])).toEqual([
      ["run.start", "run"],
      ["switch.changed", "run"],
      ["stage.start", "run/direct:0"],
    ]);
    await expect(
      runScripted(
        "strategy: direct\nswitches: { quick: { tools: [stock] } }\ntools: [stock]\n",
        [],
        {
          plugins: [stock],
          settings: { switches: ["quik"] },
        },
      ),
    ).rejects.toThrow("the spec has no switch `quik`; did you mean quick? switches here: quick");
  });

  it("is refused under a name that the spec does not have, and after the end", async () => {
    const held = live();
    const said: unknown[] = [];
    await runScripted(
      "tools: [stock]\nstrategy: react\nswitches: { calm: { tools: [stock] } }\n",
      () => {
        said.push(held.run?.setSwitch("clam", true), held.run?.setSwitch("calm", 1 as never));
        said.push(held.run?.setSwitch("calm", true));
        return { text: "4" };
      },
      { onRun: held.onRun, plugins: [stock] },
    );
    expect(said).toEqual([false, false, true]);
    expect(held.run?.setSwitch("calm", false)).toBe(false);
  });

  it("turns a tool off for the next call", async () => {
    const held = live();
    let executed = 0;
    const counted = toolOf("count", () => ++executed);
    const run = await runScripted(
      "tools: [count]\nstrategy: react\nswitches: { calm: { tools: [count] } }\n",
      ({ key }) => {
        const turn = Number(key.at(-1));
        if (turn === 1) held.run?.setSwitch("calm", true);
        return turn < 2 ? calling("count", `${turn}`) : { text: "4" };
      },
      { onRun: held.onRun, plugins: [counted] },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(executed).toBe(1);
    expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, false]);
  });
});
