import type { Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import type { Position } from "../spec/text/position.ts";

/** Hands what a pass found over, each finding once, with where a named strategy is used that holds the fault. */
export function handOver(
  found: Diagnostics,
  target: Diagnostics,
  strategyUses: ReadonlyMap<string, Position>,
): void {
  const told = new Set<string>();
  for (const item of found.items) {
    const strategy = strategyOf(item);
    const message = strategy === undefined ? item.message : withoutNumbers(item.message);
    const key = `${item.file}:${item.line}:${item.column} ${item.code} ${message}`;
    if (told.has(key)) continue;
    told.add(key);
    const use = strategyUses.get(strategy ?? "");
    const note = use === undefined ? [] : [`used at ${use.file}:${use.line}`];
    const notes = [...(item.notes ?? []), ...note];
    target.add({ ...item, ...(notes.length === 0 ? {} : { notes }) });
  }
}

/** The name of the strategy of `strategies` that holds the place of a finding. */
function strategyOf({ path }: Diagnostic): string | undefined {
  return /^strategies\.([^.[]+)/.exec(path)?.[1];
}

/** A message without the numbers of ids: the same stage is called `verify` at one use, `verify-2` at the next. */
function withoutNumbers(message: string): string {
  return message.replaceAll(/`([a-z0-9-]+?)-\d+`/g, "`$1`");
}
