// An OpenAI-compatible endpoint on loopback. It runs as a process of its own, so that its work is not counted.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { replyTo, type WireMessage } from "./task.ts";

const server = createServer((incoming, response) => void answer(incoming, response));
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
});
process.on("disconnect", () => {
  server.close();
  server.closeAllConnections();
});

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of incoming as AsyncIterable<Buffer>) parts.push(part);
  const { messages, stream } = JSON.parse(Buffer.concat(parts).toString("utf8")) as {
    readonly messages: readonly WireMessage[];
    readonly stream?: boolean;
  };
  const message = replyTo(messages);
  if (stream === true) return sendPieces(response, message);
  const choice = { index: 0, message, finish_reason: finishReasonOf(message), logprobs: null };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    JSON.stringify({ ...HEAD, object: "chat.completion", choices: [choice], usage: USAGE }),
  );
}

/** A piece for every word, and each call with its arguments in two halves. */
function sendPieces(response: ServerResponse, message: WireMessage): void {
  const words = message.content?.match(/\S+\s*/g) ?? [];
  const calls = (message.tool_calls ?? []).flatMap(({ id, type, function: call }, index) => {
    const half = Math.ceil(call.arguments.length / 2);
    const [start, rest] = [call.arguments.slice(0, half), call.arguments.slice(half)];
    return [
      { tool_calls: [{ index, id, type, function: { name: call.name, arguments: start } }] },
      { tool_calls: [{ index, function: { arguments: rest } }] },
    ];
  });
  const deltas = [
    { role: "assistant", content: "" },
    ...words.map((content) => ({ content })),
    ...calls,
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const delta of deltas) write(response, [{ index: 0, delta, finish_reason: null }], null);
  write(response, [{ index: 0, delta: {}, finish_reason: finishReasonOf(message) }], null);
  write(response, [], USAGE);
  response.end("data: [DONE]\n\n");
}

function write(response: ServerResponse, choices: readonly object[], usage: object | null): void {
  const chunk = { ...HEAD, object: "chat.completion.chunk", choices, usage };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function finishReasonOf(message: WireMessage): string {
  return message.tool_calls === undefined ? "stop" : "tool_calls";
}

const HEAD = { id: "chatcmpl-stub", created: 0, model: "stub" };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
