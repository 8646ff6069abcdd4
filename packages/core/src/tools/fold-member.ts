import type { Json } from "../contracts/json.ts";

/**
 * The one listed value that a text means: equal but for case, blanks and full width, else equal to what stands before its
 * first comma, as in `Shanghai, China`. Undefined where none is, and where it could be more than one.
 */
export function memberFor(text: string, choices: readonly Json[]): string | undefined {
  const whole = folded(text);
  const equal = membersEqual(whole, choices);
  if (equal.length > 0 || whole === "") return onlyOf(equal);
  const [first = ""] = whole.split(/[,、]/u);
  const before = first.trim();
  return before === "" || before === whole ? undefined : onlyOf(membersEqual(before, choices));
}

function membersEqual(wanted: string, choices: readonly Json[]): readonly string[] {
  return choices.filter(
    (choice): choice is string => typeof choice === "string" && folded(choice) === wanted,
  );
}

function onlyOf(found: readonly string[]): string | undefined {
  return found.length === 1 ? found[0] : undefined;
}

/** Full-width letters and marks become plain ones by NFKC. */
function folded(text: string): string {
  return text.slice(0, 1_000).normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
}
