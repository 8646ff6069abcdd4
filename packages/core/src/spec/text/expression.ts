import { Environment, EvaluationError, ParseError, type ASTNode } from "@marcbachmann/cel-js";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { checkExpression, type CheckedExpression } from "./expression-check.ts";
import { emitExpression } from "./expression-emit.ts";
import { ExpressionFault } from "./expression-fault.ts";
import { withMaps } from "./expression-view.ts";
import { requireBoolean } from "./expression-operators.ts";
import type { ObjectShape } from "./shape.ts";

/** A checked CEL expression over the state view. */
export interface Expression {
  readonly source: string;
  /** The state paths that it reads, e.g. `verdict.passed`. */
  readonly paths: readonly string[];
  /** Evaluates it; throws ExpressionError for what only a run can show, like a division by zero. */
  evaluate(view: JsonObject): Json;
}

/** The result of compiling an expression; `offset` counts from 0 in its source. */
export type CompiledExpression =
  | { readonly ok: true; readonly expression: Expression }
  | {
      readonly ok: false;
      readonly message: string;
      readonly offset?: number;
      readonly suggestion?: string;
      readonly neverTrue?: boolean;
    };

/** Thrown when an expression cannot be evaluated: a missing key, null where a value is needed, a division by zero. */
export class ExpressionError extends Error {
  override readonly name: string = "ExpressionError";
}

const longestSource = 2_000;
const parser = new Environment({
  unlistedVariablesAreDyn: true,
  limits: {
    maxAstNodes: 300,
    maxDepth: 32,
    maxListElements: 100,
    maxMapEntries: 100,
    maxCallArguments: 8,
  },
});

/** Checks a CEL expression against the shape of the state view and prepares it; `bool` demands a result that is true or false. */
export function compileExpression(
  source: string,
  shape: ObjectShape,
  expected: "bool" | "any",
): CompiledExpression {
  if (source.trim() === "") return { ok: false, message: "the expression is empty" };
  if (source.length > longestSource) {
    return {
      ok: false,
      message: `the expression has ${source.length} characters; at most ${longestSource} are allowed`,
      suggestion: "split it, or write a check",
    };
  }
  try {
    const ast = parser.parse(source).ast;
    const checked = checkExpression(ast, shape);
    if (expected === "bool") requireBoolean(ast, checked.shape, "the expression");
    return { ok: true, expression: prepare(source, ast, checked, expected) };
  } catch (cause) {
    if (cause instanceof ExpressionFault)
      return { ok: false, message: cause.message, ...cause.details };
    if (cause instanceof ParseError) return explainParseError(cause, source);
    return {
      ok: false,
      message: `the expression cannot be read: ${cause instanceof Error ? firstLine(cause.message) : "unknown"}`,
    };
  }
}

function prepare(
  source: string,
  ast: ASTNode,
  checked: CheckedExpression,
  expected: "bool" | "any",
): Expression {
  const environment = arithmetic.clone();
  const names = new Set(checked.paths.map((path) => path.split(".", 1)[0] ?? path));
  for (const name of names) environment.registerVariable(name, "dyn");
  const program = environment.parse(emitExpression(ast));
  const found = program.check();
  if (!found.valid)
    throw new ExpressionFault(
      lowerFirst(found.error?.summary ?? "the expression is malformed"),
      {},
    );
  return {
    source,
    paths: checked.paths,
    evaluate: (view) => {
      const value = toJson(run(program, view, source), source);
      if (expected === "bool" && typeof value !== "boolean")
        throw new ExpressionError(
          `\`${source}\` is ${value === null ? "null" : "no boolean"} here`,
        );
      return value;
    },
  };
}

function run(program: (context: JsonObject) => unknown, view: JsonObject, source: string): unknown {
  try {
    return runReadable(program, view);
  } catch (cause) {
    throw new ExpressionError(`\`${source}\` cannot be evaluated: ${explainEvaluation(cause)}`, {
      cause,
    });
  }
}

function runReadable(program: (context: JsonObject) => unknown, view: JsonObject): unknown {
  try {
    return program(view);
  } catch (cause) {
    const readable = withMaps(view);
    if (readable === view) throw cause;
    return program(readable as JsonObject);
  }
}

function explainEvaluation(cause: unknown): string {
  if (!(cause instanceof EvaluationError))
    return cause instanceof Error ? firstLine(cause.message) : "unknown";
  const missing = /^No such key: (\w+)$/.exec(cause.summary)?.[1];
  if (missing !== undefined) return `\`${missing}\` is missing`;
  const summary = plainTypes(lowerFirst(cause.summary));
  const operator = /^no such overload: (\S.*) (==|!=|<=?|>=?|[-+*/%]|in) (\S.*)$/.exec(summary);
  if (operator !== null)
    return `\`${operator[2] ?? ""}\` does not work between ${operator[1] ?? ""} and ${operator[3] ?? ""}`;
  const call = /^found no matching overload for '(?:(.*)\.)?(\w+)\((.*)\)'$/.exec(cause.summary);
  if (call === null) return plainTypes(lowerFirst(cause.summary));
  const given = [call[1], call[3]]
    .filter((text) => text !== undefined && text !== "")
    .join(" and ");
  return `\`${call[2] ?? ""}\` does not work with ${plainTypes(given)}`;
}

// `dyn<map<string, list<double>>>` is a map to the reader.
function plainTypes(summary: string): string {
  let text = summary;
  for (let depth = 0; depth < 8 && text.includes("<"); depth++) {
    text = text.replaceAll(/\b(list|map)<[^<>]*>/g, "$1").replaceAll(/\bdyn<([^<>]*)>/g, "$1");
  }
  return text.replaceAll(/\bdouble\b/g, "number").replaceAll(/\bstring\b/g, "text");
}

function toJson(value: unknown, source: string): Json {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new ExpressionError(`\`${source}\` is not a finite number`);
    return Object.is(value, -0) ? 0 : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item, source));
  if (value instanceof Map) return toJson(Object.fromEntries(value), source);
  if (typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, toJson(item, source)]),
    );
  throw new ExpressionError(`\`${source}\` gives no plain value`);
}

const arithmetic = new Environment({
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 5_000, maxDepth: 1_000 },
})
  .registerFunction("divide(double, double): double", (a: number, b: number) => {
    if (b === 0) throw new ExpressionError("division by zero");
    return a / b;
  })
  .registerFunction("remainder(double, double): double", (a: number, b: number) => {
    if (b === 0) throw new ExpressionError("division by zero");
    return a % b;
  })
  .registerFunction("matchText(string, string): bool", (text: string, pattern: string) =>
    new RegExp(pattern, "u").test(text),
  )
  .registerFunction("round(double): double", (value: number) => roundTo(value, 0))
  .registerFunction("round(double, double): double", roundTo)
  .registerFunction("floor(double): double", Math.floor)
  .registerFunction("ceil(double): double", Math.ceil)
  .registerFunction("abs(double): double", Math.abs)
  .registerFunction("min(double, double): double", (a: number, b: number) => Math.min(a, b))
  .registerFunction("max(double, double): double", (a: number, b: number) => Math.max(a, b));

// Through the decimal text, because 1.005 * 100 is 100.49999999999999.
function roundTo(value: number, digits: number): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new ExpressionError("round takes 0 to 15 digits");
  const [mantissa = "0", exponent = "0"] = String(Math.abs(value)).split("e");
  const shifted = Math.round(Number(`${mantissa}e${Number(exponent) + digits}`));
  const [roundedMantissa = "0", roundedExponent = "0"] = String(shifted).split("e");
  const rounded = Number(`${roundedMantissa}e${Number(roundedExponent) - digits}`);
  return Number.isFinite(rounded) ? Math.sign(value) * rounded : value;
}

function explainParseError(error: ParseError, source: string): CompiledExpression {
  const offset = error.range?.start;
  const place = offset === undefined ? {} : { offset };
  if (error.code === "limit_exceeded")
    return {
      ok: false,
      message: "the expression is too large or nested too deep",
      suggestion: "split it, or write a check",
      ...place,
    };
  const near = source.slice(offset ?? 0);
  if (/^=(?!=)/.test(near))
    return { ok: false, message: "`=` compares nothing", suggestion: "write `==`", ...place };
  if (/^&(?!&)/.test(near))
    return { ok: false, message: "a single `&` means nothing", suggestion: "write `&&`", ...place };
  if (/^\|(?!\|)/.test(near))
    return { ok: false, message: "a single `|` means nothing", suggestion: "write `||`", ...place };
  const word =
    /^(and|or|not)\b/.exec(near)?.[1] ??
    /\b(and|or|not)\s*$/.exec(source.slice(0, offset ?? 0))?.[1];
  const operators: ReadonlyMap<string, string> = new Map([
    ["and", "&&"],
    ["or", "||"],
    ["not", "!"],
  ]);
  if (word !== undefined)
    return {
      ok: false,
      message: `\`${word}\` is no operator`,
      suggestion: `write \`${operators.get(word) ?? ""}\``,
      ...place,
    };
  return {
    ok: false,
    message: `the expression is malformed: ${lowerFirst(error.summary)}`,
    ...place,
  };
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

function lowerFirst(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1);
}
