import type { Json, JsonObject, PendingApproval } from "@loopwright/core";
import { gapRow, screenRows, shortenedRows } from "./screen-rows.ts";

/** Characters of all arguments that are shown whole. */
const MAX_SHOWN = 10_000;
/** The least that is shown of each one where they are more. */
const LEAST_SHOWN = 200;
/** How many arguments are shown. */
const MAX_ARGUMENTS = 100;
const INDENT = "    ";

/**
 * Arguments as a person reads them before they approve: pretty JSON, where text stays between its quotes. Each argument gets
 * its share of the room, and those that the tool knows come first, so that none can push another out of sight.
 */
export function argumentRows(
  input: JsonObject,
  schema: PendingApproval["schema"],
  columns: number | undefined,
): string {
  const names = orderedNames(Object.keys(input), schema);
  if (names.length === 0) return "  {}";
  const texts = names.map((name, index) => {
    const comma = index === names.length - 1 ? "" : ",";
    return `${JSON.stringify(name)}: ${pretty(input[name] ?? null)}${comma}`;
  });
  const total = texts.reduce((sum, text) => sum + text.length, 0);
  const share = Math.max(LEAST_SHOWN, Math.floor(MAX_SHOWN / texts.length));
  const maxChars = total <= MAX_SHOWN ? MAX_SHOWN : share;
  const rows = shown(texts).map((text) =>
    typeof text === "number"
      ? gapRow(`${text} arguments are left out`)
      : shortenedRows(text, columns, { first: INDENT, maxChars }),
  );
  return [screenRows("{", columns, "  "), ...rows, "  }"].join("\n");
}

/** The first and the last of many, and between them how many are left out. */
function shown(texts: readonly string[]): readonly (string | number)[] {
  if (texts.length <= MAX_ARGUMENTS) return texts;
  const half = MAX_ARGUMENTS / 2;
  return [...texts.slice(0, half), texts.length - MAX_ARGUMENTS, ...texts.slice(-half)];
}

function orderedNames(
  names: readonly string[],
  schema: PendingApproval["schema"],
): readonly string[] {
  const { properties } = schema;
  const known = typeof properties === "object" && properties !== null ? properties : {};
  const isKnown = (name: string): boolean => Object.hasOwn(known, name);
  return [...names.filter((name) => isKnown(name)), ...names.filter((name) => !isKnown(name))];
}

function pretty(value: Json): string {
  return JSON.stringify(value, null, 2);
}
