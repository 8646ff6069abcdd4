import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type {
  Delta,
  EventName,
  FileFault,
  Provider,
  ProviderReply,
  ProviderRequest,
} from "@loopwright/core/plugin";
import { NO_USAGE } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { createProvider, stubRequest } from "../../testkit/src/stub-servers/stub-request.ts";
import { replay } from "./replay.ts";

const signal = new AbortController().signal;

interface Call {
  /** What the run did after the call failed. */
  readonly after?: readonly (readonly [EventName, unknown])[];
  readonly key: string;
  readonly hash?: string;
  readonly text?: string;
  readonly asked?: string;
  readonly fault?: { readonly code: string; readonly message: string };
  readonly deltas?: readonly Delta[];
  readonly runId?: string;
}

function eventsOf(call: Call, index: number): readonly unknown[] {
  const {
    key,
    hash = "h",
    text = "",
    asked = "hello",
    fault,
    deltas = [],
    runId = "recorded",
    after = [],
  } = call;
  const event = (name: EventName, data: unknown): unknown => ({
    v: 1,
    runId,
    spanId: `s${index}`,
    key,
    name,
    data,
  });
  const messages = [{ role: "user", text: asked }];
  return [
    event("stage.start", { strategy: "direct", path: "strategy" }),
    event("model-call.start", {
      model: "m",
      voice: "answer",
      messages,
      messagesBefore: 0,
      tools: [],
      requestHash: hash,
    }),
    ...deltas.map((delta) => event("model-call.delta", delta)),
    event("model-call.end", {
      model: "m",
      outcome: fault === undefined ? "done" : "failed",
      text,
      reasoning: "",
      toolCalls: [],
      usage: { ...NO_USAGE, output: 3 },
      ...(fault === undefined ? { finishReason: "stop" } : { fault }),
    }),
    ...after.map(([name, data]) => event(name, data)),
  ];
}

async function record(calls: readonly Call[], tail = ""): Promise<Provider> {
  const file = join(await mkdtemp(join(tmpdir(), "replay-")), "run.jsonl");
  const lines = calls.flatMap(eventsOf).map((event) => JSON.stringify(event));
  await writeFile(file, `${lines.join("\n")}\n${tail}`);
  return createProvider(replay, { file });
}

function ask(provider: Provider, changes: Partial<ProviderRequest>): Promise<ProviderReply> {
  return provider.generate(stubRequest(changes), { signal });
}

describe("a replay", () => {
  it("serves by step key, in any order, anew for each run", async () => {
    const provider = await record([
      { key: "a", text: "A" },
      { key: "b", text: "B" },
    ]);
    for (const runId of ["one", "two"]) {
      expect((await ask(provider, { key: "b", runId })).message.text).toBe("B");
      expect(await ask(provider, { key: "a", runId, requestHash: "h" })).toEqual({
        message: { role: "assistant", text: "A", reasoning: "", toolCalls: [] },
        usage: { ...NO_USAGE, output: 3 },
        finishReason: "stop",
      });
    }
  });

  it("serves attempts under one key in their order, faults as they were", async () => {
    const fault = { code: "provider-unavailable", message: "busy" };
    const provider = await record([
      { key: "a", fault },
      { key: "a", text: "then" },
    ]);
    await expect(ask(provider, { key: "a" })).rejects.toMatchObject({
      ...fault,
      retryable: false,
      details: { replayed: true },
    });
    expect((await ask(provider, { key: "a" })).message.text).toBe("then");
  });

  it("knows of a fault how often and after which wait it was tried again, which layer it denied, and what it used", async () => {
    const fault = { code: "provider-unavailable", message: "busy" };
    const again = { model: "m", nextModel: "m", fault, attempt: 1, attempts: 4, waitMs: 700 };
    const provider = await record([
      { key: "a", fault, after: [["call.retried", again]] },
      { key: "b", fault, after: [["call.retried", { ...again, nextModel: "n" }]] },
      {
        key: "c",
        fault,
        after: [["constraint.lowered", { from: "json-schema", to: "json-mode" }]],
      },
    ]);
    const usage = { ...NO_USAGE, output: 3 };
    await expect(ask(provider, { key: "a" })).rejects.toMatchObject({
      retryable: true,
      details: { replayed: true, attempts: 4, waitMs: 700, usage },
    });
    await expect(ask(provider, { key: "b" })).rejects.toMatchObject({ retryable: false });
    await expect(ask(provider, { key: "c" })).rejects.toMatchObject({
      retryable: false,
      details: { lacks: "json-schema" },
    });
  });

  it("tells the pieces that came before a fault", async () => {
    const fault = { code: "provider-timeout", message: "silent" };
    const deltas: readonly Delta[] = [{ kind: "text", text: "half" }];
    const provider = await record([{ key: "a", fault, deltas }]);
    const heard: Delta[] = [];
    const call = { signal, onDelta: (delta: Delta) => heard.push(delta) };
    await expect(provider.generate(stubRequest({ key: "a" }), call)).rejects.toMatchObject(fault);
    expect(heard).toEqual(deltas);
  });

  it("serves by hash, each once, when no key fits", async () => {
    const provider = await record([
      { key: "a", hash: "x", text: "1" },
      { key: "b", hash: "x", text: "2" },
    ]);
    expect((await ask(provider, { key: "new", requestHash: "x" })).message.text).toBe("1");
    expect((await ask(provider, { key: "newer", requestHash: "x" })).message.text).toBe("2");
    await expect(ask(provider, { key: "newest", requestHash: "x" })).rejects.toMatchObject({
      code: "replay-miss",
    });
  });

  it("tells the deltas that were recorded", async () => {
    const deltas: Delta[] = [
      { kind: "reasoning", text: "hm" },
      { kind: "text", text: "A" },
    ];
    const provider = await record([{ key: "a", text: "A", deltas }]);
    const told: Delta[] = [];
    await provider.generate(stubRequest({ key: "a" }), {
      signal,
      onDelta: (delta) => told.push(delta),
    });
    expect(told).toEqual(deltas);
  });
});

describe("a miss", () => {
  it("shows how the request differs", async () => {
    const provider = await record([{ key: "a", hash: "old", asked: "What is 1+1 in words?" }]);
    await expect(
      ask(provider, {
        key: "a",
        requestHash: "new",
        messages: [{ role: "user", text: "What is 1+2 in words?" }],
      }),
    ).rejects.toMatchObject({
      code: "replay-miss",
      message: expect.stringMatching(
        /under the key a: hash old is now new; the last message differs.*1\+1 in words.*1\+2 in words/,
      ) as string,
      details: { recordedHash: "old", requestHash: "new" },
    });
  });

  it("names the nearest keys", async () => {
    const provider = await record(
      ["plan/generate:0", "react/generate:0", "react/generate:1"].map((key) => ({ key })),
    );
    await expect(ask(provider, { key: "react/generate:2" })).rejects.toMatchObject({
      code: "replay-miss",
      retryable: false,
      message: expect.stringMatching(
        /no reply for the key react\/generate:2; 3 of its 3 calls.*nearest under react\/generate:0, react\/generate:1/,
      ) as string,
    });
  });

  it("says that a reply is used up", async () => {
    const provider = await record([{ key: "a" }]);
    await ask(provider, { key: "a" });
    await expect(ask(provider, { key: "a" })).rejects.toThrow(
      /no further reply for the key a; 0 of its 1 calls/,
    );
  });
});

describe("a broken recording", () => {
  it("is named with its line", async () => {
    await expect(ask(await record([{ key: "a" }], "{nope"), { key: "a" })).rejects.toThrow(
      /Line 4 of the recording .* is not JSON/,
    );
    await expect(
      ask(await record([{ key: "a" }, { key: "b", runId: "other" }]), {}),
    ).rejects.toThrow(/begins another run \(other\)/);
    await expect(ask(createProvider(replay, { file: "/nowhere.jsonl" }), {})).rejects.toThrow(
      /can't read \/nowhere.jsonl/,
    );
  });

  it.each([
    ['{"name":"run.start","runId":"1","data":{}}\n{nope', 2, /^the line is not JSON/],
    ["\n3\n", 2, /^the line is not an event$/],
    [
      '{"name":"model-call.end","runId":"1","data":{"text":"a"}}',
      1,
      /^the line is no whole `model-call\.end`$/,
    ],
  ])("is found before a run, at its line: %j", async (text, line, message) => {
    const file = join(await mkdtemp(join(tmpdir(), "replay-")), "run.jsonl");
    await writeFile(file, text);
    const inspect = replay.inspect as (options: object) => readonly FileFault[];
    expect(inspect({ file })).toMatchObject([
      { file, line, message: expect.stringMatching(message) as string },
    ]);
  });
});
