import { Clock, provide, type Run } from "@loopwright/core";
import {
  defineTool,
  type Effect,
  type EventData,
  type ToolContext,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun } from "../promises/run-scripted.ts";
import { type TestClock, testClock } from "../test-clock.ts";

const never = new Promise<never>(() => undefined);

/** A tool that is told how often it was tried. */
function trying(
  act: (attempt: number, call: ToolContext) => unknown,
  effect: Effect = "read",
): ToolDefinition {
  let attempt = 0;
  return defineTool({
    id: "stock",
    description: "Looks up what is in stock.",
    options: Type.Object({}),
    input: Type.Object({ item: Type.String() }),
    output: Type.String(),
    effect,
    create: () => async (_input, call) => {
      attempt += 1;
      return (await act(attempt, call)) as string;
    },
  });
}

function failing(details: Readonly<Record<string, unknown>> = {}): never {
  throw new ToolError("tool-failed", "the shelf is locked", { retryable: true, details });
}

/** Moves the time on by what each attempt waits. */
function movedBy(clock: TestClock): (live: Run) => void {
  return (live) => {
    live.on("tool.retried", ({ data }) => setImmediate(() => void clock.advance(data.waitMs)));
  };
}

function retriesOf({ events }: ScriptedRun): readonly EventData["tool.retried"][] {
  return events.flatMap((event) => (event.name === "tool.retried" ? [event.data] : []));
}

async function run(
  tool: ToolDefinition,
  policy = "",
  onRun?: (live: Run, clock: TestClock) => void,
): Promise<ScriptedRun> {
  const clock = testClock();
  const ran = await runScripted(
    `tools: { stock: { ${policy} } }\nstrategy: react\n`,
    [calling("stock", "nut"), "ok"],
    {
      plugins: [tool],
      services: [provide(Clock, clock)],
      onRun: (live) => (onRun === undefined ? movedBy(clock)(live) : onRun(live, clock)),
    },
  );
  expect(clock.timers).toBe(0);
  expect(unbalanced(ran.events)).toEqual([]);
  return ran;
}

function resultOf({ outcome }: ScriptedRun): { readonly content: string; readonly ok: boolean } {
  expect(outcome.state.observations).toHaveLength(1);
  return outcome.state.observations[0] as { readonly content: string; readonly ok: boolean };
}

describe("a tool that may be tried again", () => {
  it("is, after waits that grow and are told, with one idempotency key", async () => {
    const keys = new Set<string>();
    const ran = await run(
      trying((attempt, call) => {
        keys.add(call.idempotencyKey);
        return attempt < 3 ? failing() : "4";
      }, "idempotent"),
    );
    expect(resultOf(ran)).toMatchObject({ ok: true, content: "4" });
    expect(keys.size).toBe(1);
    const told = retriesOf(ran);
    expect(told.map(({ tool, attempt, attempts }) => [tool, attempt, attempts])).toEqual([
      ["stock", 1, 3],
      ["stock", 2, 3],
    ]);
    expect(told[0]?.fault).toEqual({ code: "tool-failed", message: "the shelf is locked" });
    const [first = 0, second = 0] = told.map(({ waitMs }) => waitMs);
    expect(first).toBeGreaterThanOrEqual(500);
    expect(first).toBeLessThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(1_000);
    expect(second).toBeLessThanOrEqual(2_000);
    expect(ran.outcome.spending.toolCalls).toBe(1);
  });

  it("says at the end how often it was", async () => {
    const ran = await run(trying(() => failing()));
    expect(resultOf(ran)).toMatchObject({
      ok: false,
      content: "stock failed: the shelf is locked (tried 3 times)",
    });
  });

  it("keeps to what the spec says", async () => {
    const ran = await run(
      trying(() => failing()),
      "retry: { attempts: 5, first: 10s, max: 20s }",
    );
    const waits = retriesOf(ran).map(({ waitMs }) => waitMs);
    expect(waits).toHaveLength(4);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(5_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(20_000);
  });

  it("waits as long as its fault asks, and not at all where that is too long", async () => {
    const patient = await run(
      trying((attempt) => (attempt === 1 ? failing({ retryAfterMs: 7_000 }) : "4")),
    );
    expect(retriesOf(patient).map(({ waitMs }) => waitMs)).toEqual([7_000]);
    const hasty = await run(trying(() => failing({ retryAfterMs: 11_000 })));
    expect(retriesOf(hasty)).toEqual([]);
  });

  it("is after a fault of its connection, also below another error", async () => {
    const ran = await run(
      trying((attempt) => {
        if (attempt > 1) return "4";
        const cause = Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
        throw new TypeError("fetch failed", { cause });
      }),
    );
    expect(resultOf(ran)).toMatchObject({ ok: true, content: "4" });
    expect(retriesOf(ran)).toHaveLength(1);
  });

  it("is after a timeout; what one attempt did stays unsure where it acts", async () => {
    const ran = await run(
      trying((attempt) => {
        if (attempt === 1) return never;
        throw new ToolError("tool-failed", "no such item");
      }, "idempotent"),
      "timeout: 3s",
      (live, clock) => {
        live.on("tool-call.start", () => setImmediate(() => void clock.advance(3_000)));
        movedBy(clock)(live);
      },
    );
    expect(retriesOf(ran).map(({ fault }) => fault.code)).toEqual(["tool-timeout"]);
    expect(resultOf(ran).content).toBe(
      "no such item (tried 2 times): it may have taken effect; do not repeat it without looking",
    );
  });
});

describe("a tool that is not tried again", () => {
  const cases: readonly (readonly [string, ToolDefinition, string])[] = [
    ["because it must run once", trying(() => failing(), "once"), "approval: never"],
    ["because the spec says so", trying(() => failing()), "retry: 1"],
    [
      "because its fault stays",
      trying(() => {
        throw new ToolError("tool-failed", "no such item");
      }),
      "",
    ],
    [
      "because it broke",
      trying(() => {
        throw new Error("no such item");
      }),
      "",
    ],
    ["because its output is not what it declares", trying(() => 4), ""],
  ];
  it.each(cases)("%s", async (_name, tool, policy) => {
    const ran = await run(tool, policy);
    expect(retriesOf(ran)).toEqual([]);
    expect(resultOf(ran)).toMatchObject({ ok: false });
  });

  it("because its arguments are wrong", async () => {
    let count = 0;
    const tool = trying(() => ++count);
    const ran = await runScripted(
      "tools: [stock]\nstrategy: react\n",
      [{ calls: [{ name: "stock", arguments: { item: 4 } }] }, "ok"],
      { plugins: [tool] },
    );
    expect(count).toBe(0);
    expect(retriesOf(ran)).toEqual([]);
  });

  it("because the run was aborted while it waited: nothing starts afterwards", async () => {
    let count = 0;
    const ran = await run(
      trying(() => {
        count += 1;
        return failing();
      }),
      "",
      (live) => live.on("tool.retried", () => setImmediate(() => live.abort("enough"))),
    );
    expect(ran.outcome.outcome).toBe("aborted");
    expect(count).toBe(1);
    expect(resultOf(ran)).toMatchObject({ ok: false });
  });
});

describe("a tool that proposes its own policy", () => {
  const preset = defineTool({
    id: "weather",
    description: "Tells the weather.",
    options: Type.Object({}),
    input: Type.Object({ item: Type.String() }),
    effect: "read",
    policy: { timeoutMs: 2_000, retry: { attempts: 1 }, cacheMs: 60_000, maxResult: 500 },
    create: () => () => never,
  });

  it.each([
    ["tools: [weather]\n", "", 2_000],
    ["tools: { weather: { timeout: 9s } }\n", "", 9_000],
    ["toolPolicy: { timeout: 8s }\ntools: [weather]\n", "", 8_000],
    ["tools: [weather]\n", "{ tools: { weather: { timeout: 1s } } }", 1_000],
  ])("has it below %j and the stage %j", async (tools, stage, timeoutMs) => {
    const clock = testClock();
    const ran = await runScripted(
      `${tools}strategy: { react: ${stage === "" ? "{}" : stage} }\n`,
      [calling("weather", "Ulm"), "ok"],
      {
        plugins: [preset],
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("tool-call.start", () => setImmediate(() => void clock.advance(timeoutMs))),
      },
    );
    expect(ran.outcome.state.observations[0]?.content).toContain(`within ${timeoutMs} ms`);
    expect(retriesOf(ran)).toEqual([]);
  });
});
