import type { CompileContext } from "./compile-context.ts";
import { nameStages } from "./stage-ids.ts";
import type { ReadStage } from "./stage-tree.ts";

/** A stage before it has an id; one of a named strategy stands wherever that is used. */
export interface StageDraft extends Omit<ReadStage, "id" | "slots"> {
  /** Whether something was meant for it and stands elsewhere. */
  readonly isFaulty: boolean;
  readonly slots: ReadonlyMap<string, readonly StageDraft[]>;
}

/** Gives every stage of a tree its id, each before its children. */
export function nameDrafts(
  drafts: readonly StageDraft[],
  context: CompileContext,
): readonly ReadStage[] {
  const flat: StageDraft[] = [];
  const collect = (draft: StageDraft): void => {
    flat.push(draft);
    for (const children of draft.slots.values()) children.forEach(collect);
  };
  drafts.forEach(collect);
  const ids = nameStages(
    flat.map(({ strategy, at, settings }) => ({
      strategy,
      at,
      idNode: settings.entries.get("id")?.value,
    })),
    context.diagnostics,
  );
  const seen = new Set<string>();
  for (const [index, id] of ids.entries()) {
    if (seen.has(id) || flat[index]?.isFaulty === true) context.unsound.add(id);
    seen.add(id);
  }
  // The same draft may stand in several places: the ids are dealt out in the order in which they were collected.
  const rest = ids.values();
  const named = (draft: StageDraft): ReadStage => {
    const id = rest.next().value ?? draft.strategy;
    const slots = new Map<string, readonly ReadStage[]>();
    for (const [key, children] of draft.slots) slots.set(key, children.map(named));
    return { ...draft, id, slots };
  };
  return drafts.map(named);
}
