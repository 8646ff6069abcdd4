import type { Json } from "../contracts/json.ts";

const EDGES = /^[\s"'`*“”‘’「」『』]+|[\s"'`*“”‘’「」『』.!?,;:。！？，；：]+$/gu;

/** The one listed value that a text means once case, separators, marks around it and final punctuation are put aside. */
export function foldedChoice(
  text: string,
  choices: readonly Json[],
): { readonly choice: Json } | "ambiguous" | undefined {
  const wanted = folded(text);
  const found = choices.filter((choice) => typeof choice === "string" && folded(choice) === wanted);
  if (found.length > 1) return "ambiguous";
  const [choice] = found;
  return wanted === "" || choice === undefined ? undefined : { choice };
}

function folded(text: string): string {
  return text
    .slice(0, 1_000)
    .replace(EDGES, "")
    .toLowerCase()
    .replaceAll(/[_\s-]+/g, " ")
    .trim();
}
