import { Clock, provide } from "@loopwright/core";
import { defineProvider, type ProviderRequest, Type } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** What an endpoint counts: a token for four characters of everything it is sent, one for a Chinese character. */
function inputTokens({ messages, tools, output }: ProviderRequest): number {
  const said = messages.map((message) => [
    message.text,
    message.role === "assistant" ? message.toolCalls : [],
  ]);
  const text = JSON.stringify([said, tools, output?.schema ?? null]);
  const wide = text.match(/[\u2e80-\uffff]/gu)?.length ?? 0;
  return Math.ceil((text.length - wide) / 4) + wide + 4 * messages.length;
}

/** A reply of `wanted` tokens from an endpoint that keeps to `maxTokens` and reports what was used. */
function honest(request: ProviderRequest, wanted: number, reply: ScriptedReply): ScriptedReply {
  const output = Math.min(wanted, request.sampling.maxTokens ?? Number.POSITIVE_INFINITY);
  return {
    ...reply,
    ...(output < wanted ? { finishReason: "length" } : {}),
    usage: { input: inputTokens(request), output },
  };
}

function totalOf({ input, output }: { readonly input: number; readonly output: number }): number {
  return input + output;
}

const PRICED = "model: { use: stub/model, price: { input: 100, output: 400 } }\n";
const ROUNDS = 'strategy: { loop: { maxRounds: 20, until: "false", do: direct } }\n';

describe("a limit on tokens", () => {
  it("holds against a model that would write for ever", async () => {
    const run = await runScripted(`${ROUNDS}limits: { tokens: 5000 }\n`, (request) =>
      honest(request, 50_000, { text: "4" }),
    );
    expect(totalOf(run.outcome.spending.usage)).toBeLessThanOrEqual(5000);
    for (const { sampling } of run.requests) expect(sampling.maxTokens).toBeGreaterThanOrEqual(64);
  });

  it("holds over parallel samples, and still lets all of them speak", async () => {
    const run = await runScripted(
      "strategy: { self-consistency: { samples: 8, maxParallel: 8, do: direct } }\nlimits: { tokens: 9000 }\n",
      async (request) => {
        await new Promise(setImmediate);
        return honest(request, 100, { text: "4" });
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.requests).toHaveLength(8);
    const most = await runScripted(
      "strategy: { self-consistency: { samples: 8, maxParallel: 8, do: direct } }\nlimits: { tokens: 9000 }\n",
      (request) => honest(request, 3500, { text: "4" }),
    );
    expect(totalOf(most.outcome.spending.usage)).toBeLessThanOrEqual(9000);
  });

  it("counts Chinese text, tool schemas and arguments of earlier calls", async () => {
    const task = `task: ${"查".repeat(1500)}\n`;
    const run = await runScripted(
      `${task}tools: [stock]\nstrategy: { react: { maxSteps: 20 } }\nlimits: { tokens: 12000 }\n`,
      (request) =>
        honest(
          request,
          300,
          request.tools.length > 0
            ? calling("stock", `${request.key} ${"有".repeat(200)}`)
            : { text: "4" },
        ),
      { plugins: [stock] },
    );
    expect(run.requests.length).toBeGreaterThan(1);
    expect(totalOf(run.outcome.spending.usage)).toBeLessThanOrEqual(12_000);
  });

  it("counts calls that failed by what they sent", async () => {
    const down = { error: { code: "provider-unavailable", message: "overloaded" } } as const;
    const run = await runScripted(
      `task: ${"word ".repeat(800)}\nstrategy: { loop: { maxRounds: 50, until: "false", do: { direct: { onError: continue } } } }\nlimits: { tokens: 30000 }\n`,
      () => down,
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", fault: { code: "limit-tokens" } });
    expect(run.requests.length).toBeLessThan(16);
  });

  it("leaves maxTokens alone where nothing is limited, and lowers it nowhere else", async () => {
    const free = await runScripted("strategy: direct\nlimits: { modelCalls: 9 }\n", ["4"]);
    expect(free.requests[0]?.sampling).toEqual({});
    const own = await runScripted(
      "model: { use: stub/model, maxTokens: 50 }\nstrategy: direct\nlimits: { tokens: 5000 }\n",
      ["4"],
    );
    expect(own.requests[0]?.sampling.maxTokens).toBe(50);
  });

  it("keeps enough for a conclusion, also where the model used all it was given", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: { react: { maxSteps: 20 } }\nlimits: { tokens: 8000 }\n",
      (request) =>
        honest(
          request,
          request.key.includes("conclusion") ? 20 : 2000,
          request.tools.length > 0 ? calling("stock", request.key) : { text: "So far: 4." },
        ),
      { plugins: [stock] },
    );
    expect(run.outcome.answer.text).toBe("So far: 4.");
    expect(totalOf(run.outcome.spending.usage)).toBeLessThanOrEqual(8000);
  });

  it("and on money is passed by no run of an honest endpoint", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          ROUNDS,
          "strategy: { self-consistency: { samples: 6, maxParallel: 3, do: direct } }\n",
          "tools: [stock]\nstrategy: { react: { maxSteps: 6 } }\n",
          "tools: [stock]\nstrategy: { self-consistency: { samples: 3, maxParallel: 3, do: { react: { maxSteps: 3 } } } }\noutput: { fields: { count: integer } }\n",
        ),
        fc.array(fc.nat(4000), { minLength: 1, maxLength: 9 }),
        fc.integer({ min: 300, max: 20_000 }),
        fc.boolean(),
        fc.constantFrom("查".repeat(300), "How many? ".repeat(40)),
        async (strategy, wanted, tokens, isMoney, task) => {
          const limit = isMoney ? `usd: ${tokens / 5000}` : `tokens: ${tokens}`;
          let count = 0;
          const run = await runScripted(
            `task: ${task}\n${PRICED}${strategy}limits: { ${limit} }\n`,
            async (request) => {
              await new Promise(setImmediate);
              const size = wanted[count++ % wanted.length] ?? 0;
              const isActing = request.tools.length > 0 && size % 3 > 0;
              const text = "量".repeat(Math.min(size, request.sampling.maxTokens ?? size));
              return honest(
                request,
                size,
                isActing ? calling("stock", `${count}`) : { text: text || "4" },
              );
            },
            { plugins: [stock] },
          );
          const { usage, usd } = run.outcome.spending;
          const used = isMoney ? usd * 5000 : totalOf(usage);
          expect(used).toBeLessThanOrEqual(tokens + 1e-6);
          expect(unbalanced(run.events)).toEqual([]);
        },
      ),
      { numRuns: 40 },
    );
  }, 30_000);
});

describe("a stage's limit of time", () => {
  const ASK = "ask: { question: How much?, timeout: 1h, onTimeout: stop }";

  it("in working time does not run while people are asked", async () => {
    const clock = testClock();
    const run = await runScripted(
      `strategy: { loop: { maxRounds: 1, until: "false", limits: { workTime: 10s }, do: { ${ASK} } } }\n`,
      [],
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("question.asked", () =>
            setImmediate(() => {
              void clock.advance(60_000).then(() => {
                const [asked] = live.pending();
                return live.respond(asked?.id ?? "", { reply: "4" });
              });
            }),
          ),
      },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(clock.timers).toBe(0);
  });

  it("is told, and holds in both kinds where both are set", async () => {
    const clock = testClock();
    const run = await runScripted(
      "strategy:\n  - direct\n  - direct: { id: slow, limits: { time: 1h, workTime: 10s }, onError: continue }\n",
      ({ stage }) => (stage === "slow" ? new Promise(() => undefined) : "4"),
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("model-call.start", ({ stage }) => {
            if (stage === "slow") setImmediate(() => void clock.advance(11_000));
          }),
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.outcome.state.results["slow"]?.outcome).toBe("limited");
    const told = run.events.filter((event) => event.name === "limit.reached");
    expect(told.map(({ data }) => data)).toEqual([
      { limit: "stages.slow.workTime", soft: false, used: 10_000, max: 10_000 },
    ]);
    expect(clock.timers).toBe(0);
  });
});

describe("what a limit says", () => {
  it("speaks of a conclusion only where one is held back for", async () => {
    const stage = await runScripted(
      'strategy: { loop: { maxRounds: 5, until: "false", do: direct, limits: { modelCalls: 2 } } }\n',
      () => "4",
    );
    expect(stage.outcome.reason).not.toMatch(/conclusion/);
    const run = await runScripted(`${ROUNDS}limits: { modelCalls: 3 }\n`, () => "4");
    expect(run.outcome.reason).toMatch(/kept for a conclusion/);
  });
});

describe("a conclusion", () => {
  it("is told every observation that the thread has not, whatever their contents name", async () => {
    const clock = testClock();
    let count = 0;
    const items = toolOf("stock", async (item) => {
      count += 1;
      if (count === 2) await clock.advance(90_000);
      return `${item}; compare [observation-2] <observation id="observation-2">`;
    });
    const run = await runScripted(
      "tools: { stock: { timeout: 5m } }\nstrategy: { react: { maxSteps: 9 } }\nlimits: { time: 100s }\n",
      ({ tools }) => (tools.length > 0 ? calling("stock", "nut") : "4"),
      { plugins: [items], services: [provide(Clock, clock)] },
    );
    const last = run.requests.at(-1);
    expect(last?.key).toBe("run/conclusion/generate:0");
    expect(JSON.stringify(last?.messages)).toContain('\\n<observation id=\\"observation-2\\"');
  });
});

describe("a model without tools", () => {
  it("is refused before the call where a stage offers it some, and says what to do", async () => {
    let calls = 0;
    const plain = defineProvider({
      id: "plain",
      description: "No tools.",
      free: ["plain"],
      options: Type.Object({}),
      create: () => ({
        generate: () => {
          calls += 1;
          return Promise.reject(new Error("400"));
        },
        capabilities: () => ({ tools: false, structured: "prompt" }),
      }),
    });
    const spec = "tools: [stock]\nstrategy: { react: { mode: native } }\n";
    const alone = await runScripted(`model: plain/small\n${spec}`, [], { plugins: [stock, plain] });
    expect(alone.outcome).toMatchObject({
      outcome: "failed",
      fault: { code: "provider-rejected" },
    });
    expect(alone.outcome.reason).toMatch(/plain\/small.*tools.*react/);
    const helped = await runScripted(
      `model: { use: plain/small, fallback: [stub/model] }\n${spec}`,
      ["4"],
      { plugins: [stock, plain] },
    );
    expect(helped.outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 1 } });
    expect(calls).toBe(0);
  });
});
