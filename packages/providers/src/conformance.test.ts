import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeProvider, sampleRun, tempFolder } from "@loopwright/testkit";
import { openai } from "./openai.ts";
import { replay } from "./replay.ts";
import { scripted, scriptedProvider } from "./scripted.ts";

const folder = tempFolder();
const script = write(
  "script.yaml",
  'replies: [{ text: "It is 4.", reasoning: "2 + 2", times: 9 }]',
);
const recording = write(
  "run.jsonl",
  sampleRun()
    .map((event) => JSON.stringify(event))
    .join("\n"),
);

describeProvider(scripted, {
  options: { file: script },
  failures: [
    {},
    { options: { file: join(folder, "missing.yaml") } },
    { options: { file: write("broken.yaml", "replies: 4") } },
    { options: { file: write("empty.yaml", "replies: []") } },
  ],
  // The suite's clock stands still.
  hanging: { options: { file: write("slow.yaml", "replies: [{ text: late, delayMs: 5 }]") } },
});

describeProvider(scriptedProvider("in-code", [{ stage: "direct", text: "It is 4.", times: 9 }]), {
  failures: [{ request: { stage: "react" } }],
});

describeProvider(replay, {
  options: { file: recording },
  request: { key: "run/react:0", requestHash: "0f" },
  failures: [
    {},
    { options: { file: join(folder, "missing.jsonl") } },
    { options: { file: recording }, request: { key: "run/direct:0", requestHash: "1e" } },
  ],
});

const KEY = "sk-canary-0123456789";
const secrets = { get: () => KEY };
const refused = { error: { message: `response_format is not supported; your key is ${KEY}` } };

for (const stream of [true, false]) {
  const options = { stream };
  const answering = (answer: () => Response) => () => ({ secrets, fetch: async () => answer() });
  const hanging = { options, services: () => ({ secrets, fetch: neverAnswering }) };
  describeProvider(openai, {
    options,
    services: answering(() => (stream ? streamed() : whole())),
    key: KEY,
    failures: [
      { options, services: () => ({ fetch: async () => whole() }) },
      {
        options,
        services: () => ({ secrets, fetch: () => Promise.reject(new Error("ECONNREFUSED")) }),
      },
      { options, services: answering(() => new Response("{")) },
      ...[400, 401, 429, 500].map((status) => ({
        options,
        services: answering(() => Response.json({ error: { message: `no, ${KEY}` } }, { status })),
      })),
    ],
    hanging,
    lacking: {
      request: { output: { name: "a", schema: { type: "object" }, layer: "json-schema" } },
      options,
      services: answering(() => Response.json(refused, { status: 400 })),
    },
    embedding: { options, services: () => ({ secrets, fetch: embedding }), hanging },
  });
}

/** Gives each text a vector of its length and of its bytes, summed up. */
async function embedding(_url: unknown, { body }: RequestInit): Promise<Response> {
  const { input } = JSON.parse(body as string) as { readonly input: readonly string[] };
  const data = input.map((text, index) => ({
    index,
    embedding: [text.length, Buffer.from(text).reduce((sum, code) => sum + code, 0)],
  }));
  return Response.json({ data: data.toReversed(), usage: { prompt_tokens: 3, total_tokens: 3 } });
}

/** As the platform's fetch: it waits until it is aborted. */
function neverAnswering(_url: unknown, { signal }: RequestInit): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

function whole(): Response {
  const message = { role: "assistant", content: "It is 4.", refusal: null };
  return Response.json({
    id: "c-1",
    object: "chat.completion",
    created: 0,
    model: "stub",
    choices: [{ index: 0, message, finish_reason: "stop", logprobs: null }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}

function streamed(): Response {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: "c-1",
    object: "chat.completion.chunk",
    created: 0,
    model: "stub",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const chunks = [
    chunk({ role: "assistant", content: "" }),
    chunk({ content: "It is " }),
    chunk({ content: "4." }),
    chunk({}, "stop"),
  ];
  const lines = chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`);
  return new Response(`${lines.join("")}data: [DONE]\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}
