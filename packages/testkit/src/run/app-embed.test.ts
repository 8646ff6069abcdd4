import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type App,
  Clock,
  createApp,
  type EmbedInput,
  Fetch,
  isLoopwrightError,
  provide,
} from "@loopwright/core";
import {
  defineProvider,
  type EmbedRequest,
  NO_USAGE,
  type Provider,
  type ProviderDefinition,
  ProviderError,
  Secrets,
  secret,
  Type,
} from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type TestClock, testClock } from "../test-clock.ts";

type Embed = NonNullable<Provider["embed"]>;

/** What the endpoint was asked. */
let asked: EmbedRequest[];
/** What it does, call by call; beyond these it gives vectors. */
let answers: Embed[];
let createCount: number;
let clock: TestClock;
let app: App;

const usage = { ...NO_USAGE, input: 1_000 };
const vectors: Embed = async ({ texts, dimensions = 2 }) => ({
  vectors: texts.map((text) => Array.from({ length: dimensions }, (_, at) => text.length + at)),
  usage,
});
const failing =
  (status: string, details: Readonly<Record<string, unknown>> = {}): Embed =>
  async () => {
    throw new ProviderError("provider-unavailable", `It is ${status}.`, {
      retryable: true,
      details,
    });
  };
const hanging: Embed = () => new Promise(() => undefined);

const vectorProvider: ProviderDefinition = defineProvider({
  id: "vectors",
  description: "Makes vectors of lengths.",
  options: Type.Object({ key: Type.Optional(secret({ description: "The key of the endpoint." })) }),
  inject: { secrets: Secrets },
  create: ({ key }) => {
    createCount += 1;
    return {
      generate: () => Promise.reject(new Error("not asked here")),
      capabilities: () => ({ tools: false, structured: "prompt" }),
      place: () => ({ endpoint: "vectors", account: "vectors#1" }),
      embed: async (request, call) => {
        asked.push(request);
        if (key !== undefined) throw new ProviderError("provider-rejected", `No: ${key}.`);
        return (answers.shift() ?? vectors)(request, call);
      },
    };
  },
});

const wordProvider: ProviderDefinition = defineProvider({
  id: "words",
  description: "Has no embeddings.",
  options: Type.Object({}),
  create: () => ({
    generate: () => Promise.reject(new Error("not asked here")),
    capabilities: () => ({ tools: false, structured: "prompt" }),
  }),
});

beforeEach(async () => {
  asked = [];
  answers = [];
  createCount = 0;
  clock = testClock();
  const entries = [vectorProvider, wordProvider].map((definition) => ({
    kind: "provider" as const,
    id: definition.id,
    load: async () => definition,
  }));
  app = await createApp({
    plugins: [{ name: "test", entries }],
    services: [provide(Clock, clock)],
    discovery: false,
    env: { VECTOR_KEY: "sk-vector-secret" },
  });
});

afterEach(() => app.close());

const embed = (more: Partial<EmbedInput> = {}): ReturnType<App["embed"]> =>
  app.embed({ model: "vectors/small", texts: ["a", "bcd"], ...more });

async function faultOf(more: Partial<EmbedInput>): Promise<string> {
  const fault: unknown = await embed(more).then(
    () => "no fault",
    (thrown: unknown) => thrown,
  );
  return isLoopwrightError(fault) ? `${fault.code}: ${fault.message}` : String(fault);
}

/** Waits for calls to have gone out and for a timer to be set: code is loaded on the way. */
async function waiting(askedCount: number): Promise<void> {
  await expect.poll(() => [asked.length, clock.timers]).toEqual([askedCount, 1]);
}

describe("texts of a host", () => {
  it("leave nothing behind while the app and the host's signal live on", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const { signal } = new AbortController();
    const signals: WeakRef<AbortSignal>[] = [];
    const noting: Embed = (request, call) => {
      signals.push(new WeakRef(call.signal));
      return vectors(request, call);
    };
    for (let count = 0; count < 20; count++) {
      answers.push(noting);
      await embed({ signal });
    }
    expect(getEventListeners(signal, "abort").length).toBeLessThanOrEqual(1);
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    const held = signals.filter((one) => one.deref() !== undefined);
    expect(signals).toHaveLength(20);
    expect(held.length).toBeLessThan(5);
  });

  it("are waited for when the app is closed", async () => {
    let isOver = false;
    answers.push(hanging);
    const work = embed().catch(() => (isOver = true));
    await waiting(1);
    await app.close();
    expect(isOver).toBe(true);
    await work;
  });

  it("are asked for by a hundred models at the most that are kept", async () => {
    for (let count = 0; count < 101; count++) {
      await embed({ model: { use: "vectors/small", price: { input: count, output: 0 } } });
    }
    await embed({ model: { use: "vectors/small", price: { input: 100, output: 0 } } });
    expect(createCount).toBe(101);
    await embed({ model: { use: "vectors/small", price: { input: 0, output: 0 } } });
    expect(createCount).toBe(102);
  });

  it("become vectors in their order, with what they took", async () => {
    expect(await embed()).toEqual({
      vectors: [
        [1, 2],
        [3, 4],
      ],
      usage,
      usd: 0,
      attempts: 1,
    });
    expect(asked).toEqual([{ model: "small", texts: ["a", "bcd"] }]);
  });

  it("become vectors of another length, at the model's price, by a provider that is made once", async () => {
    const model = { use: "vectors/small", price: { input: 0.02, output: 0 } };
    const outcome = await embed({ model, dimensions: 3, texts: ["a"] });
    expect(outcome).toMatchObject({ vectors: [[1, 2, 3]], usd: 0.000_02 });
    await Promise.all([embed({ model }), embed({ model })]);
    expect(createCount).toBe(1);
  });

  it("are told where they do not fit, before the endpoint is asked", async () => {
    expect(await faultOf({ texts: [] })).toMatch(/^input-invalid: .*`texts` is a list/);
    expect(await faultOf({ texts: ["a", " "] })).toMatch(/^input-invalid: .*`texts\[1\]`/);
    expect(await faultOf({ dimensions: 0.5 })).toMatch(/^input-invalid: .*`dimensions`/);
    expect(asked).toEqual([]);
  });
});

describe("the model", () => {
  it.each<[EmbedInput["model"], RegExp]>([
    ["small", /^spec-invalid: app\.embed.*LW-MODEL/s],
    ["none", /^spec-invalid: app\.embed: `model` names none/],
    ["nobody/small", /^spec-invalid: .*LW-MODEL-UNKNOWN-PROVIDER.*installed here: vectors, words/s],
    [{ use: "vectors/small", colour: "red" }, /^spec-invalid: .*LW-SPEC-UNKNOWN-KEY.*colour/s],
    [{ use: "vectors/small", fallback: "words/any" }, /^input-invalid: .*`fallback`/],
    ["words/any", /^provider-rejected: words\/any: the provider `words` makes no vectors/],
    [
      { use: "vectors/small", key: "${secret:MISSING}" },
      /^secret-missing: .*the provider `vectors` needs the secret MISSING/,
    ],
  ])("%j is told as a mistake", async (model, message) => {
    expect(await faultOf({ model })).toMatch(message);
  });

  it("may hold secrets, which no fault tells", async () => {
    const model = { use: "vectors/small", key: "${secret:VECTOR_KEY}" };
    expect(await faultOf({ model })).toBe("provider-rejected: No: [redacted].");
  });
});

describe("an endpoint that fails", () => {
  it("is asked again after a wait, and as long as it asks for", async () => {
    answers = [failing("busy"), failing("full", { retryAfterMs: 30_000 })];
    const outcome = embed();
    await waiting(1);
    await clock.advance(1_000);
    await waiting(2);
    // The first wait is shortened by chance, up to a half.
    await clock.advance(29_400);
    expect(asked).toHaveLength(2);
    await clock.advance(600);
    expect(await outcome).toMatchObject({
      attempts: 3,
      vectors: [
        [1, 2],
        [3, 4],
      ],
    });
  });

  it("is given up after the attempts of the model", async () => {
    answers = [failing("busy"), failing("busy")];
    const fault = faultOf({ model: { use: "vectors/small", retry: 2 } });
    await waiting(1);
    await clock.advance(1_000);
    expect(await fault).toBe("provider-unavailable: It is busy.");
    expect(asked).toHaveLength(2);
    expect(clock.timers).toBe(0);
  });

  it("rests after too many failures in a row", async () => {
    answers = [failing("down"), failing("down")];
    const model = { use: "vectors/small", retry: 1, breaker: { failures: 2, rest: "10s" } };
    await faultOf({ model });
    await faultOf({ model });
    expect(await faultOf({ model })).toMatch(
      /failed too often in a row: no call goes there for 10/,
    );
    expect(asked).toHaveLength(2);
    await clock.advance(10_000);
    expect(await embed({ model })).toMatchObject({ attempts: 1 });
  });

  it("is left when its time is up", async () => {
    answers = [hanging];
    const fault = faultOf({
      model: { use: "vectors/small", retry: 1, timeout: { total: "3s" } },
    });
    await waiting(1);
    await clock.advance(2_999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    expect(await fault).toMatch(
      /^provider-timeout: vectors\/small: the reply was not whole after 3\s?s/,
    );
  });

  it.each<[string, Embed]>([
    ["one vector too few", async () => ({ vectors: [[1]], usage })],
    ["vectors of two lengths", async () => ({ vectors: [[1], [1, 2]], usage })],
    ["no numbers", async () => ({ vectors: [[Number.NaN], [1]], usage })],
    ["nothing", async () => undefined as never],
  ])("is told where it gives %s", async (_name, answer) => {
    answers = [answer];
    expect(await faultOf({})).toMatch(/^provider-failed: vectors\/small did not give one vector/);
  });
});

describe("the limits of the account", () => {
  it("hold calls back", async () => {
    const model = { use: "vectors/small", rateLimit: "1/1s" };
    await embed({ model });
    const second = embed({ model });
    await waiting(1);
    await clock.advance(999);
    expect(asked).toHaveLength(1);
    await clock.advance(1);
    await second;
    expect(asked).toHaveLength(2);
  });
});

describe("an abort", () => {
  it("by the host ends the call with its reason", async () => {
    answers = [hanging];
    const abort = new AbortController();
    const ended = faultOf({ signal: abort.signal });
    await waiting(1);
    abort.abort(new Error("no longer wanted"));
    expect(await ended).toBe("Error: no longer wanted");
    expect(clock.timers).toBe(0);
  });

  it("by the end of the app ends what is under way, and nothing starts afterwards", async () => {
    answers = [hanging];
    const ended = faultOf({});
    await waiting(1);
    await app.close();
    expect(await ended).toMatch(/^aborted: the app is closed/);
    expect(await faultOf({})).toMatch(/^aborted: the app is closed/);
    expect(asked).toHaveLength(1);
  });
});

it("asks the endpoint of a built-in provider", async () => {
  const sent: unknown[] = [];
  const send = async (url: string, { body }: { readonly body: string }): Promise<Response> => {
    sent.push([url, JSON.parse(body)]);
    const data = [
      { index: 1, embedding: [0, 1] },
      { index: 0, embedding: [1, 0] },
    ];
    return Response.json({ object: "list", data, usage: { prompt_tokens: 7, total_tokens: 7 } });
  };
  const other = await createApp({
    plugins: [providers],
    services: [provide(Fetch, send as unknown as typeof fetch)],
    discovery: false,
    env: {},
  });
  const model = { use: "ollama/nomic-embed-text", baseUrl: "http://localhost:1/v1" };
  expect(await other.embed({ model, texts: ["a", "b"], dimensions: 2 })).toEqual({
    vectors: [
      [1, 0],
      [0, 1],
    ],
    usage: { ...NO_USAGE, input: 7 },
    usd: 0,
    attempts: 1,
  });
  expect(sent).toMatchObject([
    ["http://localhost:1/v1/embeddings", { model: "nomic-embed-text", input: ["a", "b"] }],
  ]);
  await other.close();
});
