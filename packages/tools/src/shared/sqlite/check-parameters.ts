import { didYouMean, ToolError } from "@loopwright/core/plugin";
import type { Statement } from "./read-statement.ts";

/** What can be bound to a parameter. */
export type Bound = string | number | boolean | null;

/** Values for the parameters of a statement, by position or by name. */
export type Parameters = readonly Bound[] | Readonly<Record<string, Bound>>;

const maxPosition = 999;

/** Refuses values that are not exactly the statement's parameters: the library binds what is missing as NULL. */
export function checkParameters(
  { names, positions }: Pick<Statement, "names" | "positions">,
  given: Parameters,
): void {
  const fault = faultOf({ names, positions }, given);
  if (fault !== undefined) throw new ToolError("tool-arguments-invalid", `Not run: ${fault}.`);
}

function faultOf(
  { names, positions }: Pick<Statement, "names" | "positions">,
  given: Parameters,
): string | undefined {
  if (names.size > 0 && positions > 0)
    return "the SQL has parameters with names and with numbers; use one kind";
  if (positions > maxPosition) return `it has more than ${maxPosition} parameters`;
  if (isList(given)) {
    if (names.size > 0)
      return `the parameters have names (${[...names].join(", ")}); give \`params\` as an object`;
    if (given.length !== positions)
      return `the SQL has ${positions} parameters (?), \`params\` has ${given.length} values`;
    return undefined;
  }
  if (positions > 0)
    return `the SQL has ${positions} parameters without names; give \`params\` as a list`;
  const missing = [...names].find((name) => !Object.hasOwn(given, name));
  if (missing !== undefined) return `\`params\` has no \`${missing}\``;
  const unknown = Object.keys(given).find((name) => !names.has(name));
  if (unknown === undefined) return undefined;
  const near = didYouMean(unknown, [...names]);
  return `the SQL has no parameter \`:${unknown}\`${near === undefined ? "" : `; ${near}`}`;
}

function isList(given: Parameters): given is readonly Bound[] {
  return Array.isArray(given);
}
