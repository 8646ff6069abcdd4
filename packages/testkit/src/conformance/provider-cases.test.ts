import {
  defineProvider,
  NO_USAGE,
  type Provider,
  type ProviderDefinition,
  ProviderError,
  type ProviderReply,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";
import { type ProviderConformance, providerCases } from "./provider-cases.ts";

type Generate = Provider["generate"];

const reply: ProviderReply = {
  message: { role: "assistant", text: "It is 4.", reasoning: "", toolCalls: [] },
  usage: NO_USAGE,
  finishReason: "stop",
};

const generate: Generate = async (request, { signal, onDelta, onActivity }) => {
  signal.throwIfAborted();
  if (request.messages.length === 0) throw new ProviderError("provider-rejected", "Say something.");
  if (request.output !== undefined) throw lacking("json-schema");
  if (request.key === "slow") await aborted(signal);
  onActivity?.();
  onDelta?.({ kind: "text", text: "It is " });
  onDelta?.({ kind: "text", text: "4." });
  return reply;
};

const lacking = (lacks: string): Error =>
  new ProviderError("provider-rejected", "It takes no schema.", { details: { lacks } });

type Embed = NonNullable<Provider["embed"]>;

const embedding =
  (isSlow: boolean): Embed =>
  async ({ texts }, { signal }) => {
    signal.throwIfAborted();
    if (isSlow) await aborted(signal);
    return { vectors: texts.map((text) => [text.length, text.charCodeAt(2)]), usage: NO_USAGE };
  };
const embed = embedding(false);

const place: NonNullable<Provider["place"]> = () => ({ endpoint: "four", account: "four#1" });

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });

const capabilities: Provider["capabilities"] = () => ({
  tools: true,
  structured: "prompt",
  price: { input: 0, output: 0 },
  streams: true,
});

const good: ProviderDefinition = defineProvider({
  id: "four",
  description: "Says four to every question.",
  options: Type.Object({ slow: Type.Optional(Type.Boolean({ description: "Whether it hangs." })) }),
  free: ["four"],
  create: ({ slow = false }) => ({ generate, capabilities, place, embed: embedding(slow) }),
});
const given: ProviderConformance = {
  failures: [{ request: { messages: [] } }],
  hanging: { request: { key: "slow" } },
  key: "sk-four",
  lacking: { request: { output: { name: "x", schema: {}, layer: "json-schema" } } },
  embedding: { hanging: { options: { slow: true } } },
};

const made = (changes: Partial<Provider>): object => ({
  create: (): Provider => ({ generate, capabilities, place, embed, ...changes }),
});
const saying = (changed: Generate): object => made({ generate: changed });
const replying = (changes: Partial<ProviderReply>): object =>
  saying(async (...call) => ({ ...(await generate(...call)), ...changes }));

const bad: Readonly<Record<string, { readonly fault: object; readonly found: string }>> = {
  "create that waits": {
    fault: { create: async () => ({ generate, capabilities }) },
    found: "is created at once",
  },
  "a price for what is free": {
    fault: {
      create: () => ({
        generate,
        capabilities: () => ({ tools: true, structured: "prompt", price: { input: 1, output: 1 } }),
      }),
    },
    found: "tells its capabilities",
  },
  "usage below nothing": {
    fault: replying({ usage: { ...NO_USAGE, input: -1 } }),
    found: "gives one whole reply",
  },
  "silence while it streams": {
    fault: saying((request, { signal }) => generate(request, { signal })),
    found: "says that its reply is coming",
  },
  "another place each time": {
    fault: made({ place: () => ({ endpoint: "four", account: `four#${Math.random()}` }) }),
    found: "names the same place",
  },
  "a place that holds the key": {
    fault: made({ place: () => ({ endpoint: "four", account: "four#sk-four" }) }),
    found: "names the same place",
  },
  "a lack that is no layer": {
    fault: saying(async (request, call) => {
      if (request.output !== undefined) throw lacking("schemas");
      return generate(request, call);
    }),
    found: "says which form of output it lacks",
  },
  "a fault that holds the key": {
    fault: saying(async (request, call) => {
      if (request.messages.length === 0)
        throw new ProviderError("provider-rejected", "bad sk-four");
      return generate(request, call);
    }),
    found: "no key in any fault",
  },
  "vectors in another order": {
    fault: made({
      embed: async (request, call) => {
        const { vectors, usage } = await embed(request, call);
        return { vectors: vectors.toSorted(([, a = 0], [, b = 0]) => a - b), usage };
      },
    }),
    found: "one vector for each text",
  },
  "a vector too few": {
    fault: made({
      embed: async (request, call) => {
        const { vectors, usage } = await embed(request, call);
        return { vectors: vectors.slice(1), usage };
      },
    }),
    found: "one vector for each text",
  },
  "vectors after an abort": {
    fault: made({ embed: (request) => embed(request, { signal: new AbortController().signal }) }),
    found: "no vectors when it is aborted",
  },
  "two calls of one id": {
    fault: replying({
      message: {
        ...reply.message,
        toolCalls: [1, 2].map(() => ({ id: "a", name: "b", arguments: "{}" })),
      },
    }),
    found: "gives one whole reply",
  },
  "a request that it changes": {
    fault: saying(async (request, call) => {
      (request.messages as unknown[]).push({ role: "user", text: "please" });
      return generate(request, call);
    }),
    found: "leaves the request as it is",
  },
  "a piece after the end": {
    fault: saying(async (request, call) => {
      setImmediate(() => call.onDelta?.({ kind: "text", text: "!" }));
      return generate(request, call);
    }),
    found: "tells its pieces in order",
  },
  "pieces that are not the reply": {
    fault: saying(async (request, call) => {
      call.onDelta?.({ kind: "text", text: "So. " });
      return generate(request, call);
    }),
    found: "tells its pieces in order",
  },
  "an error of another family": {
    fault: saying(async (request, call) => {
      if (request.messages.length === 0) throw new Error("Say something.");
      return generate(request, call);
    }),
    found: "fails with a ProviderError",
  },
  "an answer after an abort": {
    fault: saying(async (request, call) =>
      generate(request, call.signal.aborted ? { signal: new AbortController().signal } : call),
    ),
    found: "asks nothing when it is aborted",
  },
  "a shrug at an abort": {
    fault: saying(async (request, call) =>
      generate(request, call).catch((thrown: unknown) => {
        if (request.key === "slow") return reply;
        throw thrown;
      }),
    ),
    found: "stops when it is aborted",
  },
};

describe("the suite of a provider", () => {
  it("passes a good provider", async () => {
    expect(await failuresOf(providerCases(good, given))).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { fault, found }) => {
    const failed = await failuresOf(providerCases({ ...good, ...fault }, given));
    expect(failed).toContainEqual(expect.stringContaining(found));
  });

  it("has a bad provider for every case of its own", () => {
    const own = providerCases(good, given).slice(definitionCases(good, "provider").length);
    const found = Object.values(bad).map((one) => one.found);
    const unproved = own.filter(({ name }) => !found.some((part) => name.includes(part)));
    expect(unproved.map(({ name }) => name)).toEqual([]);
  });
});
