import type { ParseError } from "@marcbachmann/cel-js";
import { ExpressionFault } from "./expression-fault.ts";
import { nameOfLookAlike, plainFormOf } from "./look-alike-table.ts";

/** Says in plain words why a source is no CEL. */
export function explainParseError(error: ParseError, source: string): ExpressionFault {
  const offset = error.range?.start;
  const fault = (message: string, suggestion: string): ExpressionFault =>
    new ExpressionFault(message, {
      code: "LW-EXPR-SYNTAX",
      suggestion,
      ...(offset === undefined ? {} : { offset }),
    });
  if (error.code === "limit_exceeded")
    return fault("the expression is too large or nested too deep", "split it, or write a check");
  const near = source.slice(offset ?? 0);
  const character = Array.from(near)[0] ?? "";
  if (plainFormOf(character) !== character)
    return new ExpressionFault(`${nameOfLookAlike(character)} means nothing in an expression`, {
      code: "LW-YAML-LOOK-ALIKE",
      suggestion: `write \`${plainFormOf(character)}\``,
      ...(offset === undefined ? {} : { offset }),
    });
  if (/^=(?!=)/.test(near)) return fault("`=` compares nothing", "write `==`");
  if (/^&(?!&)/.test(near)) return fault("a single `&` means nothing", "write `&&`");
  if (/^\|(?!\|)/.test(near)) return fault("a single `|` means nothing", "write `||`");
  const word =
    /^(and|or|not)\b/.exec(near)?.[1] ??
    /\b(and|or|not)\s*$/.exec(source.slice(0, offset ?? 0))?.[1];
  if (word !== undefined)
    return fault(`\`${word}\` is no operator`, `write \`${operators.get(word) ?? ""}\``);
  return fault(
    `the expression is malformed: ${lowerFirst(error.summary)}`,
    repairOf(source, character),
  );
}

/** What to do about a source that ends too early, or holds something that no expression does. */
function repairOf(source: string, character: string): string {
  const half = /(&&|\|\||[=!<>]=|[<>+*/%-]|\bin|!)\s*$/.exec(source)?.[1];
  if (character === "" && half !== undefined)
    return `write what stands on the right of \`${half}\`, or delete it`;
  const open = source.split("(").length - source.split(")").length;
  if (open > 0) return "add the missing `)`";
  if (open < 0) return "add the missing `(`, or delete a `)`";
  if (source.split("'").length % 2 === 0) return "add the missing `'` of the text";
  return character === ""
    ? "write what is missing at its end"
    : `write an operator like \`&&\` or \`==\` before \`${character}\`, or delete it`;
}

const operators: ReadonlyMap<string, string> = new Map([
  ["and", "&&"],
  ["or", "||"],
  ["not", "!"],
]);

/** The message with a small first letter, as the middle of a sentence. */
export function lowerFirst(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1);
}
