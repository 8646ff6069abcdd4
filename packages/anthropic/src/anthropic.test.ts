import type {
  Delta,
  Json,
  Provider,
  ProviderReply,
  ProviderRequest,
} from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import type { StubMessage } from "../../testkit/src/stub-servers/anthropic-wire.ts";
import {
  type StubAnthropic,
  stubAnthropic,
} from "../../testkit/src/stub-servers/stub-anthropic.ts";
import {
  createProvider,
  type StubServices,
  stubRequest,
} from "../../testkit/src/stub-servers/stub-request.ts";
import { anthropic } from "./anthropic.ts";

const signal = new AbortController().signal;
let server: StubAnthropic | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(reply: StubMessage): Promise<StubAnthropic> {
  await server?.close();
  server = await stubAnthropic({ replies: () => reply });
  return server;
}

type Options = Readonly<Record<string, unknown>>;

function connect(baseUrl: string, options: Options = {}, services: StubServices = {}): Provider {
  return createProvider(anthropic, { baseUrl, ...options }, services);
}

interface Asked extends ProviderReply {
  readonly deltas: readonly Delta[];
  readonly activityCount: number;
}

async function ask(
  reply: StubMessage,
  options: Options = {},
  changes: Partial<ProviderRequest> = {},
): Promise<Asked> {
  const deltas: Delta[] = [];
  let activityCount = 0;
  const provider = connect((await serve(reply)).url, options);
  const answer = await provider.generate(stubRequest(changes), {
    signal,
    onDelta: (delta) => deltas.push(delta),
    onActivity: () => (activityCount += 1),
  });
  return { ...answer, deltas, activityCount };
}

const full: StubMessage = {
  text: "The köttbullar cost 5 €.",
  reasoning: "Let me look: 価格.",
  signature: "EqQBCgIYAhIM1gbcDa9GJwZA2b3h",
  calls: [
    { id: "toolu_1", name: "price", arguments: '{"item":"köttbullar"}' },
    { id: "toolu_2", name: "stock", arguments: "{}" },
  ],
  usage: {
    input_tokens: 20,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 40,
    output_tokens: 12,
    output_tokens_details: { thinking_tokens: 7 },
  },
};

const fullReply = {
  message: {
    role: "assistant",
    text: full.text,
    reasoning: full.reasoning,
    toolCalls: full.calls,
    opaque: {
      content: [
        { type: "thinking", thinking: full.reasoning, signature: full.signature },
        { type: "text", text: full.text },
        { type: "tool_use", id: "toolu_1" },
        { type: "tool_use", id: "toolu_2" },
      ],
    },
  },
  usage: { input: 20, cacheRead: 100, cacheWrite: 40, output: 12, reasoning: 7 },
  finishReason: "tool-calls",
};

describe("replies", () => {
  it("come whole", async () => {
    const { deltas, activityCount, ...reply } = await ask(full, { stream: false });
    expect(reply).toEqual(fullReply);
    expect([deltas, activityCount]).toEqual([[], 0]);
  });

  it.each([undefined, 1, 7, 1_000])("come in pieces of %s bytes", async (pieceBytes) => {
    const cut = pieceBytes === undefined ? full : { ...full, pieceBytes };
    const { deltas, activityCount, ...reply } = await ask(cut);
    expect(reply).toEqual(fullReply);
    const join = (kind: string): string =>
      deltas.flatMap((delta) => (delta.kind === kind ? [delta.text] : [])).join("");
    expect([join("reasoning"), join("text")]).toEqual([full.reasoning, full.text]);
    // Every event of the message, and not the ping.
    expect(activityCount).toBe(28);
  });

  it.each([true, false])("keep hidden thinking where it stood (stream: %s)", async (stream) => {
    const blocks = [
      { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" },
      { type: "tool_use", id: "a", name: "f", input: { x: 1 } },
      { type: "thinking", thinking: "Once more.", signature: "c2lnbmVk" },
      { type: "tool_use", id: "b", name: "f", input: {} },
    ];
    const { message } = await ask({ blocks }, { stream });
    expect(message.opaque).toEqual({
      content: [blocks[0], { type: "tool_use", id: "a" }, blocks[2], { type: "tool_use", id: "b" }],
    });
    expect(message.toolCalls.map((call) => call.arguments)).toEqual(['{"x":1}', "{}"]);
  });

  it("keep no thinking that led to no call", async () => {
    const { message } = await ask({ text: "x", reasoning: "y" });
    expect(message).toMatchObject({ text: "x", reasoning: "y" });
    expect(message.opaque).toBeUndefined();
  });

  it.each<[string, string]>([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["tool_use", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["pause_turn", "other"],
    ["refusal", "content-filter"],
  ])("end with %s as %s", async (finishReason, expected) => {
    expect((await ask({ text: "x", finishReason })).finishReason).toBe(expected);
  });

  it("stay cut when the limit cut a call", async () => {
    const call = { type: "tool_use", id: "a", name: "f", input: {} };
    const cut = [
      { type: "message_start", message: {} },
      { type: "content_block_start", index: 0, content_block: call },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "input_json_delta", partial_json: '{"a"' },
      },
      { type: "message_delta", delta: { stop_reason: "max_tokens" } },
      { type: "message_stop" },
    ];
    const reply = await ask({ chunks: cut });
    expect(reply.finishReason).toBe("length");
    expect(reply.message.toolCalls).toEqual([{ id: "a", name: "f", arguments: '{"a"' }]);
  });

  it.each([true, false])("tell a refusal (stream: %s)", async (stream) => {
    const { refusal, finishReason } = await ask({ refusal: "I can't do that." }, { stream });
    expect({ refusal, finishReason }).toEqual({
      refusal: "I can't do that.",
      finishReason: "content-filter",
    });
    const bare = await ask({ finishReason: "refusal" }, { stream });
    expect(bare.refusal).toBe("The model refused and gave no reason.");
  });
});

describe("requests", () => {
  it("carry the key and only the headers that the spec names", async () => {
    const { url, received } = await serve({ text: "x" });
    const given = {
      ANTHROPIC_CUSTOM_HEADERS: "x-elsewhere: leaked\nx-api-key: leaked\nanthropic-version: leaked",
      ANTHROPIC_AUTH_TOKEN: "leaked",
      ANTHROPIC_BASE_URL: "http://leaked.invalid",
    };
    Object.assign(process.env, given);
    const provider = connect(
      url,
      { headers: { "X-Team": "blue" } },
      { secrets: { ANTHROPIC_API_KEY: "k1" } },
    );
    await provider.generate(stubRequest(), { signal });
    for (const name of Object.keys(given)) delete process.env[name];
    const headers = received[0]?.headers ?? {};
    expect(headers).toMatchObject({
      "x-api-key": "k1",
      "x-team": "blue",
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    });
    expect(headers["authorization"]).toBeUndefined();
    expect(JSON.stringify(headers)).not.toMatch(/leaked|stainless|traceparent/);
  });

  it("need no key on this machine", async () => {
    await ask({ text: "x" });
    expect(server?.received[0]?.headers["x-api-key"]).toBeUndefined();
    expect(server?.received[0]?.path).toBe("/v1/messages");
  });

  it("need no key where a header of the spec lets one in", async () => {
    const { url, received } = await serve({ text: "x" });
    const headers = { Authorization: "Bearer t" };
    // Not this machine by its name, which decides about keys.
    const send: typeof fetch = (_address, init) => fetch(`${url}/v1/messages`, init);
    const provider = connect("http://gateway.test", { headers }, { fetch: send });
    await provider.generate(stubRequest(), { signal });
    expect(received[0]?.headers).toMatchObject({ authorization: "Bearer t" });
    expect(received[0]?.headers["x-api-key"]).toBeUndefined();
  });

  it("take the spec's key before the environment's", async () => {
    const { url, received } = await serve({ text: "x" });
    const secrets = { ANTHROPIC_API_KEY: "from-env" };
    await connect(url, { apiKey: "from-spec" }, { secrets }).generate(stubRequest(), { signal });
    expect(received[0]?.headers["x-api-key"]).toBe("from-spec");
  });
});

describe("faults", () => {
  const fault = (
    reply: StubMessage,
    options: Options = {},
    changes: Partial<ProviderRequest> = {},
  ): Promise<unknown> =>
    ask(reply, options, changes).then(
      () => "no fault",
      (thrown: unknown) => thrown,
    );

  it("tell that the key is missing", async () => {
    const provider = createProvider(anthropic);
    await expect(provider.generate(stubRequest(), { signal })).rejects.toMatchObject({
      code: "provider-key-missing",
      message: expect.stringMatching(
        /api\.anthropic\.com: the environment variable ANTHROPIC_API_KEY is not set.*apiKey: \$\{secret:NAME\}/,
      ) as string,
    });
  });

  it("tell before the call that an address with a password can't be used", async () => {
    const provider = connect("https://u:SECRETPW@127.0.0.1:9/?key=SECRETQ");
    const thrown = await provider.generate(stubRequest(), { signal }).catch((error) => error);
    expect(thrown).toMatchObject({ code: "provider-rejected", retryable: false });
    expect(`${thrown.message} ${JSON.stringify(thrown.details)}`).not.toContain("SECRET");
  });

  it.each<[number, string, boolean]>([
    [400, "provider-rejected", false],
    [401, "provider-unauthorized", false],
    [402, "provider-rejected", false],
    [403, "provider-unauthorized", false],
    [404, "provider-rejected", false],
    [413, "provider-rejected", false],
    [429, "provider-unavailable", true],
    [500, "provider-unavailable", true],
    [529, "provider-unavailable", true],
  ])("tell what %i means, and are asked once only", async (status, code, retryable) => {
    const text = "the server's words";
    expect(await fault({ status, text })).toMatchObject({
      code,
      retryable,
      message: expect.stringMatching(
        new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}: ${text}\\. `),
      ) as string,
      details: { status, serverCode: "api_error", serverMessage: text },
    });
    expect(server?.requests).toHaveLength(1);
  });

  it("tell an account without money from a wrong request", async () => {
    const text = "Your credit balance is too low to access the API.";
    expect(await fault({ status: 400, text })).toMatchObject({
      code: "provider-rejected",
      message: expect.stringContaining("Check the account's billing") as string,
    });
  });

  it("tell how long to wait", async () => {
    const headers = { "retry-after": "3" };
    expect(await fault({ status: 429, headers })).toMatchObject({
      details: { retryAfterMs: 3_000 },
    });
  });

  it("never hold the key, also where the endpoint repeats it", async () => {
    const options = { apiKey: "sk-ant-secret", headers: { "x-team": "team-secret" } };
    const thrown = await fault({ status: 401, text: "bad key sk-ant-secret team-secret" }, options);
    expect(JSON.stringify(thrown)).not.toContain("secret");
    expect((thrown as Error).message).toContain("bad key *** ***");
  });

  it.each<[string, boolean]>([
    ["output_config: Extra inputs are not permitted", true],
    ["output_config.format: This model does not support output format", true],
    ["The compiled grammar is too large, which would cause performance issues.", true],
    ["output_config.format.schema: Schema is too complex for compilation", true],
    ["This model does not support the effort parameter.", false],
    ["output_config.effort: Input should be 'low', 'medium' or 'high'", false],
    ["max_tokens: Field required", false],
  ])("say of %s whether it lacks schemas: %s", async (text, isLacking) => {
    const output = { name: "x", schema: { type: "object" }, layer: "json-schema" as const };
    const thrown = (await fault({ status: 400, text }, {}, { output })) as { details: Json };
    expect(thrown.details).toMatchObject(isLacking ? { lacks: "json-schema" } : { status: 400 });
    expect("lacks" in (thrown.details as object)).toBe(isLacking);
    const unasked = (await fault({ status: 400, text })) as { details: Json };
    expect("lacks" in (unasked.details as object)).toBe(false);
  });

  it("say that nothing listens", async () => {
    const { url, close } = await serve({});
    await close();
    await expect(connect(url).generate(stubRequest(), { signal })).rejects.toMatchObject({
      code: "provider-unavailable",
      retryable: true,
      message: expect.stringContaining("nothing listens there") as string,
    });
  });

  it.each<[string, StubMessage, boolean]>([
    ["no content", { body: '{"type":"message"}' }, false],
    ["a page", { body: "<html>hello</html>", headers: { "content-type": "text/html" } }, false],
    ["a page", { body: "<html>hello</html>", headers: { "content-type": "text/html" } }, true],
    ["broken JSON", { body: '{"content":' }, false],
    ["a stream of something else", { chunks: [{ type: "hello" }] }, true],
    [
      "a broken event",
      {
        body: "event: message_start\ndata: {nope\n\n",
        headers: { "content-type": "text/event-stream" },
      },
      true,
    ],
    ["a stream without an end", { chunks: [{ type: "message_start", message: {} }] }, true],
  ])("tell %s", async (_name, reply, stream) => {
    expect(await fault(reply, { stream })).toMatchObject({ code: "provider-failed" });
  });

  it.each<[string, string, boolean]>([
    ["overloaded_error", "provider-unavailable", true],
    ["rate_limit_error", "provider-unavailable", true],
    ["invalid_request_error", "provider-rejected", false],
    ["something_else", "provider-unavailable", true],
  ])("tell %s inside a stream", async (type, code, retryable) => {
    const chunks = [
      { type: "message_start", message: {} },
      { type: "error", error: { type, message: "Overloaded" } },
    ];
    expect(await fault({ chunks })).toMatchObject({
      code,
      retryable,
      message: expect.stringContaining("broke off with an error: Overloaded.") as string,
    });
  });

  it.each([true, false])("tell a connection that closes midway (stream: %s)", async (stream) => {
    const reply = { text: "some words that are cut", pieceBytes: 20, closeAfter: 3 };
    expect(await fault(reply, { stream })).toMatchObject({
      code: "provider-unavailable",
      retryable: true,
    });
  });
});

describe("aborts", () => {
  it.each<[string, StubMessage, boolean]>([
    ["before the reply", { delayMs: 5_000 }, true],
    ["in the stream", { text: "a b c", hangAfter: 4, keepAliveMs: 5 }, true],
    ["in a whole reply", { text: "a b c", pieceBytes: 10, hangAfter: 1 }, false],
  ])("end the call %s with the reason, and the reply on the wire", async (_name, reply, stream) => {
    const { url, openReplyCount } = await serve(reply);
    const controller = new AbortController();
    const deltas: string[] = [];
    const call = connect(url, { stream }).generate(stubRequest(), {
      signal: controller.signal,
      onDelta: (delta) => deltas.push(delta.text),
    });
    setTimeout(() => controller.abort(new Error("stopped by the host")), 60);
    await expect(call).rejects.toThrow("stopped by the host");
    const told = deltas.length;
    await expect.poll(() => openReplyCount()).toBe(0);
    expect(deltas).toHaveLength(told);
  });

  it("send nothing when aborted before", async () => {
    const { url, requests } = await serve({ text: "x" });
    const early = AbortSignal.abort(new Error("early"));
    await expect(connect(url).generate(stubRequest(), { signal: early })).rejects.toThrow("early");
    expect(requests).toEqual([]);
  });
});

describe("a reply that is whole", () => {
  it("is given at once where the server keeps the stream open, and the stream is left", async () => {
    const { url, openReplyCount } = await serve({
      hangAfter: 6,
      keepAliveMs: 5,
      chunks: [
        { type: "message_start", message: { usage: { input_tokens: 100, output_tokens: 1 } } },
        { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hi" } },
        { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } },
        { type: "message_stop" },
        { type: "ping" },
        { type: "ping" },
      ],
    });
    let end: (() => void) | undefined;
    const clock = {
      now: () => 0,
      after: (_ms: number, callback: () => void) => {
        end = callback;
        return () => undefined;
      },
    };
    const reply = await connect(url, {}, { clock }).generate(stubRequest(), { signal });
    expect(reply).toMatchObject({ message: { text: "hi" }, usage: { input: 100, output: 7 } });
    expect(openReplyCount()).toBe(1);
    end?.();
    await expect.poll(openReplyCount).toBe(0);
  });

  it("lets its stream end by itself, so that the connection stays", async () => {
    const { url } = await serve({ text: "hi" });
    let cancelCount = 0;
    const clock = { now: () => 0, after: () => () => void (cancelCount += 1) };
    await connect(url, {}, { clock }).generate(stubRequest(), { signal });
    await expect.poll(() => cancelCount).toBe(1);
  });
});

describe("an answer that is no message", () => {
  const apiKey = 'sk-ant-"canary"-0123456789';
  const echo = (filler: number): StubMessage => ({
    body: JSON.stringify({ filler: "x".repeat(filler), echo: apiKey }),
  });
  it.each([
    ["within what is quoted", echo(0), false],
    ["at the edge of what is quoted", echo(165), false],
    ["at the edge of the details", echo(970), false],
    ["in an answer that is not JSON", { body: `{"a": ${apiKey}` }, false],
    ["in an event that is not JSON", { raw: apiKey }, true],
  ] as const)("holds no part of a key %s", async (_where, reply, stream) => {
    const served: StubMessage =
      "raw" in reply
        ? {
            headers: { "content-type": "text/event-stream" },
            body: `event: message_start\ndata: {"type": ${reply.raw}\n\n`,
          }
        : reply;
    const provider = connect((await serve(served)).url, { apiKey, stream });
    const fault = (await provider
      .generate(stubRequest(), { signal })
      .catch((thrown) => thrown)) as {
      readonly message: string;
      readonly details: object;
    };
    const told = fault.message + JSON.stringify(fault.details);
    expect(told).toMatch(/did not answer with a message|not JSON/);
    expect(told).not.toContain("sk-a");
  });
});

describe("what a spec asks before a call", () => {
  it("is the place of the calls, without the key", () => {
    const place = (apiKey: string, baseUrl = "https://host.test/p?key=SECRET"): unknown =>
      connect(baseUrl, { apiKey }).place?.();
    expect(place("k1")).toEqual(place("k1"));
    expect(place("k1")).not.toEqual(place("k2"));
    expect(place("k1")).toMatchObject({
      endpoint: "https://host.test/p",
      account: expect.stringMatching(/^host\.test#[0-9a-f]{12}$/) as string,
    });
  });

  it("is what a model can do", () => {
    const provider = connect("https://host.test", { stream: false });
    expect(provider.capabilities("claude-sonnet-4-5")).toEqual({
      tools: true,
      structured: "json-schema",
      dialect: "anthropic",
      streams: false,
    });
    expect(provider.capabilities("claude-3-haiku-20240307").structured).toBe("prompt");
  });

  it("is where the models are and what lets one in", () => {
    const told = (options: Record<string, Json>): unknown =>
      anthropic.describe?.("anthropic", options);
    expect(told({})).toEqual({
      endpoint: "https://api.anthropic.com",
      keys: ["ANTHROPIC_API_KEY"],
    });
    expect(told({ baseUrl: "http://localhost:1", headers: { "X-A": "${secret:TEAM}" } })).toEqual({
      endpoint: "http://localhost:1",
      keys: ["TEAM"],
    });
  });

  it("is how a model is asked for a schema", () => {
    const forms = (model: string): unknown =>
      anthropic.describe?.("anthropic", {}, { model, sampling: {} });
    const dialect = "anthropic";
    expect(forms("claude-sonnet-4-5")).toMatchObject({ structured: "json-schema", dialect });
    expect(forms("claude-3-haiku-20240307")).toMatchObject({ structured: "prompt", dialect });
  });

  it("is whether a model thinks by itself", () => {
    const thinks = (model: string): unknown => anthropic.thinks?.("anthropic", model);
    expect(["claude-sonnet-5", "claude-fable-5-1", "claude-opus-4-7", "glm-5"].map(thinks)).toEqual(
      [true, true, false, false],
    );
  });
});
