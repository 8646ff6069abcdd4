import type { Delta, Provider, ProviderReply, ProviderRequest } from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import { type StubOpenAi, stubOpenAi } from "../../testkit/src/stub-servers/stub-openai.ts";
import type { StubReply } from "../../testkit/src/stub-servers/stub-reply.ts";
import {
  createProvider,
  type StubServices,
  stubRequest,
} from "../../testkit/src/stub-servers/stub-request.ts";
import { openai } from "./openai.ts";

const unaborted = (): AbortSignal => new AbortController().signal;
let server: StubOpenAi | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(reply: StubReply): Promise<StubOpenAi> {
  server = await stubOpenAi({ replies: () => reply });
  return server;
}

function connect(
  url: string,
  options: Readonly<Record<string, unknown>> = {},
  services: StubServices = {},
): Provider {
  return createProvider(openai, { baseUrl: url, ...options }, services);
}

/** Asks an endpoint that wants reasoning back. */
async function ask(
  reply: StubReply,
  options: Readonly<Record<string, unknown>> = {},
  changes: Partial<ProviderRequest> = {},
): Promise<ProviderReply & { readonly deltas: readonly Delta[] }> {
  const deltas: Delta[] = [];
  const provider = connect((await serve(reply)).url, { profile: "deepseek", ...options });
  const answer = await provider.generate(stubRequest(changes), {
    signal: unaborted(),
    onDelta: (delta) => deltas.push(delta),
  });
  return { ...answer, deltas };
}

const full: StubReply = {
  text: "The köttbullar cost 5 €.",
  reasoning: "Let me look: 価格.",
  calls: [
    { id: "c1", name: "price", arguments: '{"item":"köttbullar"}' },
    { id: "c2", name: "stock", arguments: '{"item":"価格"}' },
  ],
  usage: { prompt_tokens: 30, completion_tokens: 12, prompt_tokens_details: { cached_tokens: 10 } },
};

const fullReply = {
  message: {
    role: "assistant",
    text: full.text,
    reasoning: full.reasoning,
    toolCalls: full.calls,
    opaque: { reasoning_content: full.reasoning },
  },
  usage: { input: 20, cacheRead: 10, cacheWrite: 0, output: 12, reasoning: 0 },
  finishReason: "tool-calls",
};

describe("replies", () => {
  it("come whole", async () => {
    const { deltas, ...reply } = await ask(full, { stream: false });
    expect(reply).toEqual(fullReply);
    expect(deltas).toEqual([]);
    expect(server?.requests).toEqual([
      { model: "stub", messages: [{ role: "user", content: "hello" }] },
    ]);
  });

  it.each([undefined, 1, 7, 1_000])(
    "come as a stream in pieces of %s bytes",
    async (pieceBytes) => {
      const { deltas, ...reply } = await ask(
        pieceBytes === undefined ? full : { ...full, pieceBytes },
      );
      expect(reply).toEqual(fullReply);
      const join = (kind: string): string =>
        deltas
          .filter((delta) => delta.kind === kind)
          .map((delta) => delta.text)
          .join("");
      expect([join("reasoning"), join("text")]).toEqual([full.reasoning, full.text]);
    },
  );

  it.each([true, false])("keep empty reasoning beside calls (stream: %s)", async (stream) => {
    const chunk = {
      choices: [
        {
          delta: {
            reasoning_content: "",
            tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }],
          },
          finish_reason: "tool_calls",
        },
      ],
    };
    const reply = await ask(
      {
        calls: [{ name: "f", arguments: "{}" }],
        reasoning: "",
        ...(stream ? { chunks: [chunk] } : {}),
      },
      { stream },
    );
    expect(reply.message.opaque).toEqual({ reasoning_content: "" });
  });

  it.each([true, false])("make up ids that are missing (stream: %s)", async (stream) => {
    const calls = [
      { id: "", name: "f", arguments: "{}" },
      { id: "", name: "f", arguments: "{}" },
    ];
    const reply = await ask({ calls, finishReason: "stop" }, { stream });
    expect(reply.message.toolCalls.map((call) => call.id)).toEqual(["call_1_0", "call_1_1"]);
    expect(reply.finishReason).toBe("tool-calls");
  });

  it.each([
    ["stop", "stop"],
    ["tool_calls", "stop"],
    ["length", "length"],
    ["content_filter", "content-filter"],
    ["repetition_truncation", "other"],
    ["sensitive", "content-filter"],
    ["SAFETY", "content-filter"],
    ["max_output_tokens", "length"],
    ["end_turn", "stop"],
    ["toString", "other"],
  ])("end with %s as %s", async (finishReason, expected) => {
    expect((await ask({ text: "x", finishReason })).finishReason).toBe(expected);
  });

  it.each(["insufficient_system_resource", "network_error", "error"])(
    "that the endpoint broke off (%s) are none",
    async (finishReason) => {
      await expect(ask({ text: "half of", finishReason })).rejects.toMatchObject({
        code: "provider-unavailable",
        retryable: true,
        message: expect.stringContaining(finishReason) as string,
      });
    },
  );

  it("stay cut when the limit cut a call", async () => {
    const reply = await ask({ calls: [{ name: "f", arguments: '{"a"' }], finishReason: "length" });
    expect(reply.finishReason).toBe("length");
  });

  it.each([true, false])("tell a refusal (stream: %s)", async (stream) => {
    expect((await ask({ refusal: "I can't do that." }, { stream })).refusal).toBe(
      "I can't do that.",
    );
  });
});

describe("requests", () => {
  it("carry the key and only the headers that the spec names", async () => {
    const { url, received } = await serve({ text: "x" });
    process.env["OPENAI_CUSTOM_HEADERS"] = "x-elsewhere: leaked";
    process.env["OPENAI_ORG_ID"] = "org-leaked";
    const provider = connect(
      url,
      { profile: "kimi", headers: { "X-Team": "blue" } },
      { secrets: { MOONSHOT_API_KEY: "k1" } },
    );
    await provider.generate(stubRequest(), { signal: unaborted() });
    delete process.env["OPENAI_CUSTOM_HEADERS"];
    delete process.env["OPENAI_ORG_ID"];
    const headers = received[0]?.headers ?? {};
    expect(headers).toMatchObject({ authorization: "Bearer k1", "x-team": "blue" });
    expect(JSON.stringify(headers)).not.toMatch(/leaked|stainless/);
  });

  it("need no key on this machine", async () => {
    await ask({ text: "x" });
    expect(server?.received[0]?.headers["authorization"]).toBeUndefined();
    expect(server?.received[0]?.path).toBe("/v1/chat/completions");
  });

  it("take the spec's key before the environment's", async () => {
    const { url, received } = await serve({ text: "x" });
    const provider = connect(
      url,
      { apiKey: "from-spec" },
      { secrets: { OPENAI_API_KEY: "from-env" } },
    );
    await provider.generate(stubRequest(), { signal: unaborted() });
    expect(received[0]?.headers["authorization"]).toBe("Bearer from-spec");
  });
});

describe("faults", () => {
  const fault = (
    reply: StubReply,
    options: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> =>
    ask(reply, options).then(
      () => "no fault",
      (thrown: unknown) => thrown,
    );

  it.each(["openai", "deepseek", "kimi", "qwen"])(
    "tell that the key of %s is missing",
    async (profile) => {
      const provider = createProvider(openai, { profile });
      await expect(provider.generate(stubRequest(), { signal: unaborted() })).rejects.toMatchObject(
        {
          code: "provider-key-missing",
          message: expect.stringMatching(
            /environment variable [A-Z]+_API_KEY is not set.*apiKey: \$\{secret:NAME\}/,
          ) as string,
        },
      );
    },
  );

  it("tell before the call that an address with a password can't be used", async () => {
    const baseUrl = "https://u:SECRETPW@127.0.0.1:9/v1?key=SECRETQ";
    const provider = createProvider(openai, { baseUrl });
    const thrown = await provider
      .generate(stubRequest(), { signal: unaborted() })
      .catch((error) => error);
    expect(thrown).toMatchObject({ code: "provider-rejected", retryable: false });
    expect(thrown.message).toContain("https://127.0.0.1:9/v1");
    expect(`${thrown.message} ${JSON.stringify(thrown.details)}`).not.toContain("SECRET");
  });

  it("tell what a server refused, and are asked once only", async () => {
    expect(
      await fault({ status: 429, text: "slow down", headers: { "retry-after": "3" } }),
    ).toMatchObject({
      code: "provider-unavailable",
      retryable: true,
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 429: slow down\. Wait/) as string,
      details: { status: 429, retryAfterMs: 3_000 },
    });
    expect(server?.requests).toHaveLength(1);
    await server?.close();
    expect(await fault({ status: 500, body: "<html>oops" })).toMatchObject({
      code: "provider-unavailable",
    });
    await server?.close();
    expect(await fault({ status: 404, text: "no model stub" })).toMatchObject({
      code: "provider-rejected",
    });
  });

  it.each([
    ["as OpenAI does", { error: { message: "no such field", code: "bad" } }],
    ["without a wrap (vLLM)", { object: "error", message: "no such field", code: 400 }],
    ["in a list (Gemini)", [{ error: { message: "no such field", code: 400 } }]],
    ["as text (Ollama)", { error: "no such field" }],
    ["as a detail (FastAPI)", { detail: [{ loc: ["body"], msg: "no such field" }] }],
    ["as a page", "no such field"],
  ])("tell the endpoint's words, %s", async (_name, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(await fault({ status: 400, body: text })).toMatchObject({
      code: "provider-rejected",
      message: expect.stringMatching(/answered 400: .*no such field/) as string,
    });
  });

  it.each([true, false])(
    "never tell the key that an endpoint repeats (stream: %s)",
    async (stream) => {
      const said = "your key is sk-CANARY";
      const replies: readonly StubReply[] = [
        { status: 400, text: said },
        { status: 401, body: said },
        { body: JSON.stringify({ said }) },
        { chunks: [{ error: { message: said } }] },
        { text: "x", finishReason: "sk-CANARY" },
      ];
      for (const reply of replies) {
        const told = await fault(reply, { stream, apiKey: "sk-CANARY" });
        await server?.close();
        expect(`${(told as Error).message} ${JSON.stringify(told)}`).not.toContain("CANARY");
      }
    },
  );

  it("tell the layer that the endpoint lacks", async () => {
    const output = { name: "a", schema: { type: "object" }, layer: "json-schema" } as const;
    const words = { object: "error", message: "response_format: json_schema is not supported" };
    const { url } = await serve({ status: 400, body: JSON.stringify(words) });
    const call = connect(url).generate(stubRequest({ output }), { signal: unaborted() });
    await expect(call).rejects.toMatchObject({ details: { lacks: "json-schema" } });
  });

  it("say that nothing listens", async () => {
    const { url, close } = await serve({});
    await close();
    await expect(
      connect(url).generate(stubRequest(), { signal: unaborted() }),
    ).rejects.toMatchObject({
      code: "provider-unavailable",
      retryable: true,
      message: expect.stringContaining(
        `Nothing listens at ${url}: is the server running?`,
      ) as string,
    });
  });

  const page = "<html><h1>Welcome</h1></html>";
  it.each<[string, StubReply, string]>([
    ["a page", { body: page, headers: { "content-type": "text/html" } }, `with: ${page}.`],
    ["a page of no type", { body: page, headers: { "content-type": "" } }, `with: ${page}.`],
    ["a long page", { body: "x".repeat(5_000) }, `with: ${"x".repeat(200)}.`],
    ["nothing", { body: "" }, "but with nothing."],
    ["blanks", { body: " \n\n" }, "but with nothing."],
    ["no body at all", { status: 204, body: "" }, "but with nothing."],
    ["something else in JSON", { body: '{"ok":true}' }, 'with: {"ok":true}.'],
  ])("show what came in place of a reply: %s", async (_name, reply, shown) => {
    for (const stream of [true, false]) {
      // Of a whole reply that claims to be JSON its syntax would be told instead.
      const typed = stream ? reply : { headers: { "content-type": "text/html" }, ...reply };
      const told = (await fault(typed, { stream })) as Error;
      await server?.close();
      expect(told).toMatchObject({ code: "provider-failed" });
      expect(told.message).toContain(shown);
    }
  });

  it("show the first of a stream that holds no reply", async () => {
    const told = (await fault({ chunks: [{ ok: true }, { ok: false }] })) as Error;
    expect(told.message).toContain('but with: {"ok":true}.');
  });

  it("leave a whole stream alone whose type says that it is none", async () => {
    const events = { ...full, headers: { "content-type": "text/plain" }, pieceBytes: 7 };
    const { deltas: _, ...reply } = await ask(events);
    expect(reply).toEqual(fullReply);
  });

  it.each<[string, StubReply, boolean]>([
    ["no choices", { body: '{"choices":[]}' }, false],
    ["a page", { body: "<html>hello</html>", headers: { "content-type": "text/html" } }, false],
    ["a page", { body: "<html>hello</html>", headers: { "content-type": "text/html" } }, true],
    ["broken JSON", { body: '{"choices":' }, false],
    ["a stream without choices", { chunks: [{ choices: [] }] }, true],
    [
      "a broken event",
      { body: "data: {nope\n\n", headers: { "content-type": "text/event-stream" } },
      true,
    ],
    ["a stream without an end", { chunks: [{ choices: [{ delta: { content: "half" } }] }] }, true],
  ])("tell %s", async (_name, reply, stream) => {
    expect(await fault(reply, { stream })).toMatchObject({ code: "provider-failed" });
  });

  it("tell an error inside a stream", async () => {
    const chunks = [
      { choices: [{ delta: { content: "a" } }] },
      { error: { message: "overloaded" } },
    ];
    expect(await fault({ chunks })).toMatchObject({
      code: "provider-failed",
      message: expect.stringContaining("overloaded") as string,
    });
  });

  it("tell an error that comes like a chunk", async () => {
    const chunks = [{ object: "error", message: "out of memory", code: 503 }];
    expect(await fault({ chunks })).toMatchObject({
      code: "provider-unavailable",
      retryable: true,
      message: expect.stringContaining("out of memory") as string,
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

describe("activity", () => {
  const activityOf = async (reply: StubReply): Promise<number> => {
    let count = 0;
    const { url } = await serve(reply);
    const controller = new AbortController();
    const call = connect(url).generate(stubRequest(), {
      signal: controller.signal,
      onActivity: () => {
        count += 1;
        setTimeout(() => controller.abort(new Error("enough")), 60);
      },
    });
    await call.catch(() => undefined);
    return count;
  };

  it("is told for each chunk, and never for keep-alives (pi#8331)", async () => {
    expect(await activityOf({ text: "a b c", hangAfter: 3, keepAliveMs: 5 })).toBe(3);
    await server?.close();
    const delta = (content: string): object => ({ choices: [{ delta: { content } }] });
    expect(
      await activityOf({ chunks: [{}, delta("a"), { ping: 1 }, delta("b")], hangAfter: 4 }),
    ).toBe(2);
  });
});

describe("aborts", () => {
  it.each<[string, StubReply, boolean]>([
    ["before the reply", { delayMs: 5_000 }, true],
    ["in the stream", { text: "a b c", hangAfter: 3 }, true],
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
    const call = connect(url).generate(stubRequest(), {
      signal: AbortSignal.abort(new Error("early")),
    });
    await expect(call).rejects.toThrow("early");
    expect(requests).toEqual([]);
  });
});

it("prices local endpoints at nothing and others not at all", () => {
  const price = (profile: string): unknown =>
    createProvider(openai, { profile }).capabilities("m").price;
  expect(price("ollama")).toEqual({ input: 0, output: 0 });
  expect(price("vllm")).toEqual({ input: 0, output: 0 });
  expect(price("openai")).toBeUndefined();
});

describe("the place", () => {
  const placeOf = (options: object, secrets: Record<string, string> = {}): unknown =>
    createProvider(openai, { ...options }, { secrets }).place?.();

  it("is the endpoint without what lets in, and the account a hash of the key", () => {
    const baseUrl = "https://u:SECRETPW@api.example.com/v1?key=SECRETQ";
    const place = placeOf({ baseUrl, apiKey: "sk-SECRET" });
    expect(place).toEqual({
      endpoint: "https://api.example.com/v1",
      account: expect.stringMatching(/^https:\/\/api\.example\.com\/v1 [0-9a-f]{12}$/) as string,
    });
    expect(JSON.stringify(place)).not.toContain("SECRET");
  });

  it("is the same for one key, wherever it comes from, and another for another", () => {
    const fromSpec = placeOf({ apiKey: "k1" });
    expect(placeOf({}, { OPENAI_API_KEY: "k1" })).toEqual(fromSpec);
    expect(placeOf({ apiKey: "k2" })).not.toEqual(fromSpec);
    expect(placeOf({ profile: "ollama" })).toEqual({
      endpoint: "http://localhost:11434/v1",
      account: "http://localhost:11434/v1",
    });
  });
});

describe("a profile that the spec changes", () => {
  it("says what the spec says, and the rest as it is", async () => {
    const overrides = {
      keyName: "HOUSE_KEY",
      maxTokensField: "max_completion_tokens",
      structured: "prompt",
      efforts: { none: { think: false } },
    };
    const { url, requests, received } = await serve({ text: "x" });
    const provider = connect(
      url,
      { profile: "deepseek", overrides },
      { secrets: { HOUSE_KEY: "k" } },
    );
    expect(provider.capabilities("m").structured).toBe("prompt");
    for (const effort of ["none", "low"] as const)
      await provider.generate(stubRequest({ sampling: { maxTokens: 5, effort } }), {
        signal: unaborted(),
      });
    expect(requests).toMatchObject([
      { max_completion_tokens: 5, think: false },
      { thinking: { type: "enabled" }, reasoning_effort: "low" },
    ]);
    expect(received[0]?.headers["authorization"]).toBe("Bearer k");
  });

  it("is refused where a pattern or an address is none, and where it has no address", async () => {
    const generate = (options: object): Promise<unknown> =>
      createProvider(openai, { ...options }).generate(stubRequest(), { signal: unaborted() });
    await expect(
      generate({ profile: "ollama", overrides: { thinkingModels: "(" } }),
    ).rejects.toMatchObject({
      code: "provider-rejected",
      message: expect.stringContaining("profile.thinkingModels") as string,
    });
    for (const address of [{}, { baseUrl: "api.example.com" }])
      await expect(generate({ profile: "custom", ...address })).rejects.toMatchObject({
        code: "provider-rejected",
        message: expect.stringContaining("`baseUrl`") as string,
      });
  });
});

describe("what an endpoint can do", () => {
  const can = (profile: string, model: string): object =>
    createProvider(openai, { profile }).capabilities(model);

  it("depends on the model where its vendor says so", () => {
    expect(can("qwen", "qwen3-max")).toMatchObject({
      structured: "json-schema",
      dialect: "openai",
    });
    expect(can("qwen", "qwen-turbo")).toMatchObject({ structured: "json-mode" });
    expect(can("deepseek", "deepseek-chat")).toMatchObject({ jsonTokens: 8_192, streams: true });
    expect(can("deepseek", "deepseek-v4-pro")).toMatchObject({ jsonTokens: 32_768 });
    expect(can("kimi", "kimi-k2.6")).toMatchObject({ jsonTokens: 16_384 });
  });

  it("is words alone for a model that always thinks, where thinking bars the form", () => {
    expect(can("qwen", "qwq-plus")).toMatchObject({ structured: "prompt" });
    expect(can("deepseek", "deepseek-reasoner")).toMatchObject({ structured: "json-mode" });
  });

  it("says whether replies come in pieces", () => {
    expect(createProvider(openai, { stream: false }).capabilities("m").streams).toBe(false);
  });
});
