import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, provide, type Run, type RunEvent } from "@loopwright/core";
import {
  defineProvider,
  defineSink,
  ProviderError,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import type { ScriptedReplies } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { calling, runScripted, type ScriptedRunOptions, toolOf } from "../promises/run-scripted.ts";
import { type TestClock, testClock } from "../test-clock.ts";

// vercel/ai#19966, mastra#7137, neurolink#1123, peerd#13: an abort at every place of a run.

const never = new Promise<never>(() => undefined);
const effects: string[] = [];
let root = "";

beforeEach(async () => {
  effects.length = 0;
  root = await mkdtemp(join(tmpdir(), "loopwright-aborts-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const stock = toolOf("stock", (item) => {
  effects.push(item);
  return `${item}: 4`;
});
const deaf = toolOf("deaf", (item) => {
  effects.push(item);
  return never;
});
const busy = toolOf("busy", (item) => {
  effects.push(item);
  throw new ToolError("tool-failed", "busy", { retryable: true });
});

/** What was sent to the model, by key. */
interface Watched {
  readonly requests: string[];
  readonly clock: TestClock;
}

/** Where the abort comes: told by an event, or by the world of the test. */
type At = (event: RunEvent) => boolean;

const named =
  (name: RunEvent["name"], key = /./): At =>
  (event) =>
    event.name === name && key.test(event.key);

/** Aborts once the event was told and what follows it at once has come to rest. */
async function abortedRun(
  body: string,
  replies: ScriptedReplies,
  at: At,
  options: ScriptedRunOptions = {},
) {
  const clock = testClock();
  const seen: Watched = { requests: [], clock };
  let before: readonly [number, number] | undefined;
  let abortedAt = Number.NaN;
  const abort = (live: Run): void => {
    before = [effects.length, seen.requests.length];
    abortedAt = clock.now();
    live.abort("enough");
    // A sink that takes nothing is waited for after the end, for a while.
    setImmediate(() => void clock.advance(100).then(() => clock.advance(60_000)));
  };
  const listen = (live: Run): void => {
    let isAborted = false;
    live.on("*", (event) => {
      if (isAborted || !at(event)) return;
      isAborted = true;
      setImmediate(() => abort(live));
    });
  };
  const watched: ScriptedReplies = (request) => {
    seen.requests.push(request.key);
    return typeof replies === "function" ? replies(request) : "unused";
  };
  const run = await runScripted(body, watched, {
    root,
    plugins: [stock, deaf, busy],
    ...options,
    services: [provide(Clock, clock)],
    onRun: listen,
  });
  expect(before, "the place of the abort is reached").toBeDefined();
  expect(run.outcome).toMatchObject({ outcome: "aborted", reason: "enough" });
  const end = run.events.findIndex(({ name }) => name === "run.end");
  const later = run.events.slice(end + 1).map(({ name }) => name);
  // That a sink was given up is known only when its time is over.
  expect(later.filter((name) => name !== "sink.failed")).toEqual([]);
  expect((run.events[end]?.time ?? Number.NaN) - abortedAt).toBeLessThanOrEqual(100);
  expect(unbalanced(run.events.slice(0, end + 1))).toEqual([]);
  expect(misnested(run.events)).toEqual([]);
  await clock.advance(3_600_000);
  expect([effects.length, seen.requests.length]).toEqual(before);
  expect(clock.timers).toBe(0);
  return run;
}

const REACT = "tools: [stock, deaf, busy]\nstrategy: [react, { direct: { id: later } }]\n";
const calls =
  (tool: string, ...items: readonly string[]): ScriptedReplies =>
  ({ messages }) =>
    messages.at(-1)?.role === "user" ? calling(tool, ...items) : "done";

describe("an abort", () => {
  it("between the stream's end and the dispatch of its calls", async () => {
    const clock = testClock();
    const seen: string[] = [];
    const run = await runScripted(REACT, [calling("stock", "nut")], {
      plugins: [stock, deaf, busy],
      services: [provide(Clock, clock)],
      onRun: (live) =>
        live.on("model-call.end", ({ key }) => {
          seen.push(key);
          live.abort("enough");
        }),
    });
    expect(run.outcome.outcome).toBe("aborted");
    expect(seen).toHaveLength(1);
    expect(effects).toEqual([]);
    expect(run.events.map(({ name }) => name)).not.toContain("tool-call.start");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("in the stream, which goes on unheard", async () => {
    let say: ((text: string) => void) | undefined;
    const stream = defineProvider({
      id: "stream",
      description: "Says pieces when it is told to.",
      options: Type.Object({}),
      create: () => ({
        generate: (_request, { onDelta }) => {
          say = (text) => onDelta?.({ kind: "text", text });
          say("one ");
          return never;
        },
        capabilities: () => ({ tools: true, structured: "json-schema" }),
      }),
    });
    const run = await abortedRun(
      "model: stream/x\nstrategy: direct\n",
      () => "unused",
      named("model-call.delta"),
      { plugins: [stream] },
    );
    say?.("two");
    const deltas = run.events.filter(({ name }) => name === "model-call.delta");
    expect(deltas).toHaveLength(1);
  });

  it("in a tool that ignores the signal, beside one that is done", async () => {
    await abortedRun(
      REACT,
      ({ messages }) =>
        messages.at(-1)?.role === "user"
          ? {
              calls: [
                { name: "stock", arguments: { item: "nut" } },
                { name: "deaf", arguments: { item: "bolt" } },
              ],
            }
          : "done",
      named("tool-call.end"),
    );
    expect(effects).toEqual(["nut", "bolt"]);
  });

  it("in the wait before a model is called again", async () => {
    await abortedRun(
      "model: { use: stub/model, retry: { attempts: 3, first: 1s, max: 2s } }\nstrategy: direct\n",
      () => ({ error: { code: "provider-unavailable", message: "busy", retryable: true } }),
      named("call.retried"),
    );
  });

  it("in the wait before a tool is called again", async () => {
    await abortedRun(
      "tools: { busy: { retry: { attempts: 3, first: 1s, max: 2s } } }\nstrategy: react\n",
      calls("busy", "nut"),
      named("tool.retried"),
    );
    expect(effects).toEqual(["nut"]);
  });

  it("in the wait for the rate of an account", async () => {
    await abortedRun(
      "model: { use: stub/model, rateLimit: 1/1m }\nstrategy: [direct, { direct: { id: second } }]\n",
      () => "one",
      named("call.delayed"),
    );
  });

  it("in the wait for the rate of a tool", async () => {
    await abortedRun(
      "tools: { stock: { rateLimit: 1/1m } }\nstrategy: react\n",
      calls("stock", "nut", "bolt"),
      named("tool.delayed"),
    );
    expect(effects).toEqual(["nut"]);
  });

  it("while a person is asked about two calls at once", async () => {
    await abortedRun(
      "tools: { stock: { approval: always } }\nstrategy: react\n",
      calls("stock", "nut", "bolt"),
      named("approval.requested", /call:1/),
    );
    expect(effects).toEqual([]);
  });

  it("in the conclusion of a run that met a limit", async () => {
    let isHeld = false;
    const slow = defineProvider({
      id: "slow",
      description: "Never concludes.",
      options: Type.Object({}),
      create: () => ({
        generate: ({ key, tools }) => {
          isHeld = key.includes("/conclusion/");
          if (isHeld) return never;
          const toolCalls = tools.length === 0 ? [] : [{ id: key, name: "stock", arguments: "{}" }];
          return Promise.resolve({
            message: { role: "assistant", text: "", reasoning: "", toolCalls },
            usage: { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 },
            finishReason: "stop",
          });
        },
        capabilities: () => ({ tools: true, structured: "json-schema" }),
      }),
    });
    await abortedRun(
      "model: slow/x\ntools: [stock]\nstrategy: react\nlimits: { modelCalls: 2 }\n",
      () => "unused",
      named("model-call.start", /conclusion/),
      { plugins: [stock, slow] },
    );
    expect(isHeld).toBe(true);
  });

  it("in a stage that always runs, after a failure", async () => {
    const fail = defineProvider({
      id: "fail",
      description: "Fails, then hangs.",
      options: Type.Object({}),
      create: () => ({
        generate: ({ stage }) =>
          stage === "last" ? never : Promise.reject(new ProviderError("provider-rejected", "no")),
        capabilities: () => ({ tools: true, structured: "json-schema" }),
      }),
    });
    await abortedRun(
      "model: fail/x\nstrategy:\n  - direct\n  - direct: { id: last, always: true }\n  - direct: { id: after, always: true }\n",
      () => "unused",
      named("model-call.start", /last/),
      { plugins: [fail] },
    );
  });

  it("while a sink holds the run back", async () => {
    const blocking = defineSink({
      id: "blocking",
      description: "Takes nothing.",
      options: Type.Object({}),
      overflow: { maxEvents: 2, maxBytes: 1_000_000, policy: "block" },
      create: () => ({ handle: () => never }),
    });
    const run = await abortedRun(
      "sinks: [blocking]\ntools: [stock]\nstrategy: react\n",
      calls("stock", "nut"),
      named("step.start"),
      { plugins: [stock, blocking] },
    );
    expect(run.events.map(({ name }) => name)).not.toContain("model-call.start");
  });
});

describe("an abort inside an agent", () => {
  const HEAD = "apiVersion: loopwright/v1\nname: inner\nmodel: stub/model\n";

  async function inAgent(inner: string, outer: string, replies: ScriptedReplies, at: At) {
    await writeFile(join(root, "inner.yaml"), HEAD + inner);
    return abortedRun(outer, replies, at);
  }

  it.each(["stage", "tool"] as const)("that is a %s, in a deaf tool of it", async (kind) => {
    const outer =
      kind === "stage"
        ? "strategy: [{ agent: { spec: inner.yaml } }, { direct: { id: later } }]\n"
        : "tools: { inner: { use: agent, spec: inner.yaml } }\nstrategy: react\n";
    await inAgent(
      "task: Count.\ntools: [deaf]\nstrategy: [react, { direct: { id: after } }]\n",
      outer,
      ({ tools }) =>
        tools.some(({ name }) => name === "inner")
          ? { calls: [{ name: "inner", arguments: {} }] }
          : calling("deaf", "bolt"),
      (event) => event.name === "tool-call.start" && event.data.tool === "deaf",
    );
    expect(effects).toEqual(["bolt"]);
  });

  it("that is a tool, while a person is asked there", async () => {
    await inAgent(
      "task: Count.\ntools: { stock: { approval: always } }\nstrategy: react\n",
      "tools: { inner: { use: agent, spec: inner.yaml } }\nstrategy: react\n",
      ({ tools }) =>
        tools.some(({ name }) => name === "inner")
          ? { calls: [{ name: "inner", arguments: {} }] }
          : calling("stock", "bolt"),
      named("approval.requested"),
    );
    expect(effects).toEqual([]);
  });
});

it("ends within two seconds of real time, an agent as a tool with a deaf tool inside", async () => {
  await writeFile(
    join(root, "inner.yaml"),
    "apiVersion: loopwright/v1\nname: inner\nmodel: stub/model\ntask: Count.\ntools: [deaf]\nstrategy: react\n",
  );
  let abortedAt = Number.NaN;
  const run = await runScripted(
    "tools: { inner: { use: agent, spec: inner.yaml } }\nstrategy: react\n",
    ({ tools }) =>
      tools.some(({ name }) => name === "inner")
        ? { calls: [{ name: "inner", arguments: {} }] }
        : calling("deaf", "bolt"),
    {
      root,
      plugins: [deaf],
      onRun: (live) =>
        live.on("tool-call.start", ({ data }) => {
          if (data.tool !== "deaf") return;
          abortedAt = Date.now();
          live.abort();
        }),
    },
  );
  expect(run.outcome.outcome).toBe("aborted");
  expect(Date.now() - abortedAt).toBeLessThan(2_000);
});
