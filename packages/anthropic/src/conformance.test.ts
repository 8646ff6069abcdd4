import { describeProvider } from "@loopwright/testkit";
import { toEvents, toEventText, toMessage } from "../../testkit/src/stub-servers/anthropic-wire.ts";
import { anthropic } from "./anthropic.ts";

const secrets = { get: () => "sk-ant-test" };
const reply = { text: "It is 4.", reasoning: "2 + 2" };

for (const stream of [true, false]) {
  describeProvider(anthropic, {
    options: { stream },
    services: () => ({ secrets, fetch: async () => (stream ? streamed() : whole()) }),
    key: "sk-ant-test",
    failures: [
      { options: { stream }, services: () => ({ fetch: async () => whole() }) },
      {
        options: { stream },
        services: () => ({ secrets, fetch: () => Promise.reject(new Error("ECONNREFUSED")) }),
      },
      { options: { stream }, services: () => ({ secrets, fetch: async () => new Response("{") }) },
      ...[400, 401, 429, 529].map((status) => ({
        options: { stream },
        services: () => ({
          secrets,
          fetch: async () => Response.json({ error: { type: "x", message: "no" } }, { status }),
        }),
      })),
    ],
    lacking: {
      options: { stream },
      services: () => ({ secrets, fetch: async () => schemaRefused() }),
      request: { output: { name: "x", schema: { type: "object" }, layer: "json-schema" } },
    },
    hanging: { options: { stream }, services: () => ({ secrets, fetch: neverAnswering }) },
  });
}

/** As the platform's fetch: it waits until it is aborted. */
function neverAnswering(_url: unknown, { signal }: RequestInit): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

function whole(): Response {
  return Response.json(toMessage(reply));
}

function streamed(): Response {
  const text = toEvents(reply).map(toEventText).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

function schemaRefused(): Response {
  const message = "output_config.format: The compiled grammar is too large.";
  return Response.json({ error: { type: "invalid_request_error", message } }, { status: 400 });
}
