import type { ModelEntry, Program } from "../program/program.ts";
import type { PriceCeiling } from "./explain-tree.ts";
import { reachableModels } from "./program-bounds.ts";

const TOKENS_OF_A_PRICE = 1_000_000;

/**
 * The most that a run can cost: the limit in dollars where there is one, else the limit in tokens at the dearest price,
 * else what all replies of the worst case may cost, which leaves out what is sent.
 */
export function priceCeiling(program: Program): PriceCeiling {
  const { limits, bounds } = program;
  if (limits.usd !== undefined) return { usd: limits.usd, why: "limits.usd" };
  const models = modelsWithin(program);
  if (models.length === 0) return { usd: 0, why: "no model is called" };
  const unpriced = models.find(({ price }) => price === undefined);
  if (unpriced !== undefined) return { why: `${unpriced.id} has no price` };
  const dearest = Math.max(...models.map(dearestOf));
  if (dearest === 0) return { usd: 0, why: "every model costs nothing" };
  if (limits.tokens !== undefined) {
    const usd = (limits.tokens * dearest) / TOKENS_OF_A_PRICE;
    return { usd, why: "limits.tokens at the dearest price" };
  }
  const open = models.find(({ sampling }) => sampling.maxTokens === undefined);
  if (open !== undefined)
    return { why: `${open.id} has no maxTokens, and limits have neither usd nor tokens` };
  const reply = Math.max(
    ...models.map(({ sampling, price }) => (sampling.maxTokens ?? 0) * (price?.output ?? 0)),
  );
  const usd = (bounds.requests[1] * reply) / TOKENS_OF_A_PRICE;
  return { usd, why: "replies alone; what is sent has no ceiling" };
}

/** Every distinct model of a program, those of the agents inside it after its own. */
export function modelsWithin(program: Program): readonly ModelEntry[] {
  const inner = [...(program.agents ?? new Map<string, Program>()).values()];
  const all = [...reachableModels(program.stages.values()), ...inner.flatMap(modelsWithin)];
  return [...new Set(all)];
}

function dearestOf({ price }: ModelEntry): number {
  if (price === undefined) return 0;
  const { input, output, cacheRead = 0, cacheWrite = 0 } = price;
  return Math.max(input, output, cacheRead, cacheWrite);
}
