import type { Json } from "../contracts/json.ts";
import { type Draft, isDraftList, isDraftObject, LooseText } from "./draft.ts";
import { readNumberText } from "./number-text.ts";

/** The value of a draft without a schema's help, or nothing where a part of it has no one meaning. */
export function settleDraft(draft: Draft): Json | undefined {
  if (draft instanceof LooseText) return settleLoose(draft);
  if (isDraftList(draft)) {
    const list: Json[] = [];
    for (const item of draft) {
      const value = settleDraft(item);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  }
  if (!isDraftObject(draft)) return draft;
  const object: Record<string, Json> = {};
  for (const [key, member] of Object.entries(draft)) {
    const value = settleDraft(member);
    if (value === undefined) return undefined;
    object[key] = value;
  }
  return object;
}

function settleLoose({ kind, text }: LooseText): Json | undefined {
  if (kind === "number") return Number(text);
  if (kind === "word") return text;
  const value = kind === "grouped" ? readNumberText(text, false) : undefined;
  return typeof value === "number" ? value : undefined;
}

/** What stands at a place of a draft, as it was written. */
export function writtenText(draft: Draft): string {
  if (draft instanceof LooseText) return draft.text;
  return typeof draft === "string" ? draft : JSON.stringify(settleDraft(draft) ?? null);
}
