import type { ProviderRequest } from "@loopwright/core/plugin";
import { ProviderError } from "@loopwright/core/plugin";
import { mismatchOf } from "./match.ts";
import { type ScriptedReply, textOf } from "./reply.ts";

/** Many texts for the values of one input; the number after `sample:` in the step key picks one. */
export interface ScriptTable {
  readonly input: string;
  readonly samples: ReadonlyMap<string, readonly string[]>;
}

/** What a scripted model can say; the table is asked after the replies. */
export interface Script {
  /** Where it was written, for messages. */
  readonly source: string;
  readonly replies: readonly ScriptedReply[];
  readonly table?: ScriptTable;
}

/** How often each reply served one run, by its index. */
export type UseCounts = Map<number, number>;

/** Takes the first reply that fits and has uses left, counting the use; a request that nothing fits is an error. */
export function takeReply(
  script: Script,
  request: ProviderRequest,
  used: UseCounts,
): ScriptedReply {
  for (const [index, entry] of script.replies.entries()) {
    const count = used.get(index) ?? 0;
    if (entry.times !== "always" && count >= (entry.times ?? 1)) continue;
    if (mismatchOf(entry, request) !== undefined) continue;
    used.set(index, count + 1);
    return entry;
  }
  const text = script.table === undefined ? undefined : lookUp(script.table, request);
  if (text !== undefined) return { text };
  throw exhausted(script, request, used);
}

function lookUp(table: ScriptTable, request: ProviderRequest): string | undefined {
  const value = request.inputs[table.input];
  const isScalar = typeof value === "string" || typeof value === "number";
  const name = Array.isArray(value) ? value.join(" ") : isScalar ? String(value) : undefined;
  if (name === undefined) return undefined;
  const sample = /.*sample:(\d+)/s.exec(request.key)?.[1] ?? "0";
  return table.samples.get(name)?.[Number(sample)];
}

function exhausted(script: Script, request: ProviderRequest, used: UseCounts): ProviderError {
  const last = request.messages.at(-1);
  const tail = (last === undefined ? "" : textOf(last)).slice(-200);
  const unused = [...script.replies.entries()].filter(([index]) => !used.has(index));
  const reasons = unused
    .slice(0, 3)
    .map(([index, entry]) => `entry ${index + 1}: ${mismatchOf(entry, request) ?? "times is 0"}`);
  const { stage, voice, key } = request;
  return new ProviderError(
    "script-exhausted",
    `No reply of ${script.source} fits: stage ${stage}, voice ${voice}, key ${key}. ` +
      `${unused.length} of ${script.replies.length} entries stand unused` +
      `${reasons.length > 0 ? ` (${reasons.join("; ")})` : ""}. ` +
      `The last message ends: ${JSON.stringify(tail)}. Add an entry that fits, or raise \`times\`.`,
    { details: { stage, voice, key, lastMessage: tail, unused: unused.length } },
  );
}
