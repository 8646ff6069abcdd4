import {
  type EmbedReply,
  type EmbedRequest,
  ProviderError,
  type Usage,
} from "@loopwright/core/plugin";
import type { OpenAI } from "openai";
import { toUsage } from "./usage.ts";
import type { WireUsage } from "./wire.ts";

/** Asks for the vectors of texts, in batches that the endpoint takes, one after the other. */
export async function embedTexts(
  client: OpenAI,
  request: EmbedRequest,
  batchSize: number,
  signal: AbortSignal,
): Promise<EmbedReply> {
  if (request.texts.length === 0)
    throw new ProviderError(
      "provider-rejected",
      "A request for vectors has no texts: give one at least.",
    );
  const vectors: (readonly number[])[] = [];
  const usages: Usage[] = [];
  for (let start = 0; start < request.texts.length; start += batchSize) {
    const input = request.texts.slice(start, start + batchSize);
    const reply: unknown = await client.embeddings.create(
      {
        model: request.model,
        input: [...input],
        encoding_format: "float",
        ...(request.dimensions === undefined ? {} : { dimensions: request.dimensions }),
      },
      // The library leaves its listener on the signal of each request.
      { signal: AbortSignal.any([signal]) },
    );
    signal.throwIfAborted();
    vectors.push(...readVectors(reply, input.length));
    usages.push(toUsage((reply as { usage?: WireUsage }).usage, "inside"));
  }
  return { vectors, usage: usages.reduce(sumOf) };
}

/** The vectors in the order of their texts, which their `index` tells. */
function readVectors(reply: unknown, count: number): readonly (readonly number[])[] {
  const data = (reply as { data?: unknown } | null)?.data;
  const items = Array.isArray(data)
    ? (data as readonly { index?: unknown; embedding?: unknown }[])
    : [];
  const vectors: (readonly number[] | undefined)[] = Array.from({ length: count });
  for (const [place, item] of items.entries()) {
    const index = typeof item?.index === "number" ? item.index : place;
    if (isVector(item?.embedding) && index < count) vectors[index] = item.embedding;
  }
  const whole = vectors.filter((vector) => vector !== undefined);
  if (items.length === count && whole.length === count) return whole;
  throw new ProviderError(
    "provider-failed",
    `The endpoint gave ${whole.length} vectors for ${count} texts. Check that the model makes embeddings.`,
    { details: { texts: count, vectors: whole.length } },
  );
}

function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "number");
}

function sumOf(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    output: one.output + other.output,
    reasoning: one.reasoning + other.reasoning,
  };
}
