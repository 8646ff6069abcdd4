import {
  Clock,
  createApp,
  type PluginPackage,
  provide,
  type Run,
  type RunEvent,
} from "@loopwright/core";
import {
  defineProvider,
  NO_USAGE,
  type Provider,
  type ProviderDefinition,
  ProviderError,
  type ProviderReply,
  type ProviderRequest,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { builtIn, packageOf, specOf, toolOf } from "../promises/run-scripted.ts";
import { type TestClock, testClock } from "../test-clock.ts";
import { timeKeeper } from "./endpoint-app.ts";

type Generate = Provider["generate"];

const busy = (details: Readonly<Record<string, unknown>> = {}): ProviderError =>
  new ProviderError("provider-unavailable", "busy", { retryable: true, details });
const replyOf = (text: string): ProviderReply => ({
  message: { role: "assistant", text, reasoning: "", toolCalls: [] },
  usage: { ...NO_USAGE, input: 1, output: 1 },
  finishReason: "stop",
});

/** A provider with one account for all its models. */
function endpoint(generate: Generate): ProviderDefinition {
  return defineProvider({
    id: "stub",
    description: "A stub.",
    options: Type.Object({}),
    create: () => ({
      generate,
      capabilities: () => ({ tools: true, structured: "json-schema", streams: true }),
      place: () => ({ endpoint: "stub", account: "stub#1" }),
    }),
  });
}

interface Started {
  readonly run: Run;
  readonly events: readonly RunEvent[];
  readonly bounds: number;
}

async function open(generate: Generate, clock: TestClock = testClock()) {
  const plugins: PluginPackage[] = [...builtIn, packageOf([endpoint(generate)])];
  const services = [provide(Clock, clock)];
  const app = await createApp({ plugins, services, discovery: false, env: {} });
  const keep = timeKeeper(clock);
  const start = async (body: string): Promise<Started> => {
    const program = await app.compile({ text: specOf(body) });
    const run = app.start(program);
    const events: RunEvent[] = [];
    run.on("*", (event) => {
      events.push(event);
      keep(event);
    });
    return { run, events, bounds: program.program.bounds.attempts };
  };
  return { app, clock, start };
}

describe("an endpoint that asks for a longer wait than `retry.max`", () => {
  const asking =
    (waitMs: number, asked: string[] = []): Generate =>
    async ({ model }) => {
      asked.push(model);
      if (model === "one" && asked.filter((name) => name === "one").length === 1)
        throw busy({ retryAfterMs: waitMs });
      return replyOf(`from ${model}`);
    };

  it("is left alone at that model; a fallback on the same account answers", async () => {
    const asked: string[] = [];
    const { app, start } = await open(asking(3_600_000, asked));
    const { run } = await start(
      "model: { use: stub/one, fallback: [stub/two] }\nstrategy: [{ direct: { id: a } }, { direct: { id: b } }]\n",
    );
    expect(await run.outcome).toMatchObject({ outcome: "done", answer: { text: "from two" } });
    expect(asked).toEqual(["one", "two", "two"]);
    await app.close();
  });

  it("is asked again after ten minutes, by one call, whatever it asked for; till then faults say how long", async () => {
    const { app, clock, start } = await open(asking(9e12));
    const body = "model: { use: stub/one, retry: 1 }\nstrategy: direct\n";
    await (await start(body)).run.outcome;
    const { run, events } = await start(body);
    const { fault } = await run.outcome;
    expect(fault).toMatchObject({ details: { isHeldBack: true, waitMs: 600_000 } });
    expect(fault?.message).toMatch(/no call goes there for (?:600s|10m) more/u);
    expect(events.at(-1)).toMatchObject({ name: "run.end", data: { fault } });
    await clock.advance(600_000);
    expect(await (await start(body)).run.outcome).toMatchObject({ outcome: "done" });
    await app.close();
  });
});

describe("a reply that breaks off after its first piece", () => {
  const breaking: Generate = async ({ model }, { onDelta, onActivity }) => {
    if (model === "two") return replyOf("whole");
    onActivity?.();
    onDelta?.({ kind: "text", text: "half of " });
    throw busy();
  };

  it("is left to no other model: its pieces were read", async () => {
    const { app, start } = await open(breaking);
    const { run, events } = await start(
      "model: { use: stub/one, retry: 3, fallback: [stub/two] }\nstrategy: direct\n",
    );
    expect(await run.outcome).toMatchObject({
      outcome: "failed",
      fault: { message: "busy" },
      spending: { modelCalls: 1 },
    });
    expect(events.filter(({ name }) => name === "model-call.delta")).toHaveLength(1);
    await app.close();
  });
});

describe("calls that all fail", () => {
  it("are never more than `explain` says, over tries, fallbacks and lower layers", async () => {
    let asked = 0;
    const failing: Generate = async ({ key, output }: ProviderRequest) => {
      asked += 1;
      const layer = output?.layer;
      if (layer === "json-schema" || layer === "json-mode")
        throw new ProviderError("provider-rejected", "no", { details: { lacks: layer } });
      if (key.includes("retry:2")) return replyOf("no json");
      throw busy();
    };
    const { app, start } = await open(failing);
    const more = "retry: 3, breaker: none";
    const { run, bounds } = await start(
      `model: { use: stub/one, ${more}, fallback: [{ use: stub/two, ${more} }] }\n` +
        "strategy: [{ direct: { id: a, onError: continue } }, { direct: { id: b } }]\n" +
        "output: { fields: { a: string }, repair: 2 }\n",
    );
    const { spending } = await run.outcome;
    expect(spending.modelCalls).toBe(asked);
    expect(asked).toBeLessThanOrEqual(bounds);
    // Each of the first rounds goes down twice and is tried three times.
    expect(asked).toBeGreaterThan(10);
    await app.close();
  });
});

describe("what a model signed", () => {
  it("is dropped where a secret was struck out of it", async () => {
    const secret = "canary-secret-0123456789";
    const seen: ProviderRequest[] = [];
    const answers = (thought: string): ProviderReply => ({
      ...replyOf(""),
      message: {
        role: "assistant",
        text: "",
        reasoning: thought,
        toolCalls: [{ id: "c", name: "look", arguments: "{}" }],
        opaque: { content: [{ thinking: thought, signature: "SIG" }] },
      },
    });
    const replies = [answers(`It said ${secret}.`), answers("Clean."), replyOf("done")];
    const generate: Generate = async (request) => {
      seen.push(request);
      return replies[seen.length - 1] ?? replyOf("done");
    };
    const app = await createApp({
      plugins: [...builtIn, packageOf([endpoint(generate), toolOf("look", () => "seen")])],
      discovery: false,
      env: { MY_SECRET_KEY: secret },
    });
    const program = await app.compile({
      text: specOf("model: stub/one\ntools: [look]\nstrategy: react\n"),
    });
    expect(await app.start(program).outcome).toMatchObject({ outcome: "done" });
    const kept = seen[2]?.messages.flatMap((one) => (one.role === "assistant" ? [one.opaque] : []));
    expect(kept).toEqual([undefined, { content: [{ thinking: "Clean.", signature: "SIG" }] }]);
    expect(JSON.stringify(seen[2]?.messages)).not.toContain(secret);
    await app.close();
  });
});
