import type { StubCall, StubReply } from "./stub-reply.ts";

const HEAD = { id: "chatcmpl-stub", created: 0, model: "stub" };
const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A whole chat completion that says what the reply says. */
export function toCompletion(reply: StubReply): unknown {
  const message = {
    role: "assistant",
    content: reply.text ?? null,
    refusal: reply.refusal ?? null,
    ...(reply.reasoning === undefined ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls === undefined ? {} : { tool_calls: reply.calls.map(toWireCall) }),
  };
  return {
    ...HEAD,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply), logprobs: null }],
    usage: reply.usage ?? USAGE,
  };
}

/** The same as the chunks of a stream: a piece for every word, calls with their arguments in two halves. */
export function toChunks(reply: StubReply): readonly unknown[] {
  const words = (text: string | undefined): readonly string[] => text?.match(/\S+\s*|\s+/g) ?? [];
  return [
    toChunk({ role: "assistant", content: "" }),
    ...words(reply.reasoning).map((word) => toChunk({ reasoning_content: word })),
    ...words(reply.text).map((word) => toChunk({ content: word })),
    ...words(reply.refusal).map((word) => toChunk({ refusal: word })),
    ...(reply.calls ?? []).flatMap((call, index) => {
      const wire = toWireCall(call, index);
      const half = Math.ceil(call.arguments.length / 2);
      const rest = { index, function: { arguments: call.arguments.slice(half) } };
      const first = {
        ...wire,
        index,
        function: { name: call.name, arguments: call.arguments.slice(0, half) },
      };
      return [toChunk({ tool_calls: [first] }), toChunk({ tool_calls: [rest] })];
    }),
    toChunk({}, finishReasonOf(reply)),
    { ...HEAD, object: "chat.completion.chunk", choices: [], usage: reply.usage ?? USAGE },
  ];
}

/** Chunks as server-sent events, closed by `[DONE]`. */
export function toSse(chunks: readonly unknown[]): readonly string[] {
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"];
}

/** Bytes in pieces of equal size. */
export function splitBytes(bytes: Uint8Array, size: number): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < bytes.length; start += size)
    pieces.push(bytes.subarray(start, start + size));
  return pieces;
}

function toChunk(delta: unknown, finishReason: string | null = null): unknown {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return { ...HEAD, object: "chat.completion.chunk", choices };
}

function toWireCall(call: StubCall, index: number): Readonly<Record<string, unknown>> {
  return {
    id: call.id ?? `call_stub_${index}`,
    type: "function",
    function: { name: call.name, arguments: call.arguments },
  };
}

function finishReasonOf(reply: StubReply): string {
  return reply.finishReason ?? (reply.calls === undefined ? "stop" : "tool_calls");
}
