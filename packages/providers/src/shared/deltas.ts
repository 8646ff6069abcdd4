import type { Delta } from "@loopwright/core/plugin";

/** Cuts text into words with the space after each; joined they are the text. */
function toWords(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** Tells text piece by piece, as an endpoint that streams does. */
export function tellInWords(
  onDelta: ((delta: Delta) => void) | undefined,
  kind: Delta["kind"],
  text: string,
): void {
  if (onDelta === undefined) return;
  for (const word of toWords(text)) onDelta({ kind, text: word });
}
