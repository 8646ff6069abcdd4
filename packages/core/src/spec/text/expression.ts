import { Environment, EvaluationError, ParseError, type ASTNode } from "@marcbachmann/cel-js";
import { LRUCache } from "lru-cache";
import type { Json, JsonObject } from "../../contracts/json.ts";
import { arithmetic, withinIterations } from "./expression-arithmetic.ts";
import { checkExpression, type CheckedExpression } from "./expression-check.ts";
import { emitExpression } from "./expression-emit.ts";
import { ExpressionError } from "./expression-error.ts";
import type { DiagnosticCode } from "./diagnostic-codes.ts";
import { ExpressionFault, faultAt } from "./expression-fault.ts";
import { requireBoolean } from "./expression-operators.ts";
import { explainParseError, lowerFirst } from "./expression-syntax.ts";
import { withMaps } from "./expression-view.ts";
import type { PathPlace } from "./path-place.ts";
import type { Position } from "./position.ts";
import { describeShape, type ObjectShape, type Shape } from "./shape.ts";

export { ExpressionError } from "./expression-error.ts";

/** What the place of an expression wants: a condition, a list, or any value. */
export type ExpressionResult = "bool" | "list" | "any";

/** A checked CEL expression over the state view. */
export interface Expression {
  readonly source: string;
  /** The shape of its result. */
  readonly shape: Shape;
  /** The state paths that it reads, e.g. `verdict.passed`. */
  readonly paths: readonly string[];
  /** Where it stands in its spec; missing where it was not read from one. */
  readonly at?: Position;
  /** Every place in the source where a state path is read. */
  readonly places: readonly PathPlace[];
  /** Evaluates it; throws ExpressionError for what only a run can show, like a division by zero. */
  evaluate(view: JsonObject): Json;
}

/** The result of compiling an expression; `offset` counts from 0 in its source. */
export type CompiledExpression =
  | { readonly ok: true; readonly expression: Expression }
  | {
      readonly ok: false;
      readonly code: DiagnosticCode;
      readonly message: string;
      readonly offset?: number;
      readonly suggestion?: string;
    };

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

// A spec says the same condition in many places, and each pass of a check reads it again.
const known = new WeakMap<ObjectShape, Map<string, CompiledExpression>>();
const trees = new LRUCache<string, ASTNode>({ max: 2_000 });
const programs = new LRUCache<string, Program>({ max: 2_000 });
// By the names that an expression reads: most conditions read the same few.
const environments = new LRUCache<string, Environment>({ max: 100 });

/** Checks a CEL expression against the shape of the state view and prepares it; `bool` demands a result that is true or false, `list` one that is a list. */
export function compileExpression(
  source: string,
  shape: ObjectShape,
  expected: ExpressionResult,
): CompiledExpression {
  const ofShape = known.get(shape) ?? new Map<string, CompiledExpression>();
  known.set(shape, ofShape);
  const key = `${expected} ${source}`;
  const compiled = ofShape.get(key) ?? compile(source, shape, expected);
  ofShape.set(key, compiled);
  return compiled;
}

function compile(
  source: string,
  shape: ObjectShape,
  expected: ExpressionResult,
): CompiledExpression {
  try {
    if (source.trim() === "")
      throw syntaxFault("the expression is empty", "write a condition, or delete the line");
    if (source.length > longestSource)
      throw syntaxFault(
        `the expression has ${source.length} characters; at most ${longestSource} are allowed`,
        "split it, or write a check",
      );
    const ast = treeOf(source);
    const checked = checkExpression(ast, shape);
    if (expected === "bool") requireBoolean(ast, checked.shape, "the expression");
    if (expected === "list") requireList(ast, checked.shape);
    return { ok: true, expression: prepare(source, ast, checked, expected) };
  } catch (cause) {
    const { message, details } = cause instanceof ExpressionFault ? cause : faultOf(cause, source);
    return { ok: false, code: "LW-EXPR-TYPE", message, ...details };
  }
}

function syntaxFault(message: string, suggestion: string): ExpressionFault {
  return new ExpressionFault(message, {
    code: "LW-EXPR-SYNTAX",
    suggestion,
  });
}

function faultOf(cause: unknown, source: string): ExpressionFault {
  if (cause instanceof ParseError) return explainParseError(cause, source);
  const reason = cause instanceof Error ? firstLine(cause.message) : "unknown";
  return syntaxFault(`the expression cannot be read: ${reason}`, "write it more simply");
}

function treeOf(source: string): ASTNode {
  const ast = trees.get(source) ?? parser.parse(source).ast;
  trees.set(source, ast);
  return ast;
}

function requireList(node: ASTNode, shape: Shape): void {
  if (shape.kind === "list" || shape.kind === "any") return;
  throw faultAt(
    node,
    `the expression must be a list, but is ${describeShape(shape)}`,
    "write a path that leads to a list, like `plan.steps`",
  );
}

function prepare(
  source: string,
  ast: ASTNode,
  checked: CheckedExpression,
  expected: ExpressionResult,
): Expression {
  const program = programOf(source, ast, checked.paths);
  return {
    source,
    ...checked,
    evaluate: (view) => {
      const value = toJson(run(program, view, source), source);
      if (expected === "bool" && typeof value !== "boolean")
        throw misfit(source, `is ${value === null ? "null" : "no boolean"} here`);
      if (expected === "list" && !Array.isArray(value))
        throw misfit(source, `is ${value === null ? "null" : "no list"} here`);
      return value;
    },
  };
}

type Program = (context: JsonObject) => unknown;

function programOf(source: string, ast: ASTNode, paths: readonly string[]): Program {
  const names = [...new Set(paths.map((path) => path.split(".", 1)[0] ?? path))];
  const variables = names.join(" ");
  const key = `${variables}\n${source}`;
  const found = programs.get(key);
  if (found !== undefined) return found;
  const environment = environments.get(variables) ?? environmentOf(names);
  environments.set(variables, environment);
  const program = environment.parse(emitExpression(ast));
  const checked = program.check();
  if (!checked.valid)
    throw syntaxFault(
      lowerFirst(checked.error?.summary ?? "the expression is malformed"),
      "write it more simply",
    );
  programs.set(key, program);
  return program;
}

function environmentOf(names: readonly string[]): Environment {
  const environment = arithmetic.clone();
  for (const name of names) environment.registerVariable(name, "dyn");
  return environment;
}

function run(program: Program, view: JsonObject, source: string): unknown {
  try {
    return withinIterations(() => runReadable(program, view));
  } catch (cause) {
    const reason = explainEvaluation(cause);
    const message = `\`${source}\` cannot be evaluated: ${reason}`;
    throw new ExpressionError(message, { reason, cause });
  }
}

function runReadable(program: Program, view: JsonObject): unknown {
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
    if (!Number.isFinite(value)) throw misfit(source, "is not a finite number");
    return Object.is(value, -0) ? 0 : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => toJson(item, source));
  if (value instanceof Map) return toJson(Object.fromEntries(value), source);
  if (typeof value === "object")
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, toJson(item, source)]),
    );
  throw misfit(source, "gives no plain value");
}

function misfit(source: string, fault: string): ExpressionError {
  return new ExpressionError(`\`${source}\` ${fault}`, { reason: `it ${fault}` });
}

function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}
