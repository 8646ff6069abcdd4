import type { JsonSchema } from "../contracts/json.ts";
import { isJsonList, isJsonObject } from "../spec/document/options-context.ts";
import { type SchemaWalk, wordOf } from "./schema-walk.ts";

/** What a value is, in words: `a whole number from 1 to 100`, `one of fail, continue`. */
export function typeText(schema: JsonSchema, walk: SchemaWalk): string {
  const words = wordsOf(schema, walk, 0).filter((word) => word !== "");
  return [...new Set(words)].join(", or ") || "any value";
}

function wordsOf(schema: JsonSchema, walk: SchemaWalk, depth: number): readonly string[] {
  const marker = schema["x-loopwright"];
  const marked = isJsonObject(marker) ? MARKED[markedKey(marker)] : undefined;
  if (marked !== undefined) return [marked];
  const name = walk.targetName(schema);
  if (name !== undefined) return [REFERRED[name.replace(/\.patch$/u, "")] ?? "a map"];
  if (isJsonList(schema["enum"])) return [`one of ${schema["enum"].map(wordOf).join(", ")}`];
  if (schema["const"] !== undefined) return [wordOf(schema["const"])];
  const variants = schema["anyOf"] ?? schema["oneOf"];
  if (isJsonList(variants) && depth < DEEPEST)
    return variants.filter(isJsonObject).flatMap((variant) => wordsOf(variant, walk, depth + 1));
  return [typeWord(schema)];
}

const DEEPEST = 4;

function typeWord(schema: JsonSchema): string {
  const { type, minimum, maximum } = schema;
  switch (type) {
    case "integer":
      return `a whole number${rangeText(minimum, maximum)}`;
    case "number":
      return `a number${rangeText(minimum, maximum)}`;
    case "string":
      return "text";
    case "boolean":
      return "true or false";
    case "array":
      return "a list";
    case "object":
      return "a map";
    default:
      return "";
  }
}

function rangeText(minimum: unknown, maximum: unknown): string {
  if (typeof minimum === "number" && typeof maximum === "number")
    return ` from ${minimum} to ${maximum}`;
  if (typeof minimum === "number") return ` of at least ${minimum}`;
  return typeof maximum === "number" ? ` of at most ${maximum}` : "";
}

function markedKey(marker: JsonSchema): string {
  const { kind = "", of } = marker;
  return of === undefined ? wordOf(kind) : `${wordOf(kind)} ${wordOf(of)}`;
}

const MARKED: Readonly<Record<string, string>> = {
  expression: "an expression",
  template: "text with `{{ path }}`",
  duration: "a duration like 5s",
  count: "a count like 2000 or 200k",
  secret: "text that may be a `${secret:NAME}`",
  path: "a path",
  spec: "the path of a spec",
  "name model": "provider/name, a role, or none",
  "name role": "a role",
  "name tool": "a tool",
  "name stage": "the id of a stage",
  "name memory": "the name of a memory",
  "defines stage": "a name in kebab-case",
  "name sink": "the name of a sink",
  "names stage": "a map by the ids of stages",
  "names tool": "a map by the names of tools",
  "defines-keys branch": "a map of names",
};

const REFERRED: Readonly<Record<string, string>> = {
  substituted: "",
  stage: "a stage, or a list of stages",
  model: "a model",
  models: "models by role",
  fields: "fields like { city: string }",
  field: "a type like string, or a JSON Schema",
  limits: "limits",
  toolLimits: "limits",
  examples: "a list of { task, answer }",
  checks: "a list of checks",
  stageTools: "read, none, all, a list of tools, or a map of policies",
  task: "text, or a map",
  tools: "a list of ids, or a map of names",
  memory: "a map of names",
  sinks: "a list of ids, or a map of names",
};
