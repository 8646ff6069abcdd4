import type { Spending } from "../contracts/event.ts";
import type { Limits } from "../program/program.ts";
import { totalTokens } from "./model-cost.ts";

/** The share of a limit from which a run wraps up. */
export const softShare = 0.8;

/** A limit that is nearly used up. */
export type SoftLimit = readonly [limit: string, used: number, max: number];

/** The limits of which four fifths are used; so many model calls are held back below theirs. */
export function softLimits(
  { modelCalls, toolCalls, tokens, usd }: Limits,
  spent: Spending,
  heldBack: number,
): readonly SoftLimit[] {
  const rows: readonly (readonly [string, number, number | undefined])[] = [
    ["modelCalls", spent.modelCalls, modelCalls === undefined ? undefined : modelCalls - heldBack],
    ["toolCalls", spent.toolCalls, toolCalls],
    ["tokens", totalTokens(spent.usage), tokens],
    ["usd", spent.usd, usd],
  ];
  return rows.flatMap(([limit, used, max]) =>
    max !== undefined && used >= max * softShare ? [[limit, used, max] as const] : [],
  );
}
