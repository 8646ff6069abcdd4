import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { Clock, provide } from "@loopwright/core";
import { defineTool, type ProviderRequest, Type } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { canonicalEvents, unbalanced } from "../events.ts";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const stock = toolOf("stock", (item) => {
  if (item === "bad") throw new Error("the shelf is locked");
  return `4 ${item}`;
});
const GRAPH = "tools: [stock]\nstrategy: plan-graph\n";
const NO_REPLAN = "tools: [stock]\nstrategy: { plan-graph: { maxReplans: 0 } }\n";

type Step = readonly [id: string, item: string, tool?: string];

/** A plan as a model writes it. */
function planOf(...steps: readonly Step[]): ScriptedReply {
  return {
    text: JSON.stringify({
      steps: steps.map(([id, value, tool = "stock"]) => ({
        id,
        plan: `Find out ${id}.`,
        tool,
        arguments: [{ name: "item", value }],
      })),
    }),
  };
}

function joinedOf(action: "finish" | "replan", because: string, answer = ""): ScriptedReply {
  return { text: JSON.stringify({ because, action, answer }) };
}

function promptOf(request: ProviderRequest | undefined): string {
  return (
    request?.messages.map((message) => ("text" in message ? message.text : "")).join("\n") ?? ""
  );
}

/** The events that tell the method, as a compact list. */
function storyOf({ events }: ScriptedRun): readonly string[] {
  return events.flatMap((event) => {
    if (event.name === "model-call.start") return [`model ${event.data.voice}`];
    if (event.name === "tool-call.start")
      return [`start ${event.data.callId} ${event.data.arguments}`];
    if (event.name === "tool-call.end") return [`end ${event.data.callId}`];
    return event.name === "step.start" || event.name === "answer.given" ? [event.name] : [];
  });
}

describe("plan-graph", () => {
  it("plans, carries tasks out and joins them into the answer, in two model calls", async () => {
    const run = await runScripted(
      GRAPH,
      [
        planOf(["E1", "nut"], ["E2", "of #E1"]),
        joinedOf("finish", "enough", "8 [task:E2.observation-1]."),
      ],
      { plugins: [stock] },
    );
    expect(storyOf(run)).toEqual([
      "step.start",
      "model plan",
      'start E1 {"item":"nut"}',
      "end E1",
      'start E2 {"item":"of 4 nut"}',
      "end E2",
      "model join",
      "answer.given",
    ]);
    expect(run.outcome).toMatchObject({
      outcome: "done",
      answer: { text: "8 [task:E2.observation-1].", evidence: ["task:E2.observation-1"] },
    });
    expect(run.outcome.state.observations.map(({ id }) => id)).toEqual([
      "task:E1.observation-1",
      "task:E2.observation-1",
    ]);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("plans once more where the joiner asks for it, counts the ids on, and makes no call twice", async () => {
    const run = await runScripted(
      GRAPH,
      [
        planOf(["E1", "nut"]),
        joinedOf("replan", "the bolts are missing"),
        planOf(["E2", "nut"], ["E3", "#E1, #E2, bolt"]),
        "4 and 4.",
      ],
      { plugins: [stock] },
    );
    expect(storyOf(run)).toEqual([
      "step.start",
      "model plan",
      'start E1 {"item":"nut"}',
      "end E1",
      "model join",
      "step.start",
      "model plan",
      'start E3 {"item":"4 nut, 4 nut, bolt"}',
      "end E3",
      "model join",
      "answer.given",
    ]);
    const second = promptOf(run.requests[2]);
    expect(second).toContain("They are not enough: the bolts are missing");
    expect(second).toContain("Count the ids on from E2");
    expect(second).toMatch(/E1: Find out E1\.\nstock\(item: "nut"\)\n<observation/);
    expect(promptOf(run.requests[3])).toContain(
      "Now answer the task with this; no further tool call",
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4 and 4." } });
  });

  it("must finish in its first round where it may not plan again", async () => {
    const run = await runScripted(NO_REPLAN, [planOf(["E1", "nut"]), "4."], { plugins: [stock] });
    expect(run.requests).toHaveLength(2);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4." } });
  });

  it("asks for a typed answer once more where the one of the joiner does not fit", async () => {
    const typed = `${GRAPH}output: { fields: { count: integer } }\n`;
    const fitting = JSON.stringify({
      count: 4,
      evidence: [],
      solvable: true,
      unsolvableReason: null,
    });
    const first = [planOf(["E1", "nut"])];
    const one = await runScripted(typed, [...first, joinedOf("finish", "enough", fitting)], {
      plugins: [stock],
    });
    expect(one.requests).toHaveLength(2);
    expect(one.outcome.answer.value).toEqual({ count: 4 });
    expect(promptOf(one.requests[1])).toContain("- count: required, whole number");
    const two = await runScripted(
      typed,
      [...first, joinedOf("finish", "enough", "four"), fitting],
      {
        plugins: [stock],
      },
    );
    expect(two.requests).toHaveLength(3);
    expect(two.outcome.answer.value).toEqual({ count: 4 });
  });

  it.each([
    [
      "an unknown tool",
      [["E1", "nut", "shelf"]],
      "E1 calls shelf, and there is no such tool; there are: stock.",
    ],
    ["a missing id", [["E1", "#E4"]], "E1 names #E4, and there is no such step."],
    [
      "a circle",
      [
        ["E1", "#E2"],
        ["E2", "#E1"],
      ],
      "E1, E2",
    ],
  ] as unknown as readonly [string, readonly Step[], string][])(
    "sends a plan with %s back once, and fails after that",
    async (_name, steps, fault) => {
      const mended = await runScripted(NO_REPLAN, [planOf(...steps), planOf(["E1", "nut"]), "4"], {
        plugins: [stock],
      });
      expect(promptOf(mended.requests[1])).toContain(fault);
      expect(mended.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
      const stubborn = await runScripted(NO_REPLAN, () => planOf(...steps), { plugins: [stock] });
      expect(stubborn.outcome.outcome).toBe("failed");
      expect(stubborn.events.some(({ name }) => name === "tool-call.start")).toBe(false);
    },
  );

  it("refuses ids of an earlier round", async () => {
    const run = await runScripted(
      GRAPH,
      [
        planOf(["E1", "nut"]),
        joinedOf("replan", "more"),
        planOf(["E1", "bolt"]),
        planOf(["E2", "bolt"]),
        "8",
      ],
      { plugins: [stock] },
    );
    expect(promptOf(run.requests[3])).toContain("The id E1 is used already.");
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "8" } });
  });

  it("leaves out what waits for a failed task, tells it, and carries out the rest", async () => {
    const run = await runScripted(
      NO_REPLAN,
      [planOf(["E1", "bad"], ["E2", "#E1"], ["E3", "#E2"], ["E4", "nut"]), "4"],
      { plugins: [stock] },
    );
    expect(run.outcome.state.observations.map(({ id, ok }) => [id, ok])).toEqual([
      ["task:E1.observation-1", false],
      ["task:E4.observation-1", true],
    ]);
    const joiner = promptOf(run.requests[1]);
    expect(joiner).toContain("no evidence: it needs E1, which brought nothing");
    expect(joiner).toContain("no evidence: it needs E2, which brought nothing");
    expect(run.outcome.outcome).toBe("done");
  });

  it("releases what waits for a task whose tool never answers, by the tool's own timeout", async () => {
    const clock = testClock();
    const hung = toolOf("hung", () => new Promise<never>(() => undefined));
    const run = await runScripted(
      "tools: { hung: { timeout: 1s, retry: 1 }, stock: {} }\nstrategy: { plan-graph: { maxReplans: 0 } }\n",
      [planOf(["E1", "x", "hung"], ["E2", "#E1"], ["E3", "nut"]), "4"],
      {
        plugins: [hung, stock],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("tool-call.start", ({ data }) => {
            if (data.tool === "hung") setImmediate(() => void clock.advance(1_000));
          }),
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(promptOf(run.requests[1])).toContain("did not answer within 1000 ms");
    expect(promptOf(run.requests[1])).toContain("it needs E1, which brought nothing");
  });

  it("starts nothing after an abort in the middle, and lets go of all that waits", async () => {
    const aborter = new AbortController();
    const hung = toolOf("hung", () => {
      setImmediate(() => aborter.abort(new Error("enough")));
      return new Promise<never>(() => undefined);
    });
    const run = await runScripted(
      "tools: [hung, stock]\nstrategy: { plan-graph: { maxParallel: 2 } }\n",
      [
        planOf(
          ["E1", "nut"],
          ["E2", "x", "hung"],
          ["E3", "y", "hung"],
          ["E4", "#E2"],
          ["E5", "bolt"],
        ),
        "4",
      ],
      { plugins: [hung, stock], settings: { signal: aborter.signal } },
    );
    expect(run.outcome.outcome).toBe("aborted");
    expect(
      run.outcome.state.observations.filter(({ ok }) => ok).map(({ content }) => content),
    ).toEqual(["4 nut"]);
    const started = run.events.flatMap((event) =>
      event.name === "tool-call.start" ? [event.data.callId] : [],
    );
    expect(started).toEqual(["E1", "E2", "E3"]);
    expect(run.requests).toHaveLength(1);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("wraps up at a soft limit: starts no further task, and says that it was cut short", async () => {
    const run = await runScripted(
      `${GRAPH}limits: { toolCalls: 2 }\n`,
      [planOf(["E1", "nut"], ["E2", "#E1"], ["E3", "#E2"], ["E4", "#E3"]), "4"],
      { plugins: [stock] },
    );
    expect(run.outcome.state.observations).toHaveLength(2);
    expect(run.outcome.answer.text).toBe("4");
    expect(run.outcome.reason).toContain("a limit was near before all tasks were carried out");
  });

  it("comes again with the same events on a replay, whatever order its tasks end in", async () => {
    const replies = [
      planOf(["E1", "a"], ["E2", "b"], ["E3", "#E1 #E2"], ["E4", "bad"], ["E5", "#E4"]),
      joinedOf("replan", "more"),
      planOf(["E6", "#E3"]),
      "ok",
    ];
    const slow = (waits: Readonly<Record<string, number>>) =>
      toolOf("stock", async (item) => {
        for (let round = 0; round < (waits[item] ?? 0); round += 1)
          await new Promise((resolve) => setImmediate(resolve));
        if (item === "bad") throw new Error("the shelf is locked");
        return `4 ${item}`;
      });
    const first = await runScripted(GRAPH, replies, { plugins: [slow({ a: 9, bad: 3 })] });
    const other = await runScripted(GRAPH, replies, { plugins: [slow({ b: 9, bad: 20 })] });
    expect(storyOf(other)).not.toEqual(storyOf(first));
    expect(canonicalEvents(other.events)).toEqual(canonicalEvents(first.events));
    const recorded = JSON.parse(JSON.stringify(first.events)) as typeof first.events;
    const again = await runScripted(GRAPH, replies, { plugins: [stock], settings: { recorded } });
    expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
  });

  it("comes again on a replay near a limit: what may call does not depend on which call ends first", async () => {
    const body = "tools: [stock]\nstrategy: { plan-graph: { maxReplans: 0 } }\n";
    const replies = [
      planOf(
        ["E1", "a"],
        ["E2", "b"],
        ["E3", "#E1 x"],
        ["E4", "#E2 y"],
        ["E5", "#E3"],
        ["E6", "#E4"],
      ),
      "done",
    ];
    const slow = (one: string) =>
      toolOf("stock", async (item) => {
        const rounds = item === one ? 40 : 0;
        for (let round = 0; round < rounds; round += 1)
          await new Promise((resolve) => setImmediate(resolve));
        return `4 ${item}`;
      });
    for (const limits of ["limits: { toolCalls: 4 }", "limits: { toolCalls: 5 }"]) {
      const runs = [];
      for (const one of ["a", "b"])
        runs.push(await runScripted(`${body}${limits}\n`, replies, { plugins: [slow(one)] }));
      const [first, other] = runs as [ScriptedRun, ScriptedRun];
      expect(first.outcome.state.observations).toHaveLength(4);
      expect(canonicalEvents(other.events)).toEqual(canonicalEvents(first.events));
      const recorded = JSON.parse(JSON.stringify(first.events)) as typeof first.events;
      const again = await runScripted(`${body}${limits}\n`, replies, {
        plugins: [stock],
        settings: { recorded },
      });
      expect(canonicalEvents(again.events)).toEqual(canonicalEvents(first.events));
    }
  });

  it("takes the tasks that a limit of their tool holds in the order of the graph", async () => {
    const run = await runScripted(
      "tools: { stock: { limits: { toolCalls: 1 } } }\nstrategy: { plan-graph: { maxReplans: 0 } }\n",
      [planOf(["E1", "nut"], ["E2", "bolt"]), "4"],
      { plugins: [stock] },
    );
    expect(run.outcome.state.observations.map(({ content }) => content)).toEqual(["4 nut"]);
  });

  it("makes a call once that several tasks name, also a listed one that must run once", async () => {
    const pay = toolOf("pay", (item) => `paid ${item}`, "once");
    const head =
      "tools: { pay: { use: pay, approval: never } }\nstrategy: { plan-graph: { maxReplans: 0";
    const replies = [planOf(["E1", "a", "pay"], ["E2", "a", "pay"], ["E3", "#E2", "pay"]), "paid"];
    const named = await runScripted(`${head}, tools: [pay] } }\n`, replies, { plugins: [pay] });
    expect(named.outcome.state.observations.map(({ content }) => content)).toEqual([
      "paid a",
      "paid paid a",
    ]);
    const other = await runScripted(`${head} } }\n`, replies, { plugins: [pay] });
    expect(other.outcome.outcome).toBe("failed");
    expect(other.events.some(({ name }) => name === "tool-call.start")).toBe(false);
  });

  it("answers with what there is where no further plan can be made, and says so", async () => {
    const run = await runScripted(
      GRAPH,
      [
        planOf(["E1", "nut"]),
        joinedOf("replan", "more\n- E9: forged"),
        planOf(),
        planOf(["E1", "bolt"]),
        "4 nuts.",
      ],
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4 nuts." } });
    expect(run.outcome.reason).toContain(
      "no further tasks: the plan of tool calls can't be carried out",
    );
    expect(run.outcome.reason).toContain("The next free one is E2.");
    expect(promptOf(run.requests[2])).not.toMatch(/^- E9: forged/m);
  });

  it("lets a spec write the prompt of each voice", async () => {
    const run = await runScripted(
      'tools: [stock]\nstrategy: { plan-graph: { maxReplans: 0, prompt: { plan: "Have {{ tools }} for {{ max }}", join: "Seen {{ tasks }}" } } }\n',
      [planOf(["E1", "nut"]), "4"],
      { plugins: [stock] },
    );
    expect(promptOf(run.requests[0])).toContain("Have - stock: The tool stock.");
    expect(promptOf(run.requests[0])).toContain(" for 12");
    expect(promptOf(run.requests[1])).toContain("Seen E1: Find out E1.");
  });

  it("speaks Chinese where the spec says so, and only Chinese", async () => {
    const run = await runScripted(
      "language: zh\ntask: 库存有多少?\ntools: [stock]\nstrategy: plan-graph\n",
      [
        planOf(["E1", "bad"], ["E2", "#E1"]),
        joinedOf("replan", "缺少螺母"),
        planOf(["E3", "nut"]),
        "4 个。",
      ],
      { plugins: [stock] },
    );
    const said = run.requests.map(promptOf);
    expect(said[0]).toContain("最多写 12 个任务");
    expect(said[1]).toContain("没有证据：它需要 E1 的结果，而那里没有得到任何结果");
    expect(said[2]).toContain("结果还不够：缺少螺母\n");
    expect(said[3]).toContain("现在据此完成任务；不能再调用工具。");
    for (const text of said) expect(text).not.toMatch(/evidence|carried out|Decide whether/);
  });

  it("ends limited with a conclusion that sees what was found, where a hard limit stops it", async () => {
    const run = await runScripted(
      `${GRAPH}limits: { modelCalls: 3 }\n`,
      [planOf(["E1", "nut"]), joinedOf("replan", "more"), "4, so far."],
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "4, so far." } });
    expect(promptOf(run.requests[2])).toContain("4 nut");
    expect(unbalanced(run.events)).toEqual([]);
  });
});

/** Runs a graph of tasks on a clock that a test moves; gives when each began and ended. */
async function timed(
  steps: readonly Step[],
  latencyOf: (id: string) => number,
  maxParallel = 32,
): Promise<{ readonly makespan: number; readonly mostAtOnce: number }> {
  const clock = testClock(0);
  let [begun, ended, atWork, mostAtOnce] = [Number.POSITIVE_INFINITY, 0, 0, 0];
  const slow = defineTool({
    id: "slow",
    description: "Takes its time.",
    options: Type.Object({}),
    input: Type.Object({ item: Type.String() }),
    effect: "read",
    create:
      () =>
      async (input, { callId }) => {
        begun = Math.min(begun, clock.now());
        mostAtOnce = Math.max(mostAtOnce, ++atWork);
        await new Promise<void>((resolve) => void clock.after(latencyOf(callId), resolve));
        ended = Math.max(ended, clock.now());
        atWork -= 1;
        return input.item.length > 20 ? "long" : "short";
      },
  });
  const over = new AbortController();
  const move = async (): Promise<void> => {
    while (!over.signal.aborted) {
      // All that is ready runs on before the time does.
      for (let round = 0; round < 15; round += 1)
        await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(1);
    }
  };
  const plan = planOf(...steps.map(([id, item]): Step => [id, item, "slow"]));
  const run = runScripted(
    `tools: [slow]\nstrategy: { plan-graph: { maxReplans: 0, maxTasks: 50, maxParallel: ${maxParallel} } }\n`,
    [plan, "done"],
    { plugins: [slow], services: [provide(Clock, clock)], onRun: () => void move() },
  );
  const { outcome } = await run;
  over.abort();
  expect(outcome).toMatchObject({ outcome: "done", answer: { text: "done" } });
  expect(outcome.state.observations).toHaveLength(steps.length);
  return { makespan: ended - begun, mostAtOnce };
}

/** The graph of a ParallelQA question: so many searches, a calculation on each, one comparison of all. */
function comparisonOf(branch: number): readonly Step[] {
  const ids = Array.from({ length: branch }, (_, index) => index + 1);
  return [
    ...ids.map((one): Step => [`E${one}`, `fact ${one}`]),
    ...ids.map((one): Step => [`E${branch + one}`, `#E${one} times 2`]),
    [`E${2 * branch + 1}`, ids.map((one) => `#E${branch + one}`).join(" or ")],
  ];
}

describe("the time that a graph takes, on a clock that a test moves", () => {
  const file = new URL(
    "../../../../fixtures/llmcompiler/parallelqa_dataset.json.gz",
    import.meta.url,
  );
  const questions = JSON.parse(gunzipSync(readFileSync(file)).toString()) as readonly {
    readonly branch: number;
  }[];
  const shapes = [...new Set(questions.map(({ branch }) => branch))].toSorted((a, b) => a - b);

  it("covers every shape of the ParallelQA questions", () => {
    expect(questions).toHaveLength(113);
    expect(shapes).toEqual([2, 3, 4, 5]);
  });

  it.each(shapes)(
    "is that of its longest path for %s facts side by side, not the sum",
    async (branch) => {
      const { makespan, mostAtOnce } = await timed(comparisonOf(branch), () => 5);
      expect(makespan).toBe(3 * 5);
      expect(mostAtOnce).toBe(branch);
    },
  );

  it("does not wait for a level: a quick task's followers start while a slow one is at work", async () => {
    const steps: readonly Step[] = [
      ["E1", "slow"],
      ["E2", "quick"],
      ["E3", "#E2"],
      ["E4", "#E3"],
      ["E5", "#E1 #E4"],
    ];
    const latency: Readonly<Record<string, number>> = { E1: 12, E2: 3, E3: 4, E4: 5, E5: 2 };
    // By levels it would take 12 + 4 + 5 + 2.
    expect((await timed(steps, (id) => latency[id] ?? 0)).makespan).toBe(14);
  });

  it.each([1, 2, 3])(
    "never has more than %s tasks at work, and stands still with none",
    async (max) => {
      const { makespan, mostAtOnce } = await timed(comparisonOf(4), () => 2, max);
      expect(mostAtOnce).toBe(max);
      expect(makespan).toBe(2 * { 1: 9, 2: 5, 3: 4 }[max as 1 | 2 | 3]);
    },
  );

  it("is the same where the plan names what comes later first", async () => {
    const { makespan } = await timed(comparisonOf(3).toReversed(), () => 4, 1);
    expect(makespan).toBe(7 * 4);
  });
});
