import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Json, ProviderReply } from "@loopwright/core/plugin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openai } from "../../../providers/src/openai.ts";
import { toSse } from "../stub-servers/openai-wire.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import { createProvider, stubRequest } from "../stub-servers/stub-request.ts";

/** A stream as an endpoint sent it, in our own data, and what it says. */
interface Fixture {
  readonly about: string;
  readonly profile: string;
  readonly chunks: readonly Json[];
  readonly expected: { readonly opaque?: Json };
}

const folder = new URL("../stub-servers/fixtures/", import.meta.url);
const fixtures = readdirSync(fileURLToPath(folder)).map((name): readonly [string, Fixture] => [
  name.replace(".json", ""),
  JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Fixture,
]);

const input = {
  type: "object",
  properties: { city: { type: "string" }, zone: { type: "number" } },
};
const tools = ["weather", "time"].map((name) => ({ name, description: "Tells it.", input }));
const PIECES = [...Array.from({ length: 12 }, (_, index) => index + 1), 61, 509];

let server: StubOpenAi;
let reply: StubReply = {};
beforeAll(async () => {
  server = await stubOpenAi({ replies: () => reply });
});
afterAll(() => server.close());

describe.each(fixtures)("%s", (_name, { profile, chunks, expected }) => {
  const connect = (send?: typeof fetch): (() => Promise<object>) => {
    const options = { profile, baseUrl: server.url, apiKey: "k" };
    const provider = createProvider(openai, options, send === undefined ? {} : { fetch: send });
    return async () => {
      const { signal } = new AbortController();
      return shown(await provider.generate(stubRequest({ tools }), { signal }));
    };
  };

  it("is read rightly, whole and in pieces of any size", async () => {
    const ask = connect();
    reply = { chunks };
    expect(await ask()).toEqual(expected);
    for (const pieceBytes of PIECES) {
      reply = { chunks, pieceBytes };
      expect(await ask()).toEqual(expected);
    }
  });

  it("is read rightly, cut in two at every byte", async () => {
    const bytes = Buffer.from(toSse(chunks).join(""));
    let cut = 0;
    const ask = connect(async () => streamOf([bytes.subarray(0, cut), bytes.subarray(cut)]));
    while (++cut < bytes.length) expect(await ask()).toEqual(expected);
  });
});

function shown({ message, finishReason }: ProviderReply): object {
  const { text, reasoning, toolCalls: calls, opaque } = message;
  return { text, reasoning, calls, finishReason, ...(opaque === undefined ? {} : { opaque }) };
}

function streamOf(pieces: readonly Uint8Array[]): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
