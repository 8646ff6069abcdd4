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

const secrets = { get: () => "sk-test" };

for (const stream of [true, false]) {
  describeProvider(openai, {
    options: { stream },
    services: () => ({ secrets, fetch: async () => (stream ? streamed() : whole()) }),
    failures: [
      { options: { stream }, services: () => ({ fetch: async () => whole() }) },
      {
        options: { stream },
        services: () => ({ secrets, fetch: () => Promise.reject(new Error("ECONNREFUSED")) }),
      },
      { options: { stream }, services: () => ({ secrets, fetch: async () => new Response("{") }) },
      ...[400, 401, 429, 500].map((status) => ({
        options: { stream },
        services: () => ({
          secrets,
          fetch: async () => Response.json({ error: { message: "no" } }, { status }),
        }),
      })),
    ],
    hanging: {
      options: { stream },
      services: () => ({ secrets, fetch: neverAnswering }),
    },
  });
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
