import { Clock, provide } from "@loopwright/core";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { testClock } from "../test-clock.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** Calls a tool for something new in every turn, until tools are off; then says what it knows. */
function eager(
  usage: ScriptedReply["usage"] = {},
): (request: { readonly tools: readonly unknown[]; readonly key: string }) => ScriptedReply {
  let count = 0;
  return ({ tools, key }) => {
    count += 1;
    if (key.includes("conclusion")) return { text: "So far: 4 of each [observation-1].", usage };
    return tools.length > 0
      ? { ...calling("stock", `item ${count}`), usage }
      : { text: "4", usage };
  };
}

/** One call without tools wrote the answer down after the limit, and the last event tells why. */
function expectConclusion(run: ScriptedRun, code: string, key = "run/conclusion/generate:0"): void {
  const without = run.requests.filter(({ tools }) => tools.length === 0);
  expect(without.map((request) => request.key)).toEqual([key]);
  expect(run.requests.at(-1)?.key).toBe(key);
  expect(run.outcome).toMatchObject({
    outcome: "limited",
    answer: { text: "So far: 4 of each [observation-1].", evidence: ["observation-1"] },
    fault: { code },
  });
  expect(run.outcome.reason).toMatch(/limit|times/);
  expect(run.events.at(-1)).toMatchObject({ name: "run.end", data: { outcome: "limited" } });
  expect(unbalanced(run.events)).toEqual([]);
}

const ACTING = "tools: [stock]\nstrategy: { react: { maxSteps: 20 } }\n";

describe("promise 4: a limit or a repeat leaves a usable answer and the reason", () => {
  it.each([2, 3, 5, 8])("ends within %i model calls, with the answer that stands", async (max) => {
    // A strategy that looks at no soft limit.
    const body = `tools: [stock]\nstrategy: { loop: { maxRounds: 20, until: "false", do: { react: { maxSteps: 1 } } } }\nlimits: { modelCalls: ${max} }\n`;
    const run = await runScripted(body, eager(), { plugins: [stock] });
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    expect(run.requests.length).toBeLessThanOrEqual(max);
    expect(run.outcome.fault?.code).toBe("limit-model-calls");
  });

  it("holds the last model call back for the conclusion", async () => {
    const run = await runScripted(`${ACTING}limits: { modelCalls: 2 }\n`, eager(), {
      plugins: [stock],
    });
    expectConclusion(run, "limit-model-calls");
    expect(run.requests).toHaveLength(2);
  });

  it("writes down what is known when an acting stage is cut short", async () => {
    const run = await runScripted(
      `tools: [stock]\nstrategy: { react: { maxSteps: 2 } }\nlimits: { toolCalls: 9, tokens: 1500 }\n`,
      eager({ input: 300, output: 200 }),
      { plugins: [stock] },
    );
    expectConclusion(run, "limit-tokens");
    // Behind the last result: after results some endpoints take no message of a user.
    expect(run.requests.at(-1)?.messages.at(-1)?.text).toMatch(/<\/observation>\n\nStop here/);
  });

  it("wraps up by itself at four fifths of a limit", async () => {
    const run = await runScripted(`${ACTING}limits: { modelCalls: 11 }\n`, eager(), {
      plugins: [stock],
    });
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.requests).toHaveLength(9);
    const told = run.events.filter((event) => event.name === "limit.reached");
    expect(told.map((event) => event.data)).toEqual([
      { limit: "modelCalls", soft: true, used: 8, max: 10 },
    ]);
  });

  it("executes no tool call above the limit, and says so", async () => {
    let executed = 0;
    const counted = toolOf("stock", (item) => `${item}: ${++executed}`);
    const run = await runScripted(
      "tools: [stock]\nstrategy: react\nlimits: { toolCalls: 2 }\n",
      [calling("stock", "a", "b", "c"), "4 [observation-1]"],
      { plugins: [counted] },
    );
    expect(executed).toBe(2);
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "4 [observation-1]" },
      fault: { code: "limit-tool-calls" },
      spending: { toolCalls: 2 },
    });
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("stops at a limit in money", async () => {
    const price = "model: { use: stub/model, price: { input: 1000, output: 1000 } }\n";
    const loop = 'strategy: { loop: { maxRounds: 20, until: "false", do: direct } }\n';
    const reply = { text: "4", usage: { input: 1000, output: 10 } };
    const task = `task: ${"word ".repeat(800)}\n`;
    const run = await runScripted(`${task}${price}${loop}limits: { usd: 9 }\n`, () => reply);
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "4" },
      fault: { code: "limit-usd" },
    });
    expect(run.requests.length).toBeGreaterThan(4);
    expect(run.outcome.spending.usd).toBeLessThanOrEqual(9);
  });

  it("stops at a limit of time, and uses the time held back to conclude", async () => {
    const clock = testClock();
    const slow = toolOf("stock", () => new Promise(() => undefined));
    const run = await runScripted(
      "tools: { stock: { timeout: 1h } }\nstrategy: react\nlimits: { time: 100s }\n",
      eager(),
      {
        plugins: [slow],
        services: [provide(Clock, clock)],
        onRun: (live) => live.on("tool-call.start", () => void clock.advance(85_000)),
      },
    );
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "So far: 4 of each [observation-1]." },
      fault: { code: "limit-time" },
    });
    expect(run.outcome.durationMs).toBeLessThanOrEqual(100_000);
    expect(clock.timers).toBe(0);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("ends in time even where the conclusion hangs, and says that there is no answer", async () => {
    const clock = testClock();
    const run = await runScripted(
      "strategy: direct\nlimits: { time: 100s }\n",
      () => new Promise(() => undefined),
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("model-call.start", (event) =>
            setImmediate(
              () => void clock.advance(event.key.includes("conclusion") ? 15_000 : 85_000),
            ),
          ),
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { solvable: false } });
    expect(run.outcome.answer.text).toContain("limit-time");
    expect(unbalanced(run.events)).toEqual([]);
  });

  // openai-agents-js#512, langgraph#6731, vercel/ai#2042
  it("ends a model that asks for the same thing for ever, long before the step limit", async () => {
    const run = await runScripted(
      ACTING,
      ({ tools }) =>
        tools.length > 0 ? calling("stock", "nut") : { text: "So far: 4 of each [observation-1]." },
      { plugins: [stock] },
    );
    // The stage whose tools go off writes its answer itself.
    expectConclusion(run, "limit-repeat", "run/react:0/generate:4");
    expect(run.requests.length).toBeLessThanOrEqual(5);
    expect(run.requests[3]?.messages.at(-1)?.text).toMatch(
      /the same call gave the same result 3 times/,
    );
  });

  it("ends a model that goes round in a circle of three", async () => {
    let count = 0;
    const run = await runScripted(
      ACTING,
      ({ tools }) =>
        tools.length > 0
          ? calling("stock", ["a", "b", "c"][count++ % 3] ?? "")
          : { text: "So far: 4 of each [observation-1]." },
      { plugins: [stock] },
    );
    expectConclusion(run, "limit-repeat", "run/react:0/generate:10");
    expect(run.requests.length).toBeLessThanOrEqual(11);
  });

  // vercel/ai#13075, haystack#10001
  it("answers in the last step of react, with tools off", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n",
      eager(),
      { plugins: [stock] },
    );
    expect(run.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 0]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
  });

  it("keeps the draft where the conclusion gives nothing", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: [direct, { react: { maxSteps: 20 } }]\n",
      ({ stage, tools, key }) =>
        stage === "direct"
          ? { text: "the draft" }
          : key.includes("conclusion") || tools.length === 0
            ? { text: "" }
            : calling("stock", "nut"),
      { plugins: [stock] },
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "the draft" } });
  });

  const LESSON = { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" };

  it("still runs a stage marked always within its reserve, with its repair, and within the hard limit", async () => {
    const run = await runScripted(
      `tools: [stock]
strategy:
  - loop: { maxRounds: 20, until: "false", do: { react: { maxSteps: 2 } } }
  - reflect: { always: true }
limits: { modelCalls: 6 }
`,
      ({ stage, key, tools }) => {
        if (stage === "reflect") return key.includes("repair") ? { json: LESSON } : { text: "no" };
        return tools.length > 0 ? calling("stock", key) : { text: "4" };
      },
      { plugins: [stock] },
    );
    expect(run.outcome.outcome).toBe("limited");
    expect(run.requests.length).toBeLessThanOrEqual(6);
    expect(run.requests.filter(({ stage }) => stage === "reflect")).toHaveLength(2);
    expect(run.outcome.state.lessons).toMatchObject([LESSON]);
  });

  it("a limit of the run is never passed over by onError: continue", async () => {
    const run = await runScripted(
      "strategy:\n  - direct\n  - direct: { onError: continue }\n  - direct: { onError: continue, when: answer.solvable }\nlimits: { modelCalls: 2 }\n",
      ["one", "two", "three"],
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "one" } });
  });

  it("a limit of a stage is passed over by onError: continue", async () => {
    const run = await runScripted(
      'strategy:\n  - direct\n  - loop: { maxRounds: 5, until: "false", do: chain-of-thought, limits: { modelCalls: 2 }, onError: continue }\n  - direct: { id: last }\n',
      ["one", "two", "three", "four"],
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "four" } });
    expect(run.outcome.state.results["loop"]?.outcome).toBe("limited");
  });

  // openai-agents-python#3353
  it("eight parallel branches pass no limit", async () => {
    const run = await runScripted(
      "strategy: { self-consistency: { samples: 8, maxParallel: 8, do: { direct: { when: answer.solvable } } } }\nlimits: { modelCalls: 5 }\n",
      () => ({ text: "4" }),
    );
    expect(run.requests.length).toBeLessThanOrEqual(5);
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    expect(unbalanced(run.events)).toEqual([]);
  });
});
