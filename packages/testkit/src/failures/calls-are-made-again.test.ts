import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, createApp, provide, type RunEvent } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";
import { providers, scriptedProvider, type ScriptedReply } from "@loopwright/providers";
import { afterEach, describe, expect, it } from "vitest";
import { canonicalEvents, eventNames, unbalanced } from "../events.ts";
import { builtIn, packageOf, runScripted, specOf } from "../promises/run-scripted.ts";
import { runSpec } from "../run-spec.ts";
import { type TestClock, testClock } from "../test-clock.ts";
import { timeKeeper } from "./endpoint-app.ts";

const busy: ScriptedReply = {
  error: { code: "provider-unavailable", message: "busy", retryable: true },
};
const model = (more: string): string => `model: { use: stub/model, ${more} }\n`;

/** Runs on a clock that passes the waits which are told. */
async function run(
  body: string,
  replies: Parameters<typeof runScripted>[1],
  clock: TestClock = testClock(),
) {
  const keep = timeKeeper(clock);
  const result = await runScripted(body, replies, {
    services: [provide(Clock, clock)],
    onRun: (one) => void one.on("*", keep),
  });
  expect(unbalanced(result.events)).toEqual([]);
  return result;
}

const dataOf = <N extends RunEvent["name"]>(events: readonly RunEvent[], name: N) =>
  events.flatMap((event) => (event.name === name ? [event] : [])) as Extract<
    RunEvent,
    { name: N }
  >[];

describe("a call that fails", () => {
  it("is a call of its own each time, under a key of its own", async () => {
    const { outcome, events, requests } = await run(`${model("retry: 3")}strategy: direct\n`, [
      busy,
      busy,
      "hello",
    ]);
    expect(outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 3 } });
    const key = requests[0]?.key ?? "";
    expect(requests.map((request) => request.key)).toEqual([
      key,
      `${key}.retry:1`,
      `${key}.retry:2`,
    ]);
    expect(eventNames(events, { without: ["model-call.delta"] }).slice(2, -3)).toEqual([
      "model-call.start",
      "model-call.end",
      "call.retried",
      "model-call.start",
      "model-call.end",
      "call.retried",
      "model-call.start",
      "model-call.end",
    ]);
  });

  it("ends at once when the run is aborted in the middle of a wait", async () => {
    const clock = testClock();
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", () => busy)])],
      services: [provide(Clock, clock)],
      discovery: false,
      env: {},
    });
    const program = await app.compile({
      text: specOf(`${model("retry: { attempts: 3, first: 10s }")}strategy: direct\n`),
    });
    const aborter = new AbortController();
    const one = app.start(program, {}, { signal: aborter.signal });
    const events: RunEvent[] = [];
    await new Promise<void>((resolve) => {
      one.on("*", (event) => {
        events.push(event);
        if (event.name === "call.retried") setImmediate(resolve);
      });
    });
    expect(clock.timers).toBe(1);
    const abortedAt = clock.now();
    aborter.abort(new Error("stop"));
    const { outcome, spending } = await one.outcome;
    expect(outcome).toBe("aborted");
    // The wait that ended sent nothing.
    expect(spending.modelCalls).toBe(1);
    expect((events.at(-1)?.time ?? 0) - abortedAt).toBeLessThanOrEqual(100);
    expect(clock.timers).toBe(0);
    expect(unbalanced(events)).toEqual([]);
    await app.close();
  });

  it("is not made again where a limit can't hold it: its fault is told", async () => {
    const { outcome, requests } = await run(
      `${model("retry: 5")}strategy: direct\nlimits: { modelCalls: 3 }\n`,
      () => busy,
    );
    expect(outcome).toMatchObject({ outcome: "failed", fault: { message: "busy" } });
    // The third is held back for a conclusion.
    expect(requests).toHaveLength(2);
    expect(outcome.spending.modelCalls).toBe(2);
  });

  it("stays failed where its script does not say that it may be tried again", async () => {
    const fault = { code: "provider-unavailable", message: "down" } as const;
    const { outcome, requests } = await run(`${model("retry: 5")}strategy: direct\n`, [
      { error: fault },
    ]);
    expect(outcome).toMatchObject({ outcome: "failed", fault });
    expect(requests).toHaveLength(1);
  });

  it("counts what a failed attempt used, where its fault says it", async () => {
    const usage = { input: 7, cacheRead: 0, cacheWrite: 0, output: 3, reasoning: 0 };
    const { outcome } = await run(`${model("retry: 2")}strategy: direct\n`, [
      { error: { ...busy.error, details: { usage } } as ScriptedReply["error"] & object },
      { text: "hello", usage: { input: 1, output: 1 } },
    ]);
    expect(outcome.spending.usage).toMatchObject({ input: 8, output: 4 });
  });
});

describe("an endpoint that fails again and again", () => {
  const BREAKER = "retry: 1, breaker: { failures: 2, rest: 30s }";

  it("is left alone for a while: calls fail at once and say until when", async () => {
    let asked = 0;
    const strategy = "strategy:\n  - fallback: { try: [direct, direct, direct, direct] }\n";
    const { outcome, events } = await run(`${model(BREAKER)}${strategy}`, () => {
      asked += 1;
      return busy;
    });
    expect(asked).toBe(2);
    expect(dataOf(events, "breaker.opened").map(({ data }) => data)).toEqual([
      { model: "stub/model", failures: 2, restMs: 30_000 },
    ]);
    expect(outcome.spending.modelCalls).toBe(2);
    expect(outcome.fault?.message).toMatch(/no call goes there for 30s more/u);
  });

  it("gives its calls to the next model at once", async () => {
    const keys: string[] = [];
    const other = scriptedProvider("other", ({ key }) => {
      keys.push(key);
      return "from the other";
    });
    const clock = testClock();
    const fallback = `${model(`${BREAKER}, fallback: [other/model]`)}strategy: [{ direct: { id: a } }, { direct: { id: b } }, { direct: { id: c } }]\n`;
    const result = await runScripted(fallback, () => busy, {
      plugins: [other],
      services: [provide(Clock, clock)],
    });
    expect(result.outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 5 } });
    expect(keys).toHaveLength(3);
    expect(result.requests).toHaveLength(2);
    expect(dataOf(result.events, "call.retried").at(-1)?.data).toMatchObject({
      model: "stub/model",
      nextModel: "other/model",
      waitMs: 0,
    });
    expect(clock.timers).toBe(0);
  });
});

const LACKS: ScriptedReply = {
  layer: "json-schema",
  error: { code: "provider-rejected", message: "no schemas", details: { lacks: "json-schema" } },
};

describe("an endpoint that lacks a layer", () => {
  it("is asked again on a lower one, beside the tries, and never again on the one above", async () => {
    const { outcome, events, requests } = await run(
      `${model("retry: 2")}strategy: [{ direct: { id: a } }, { direct: { id: b } }]\noutput: { fields: { total: number } }\n`,
      (request) => {
        if (request.output?.layer === "json-schema") return LACKS;
        if (request.key.endsWith("lower:1")) return busy;
        return { json: { total: 4 } };
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", value: { total: 4 } });
    const key = requests[0]?.key ?? "";
    expect(requests.slice(0, 3).map((one) => [one.key, one.output?.layer])).toEqual([
      [key, "json-schema"],
      [`${key}.lower:1`, "json-mode"],
      [`${key}.retry:1`, "json-mode"],
    ]);
    expect(requests.filter(({ output }) => output?.layer === "json-schema")).toHaveLength(1);
    expect(dataOf(events, "constraint.lowered")).toHaveLength(1);
    expect(dataOf(events, "call.retried")).toHaveLength(1);
    expect(outcome.spending.modelCalls).toBe(requests.length);
  });
});

describe("a recorded run with attempts that failed", () => {
  let root: string | undefined;
  afterEach(() => (root === undefined ? undefined : rm(root, { recursive: true, force: true })));

  it("replays to the same events without its waits", async () => {
    root = await mkdtemp(join(tmpdir(), "loopwright-retries-"));
    const log = join(root, "run.jsonl");
    const sink = `sinks: [{ jsonl: { path: ${JSON.stringify(log)} } }]\n`;
    const body =
      "strategy:\n  - direct: { onError: continue }\n  - direct: { id: second }\noutput: { fields: { total: number } }\n";
    const replies = ({ key, stage, output }: ProviderRequest): ScriptedReply => {
      if (output?.layer === "json-schema") return LACKS;
      return stage === "direct" || !key.endsWith("retry:2") ? busy : { json: { total: 4 } };
    };
    const clock = testClock();
    const recorded = await runScripted(
      `${model("retry: { attempts: 4, max: 5s }, breaker: none")}${body}${sink}`,
      replies,
      {
        services: [provide(Clock, clock)],
        root,
        onRun: (one) => void one.on("*", timeKeeper(clock)),
      },
    );
    expect(recorded.outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 8 } });
    expect(clock.now()).toBeGreaterThan(testClock().now() + 5_000);

    const still = testClock();
    const replay = `model: { use: replay/model, file: ${JSON.stringify(log)} }\n`;
    const replayed = await runSpec(specOf(`${replay}${body}`), {
      plugins: [...builtIn, providers],
      services: [provide(Clock, still)],
      root,
    });
    const story = (events: readonly RunEvent[]): readonly string[] =>
      canonicalEvents(events)
        .filter((line) => !line.includes('"run.start"'))
        .map((line) => line.replaceAll("replay/model", "stub/model"));
    expect(story(replayed.events)).toEqual(story(recorded.events));
    expect(still.now()).toBe(testClock().now());
    expect(still.timers).toBe(0);
  });
});
