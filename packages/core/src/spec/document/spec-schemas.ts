import { type TSchema, Type } from "@sinclair/typebox";
import type { JsonSchema } from "../../contracts/json.ts";
import { checks, count, duration } from "../../contracts/schema.ts";

/** Lets a TypeBox schema be read as plain data. */
export function asJsonSchema(schema: TSchema): JsonSchema {
  return schema;
}

// TypeBox markers take no bounds of their own.
function positiveDuration(): TSchema {
  return { ...duration(), exclusiveMinimum: 0 };
}

/** Limits, of the spec or of a stage. */
export const limitsSchema: JsonSchema = asJsonSchema(
  Type.Object({
    modelCalls: Type.Optional(count()),
    toolCalls: Type.Optional(count()),
    tokens: Type.Optional(count()),
    usd: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
    time: Type.Optional(duration()),
    workTime: Type.Optional(duration()),
  }),
);

/** The keys of a model that are not options of its provider. */
export const modelSchema: JsonSchema = asJsonSchema(
  Type.Object({
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    maxTokens: Type.Optional(count()),
    effort: Type.Optional(
      Type.Union(
        ["none", "minimal", "low", "medium", "high"].map((effort) => Type.Literal(effort)),
      ),
    ),
    profile: Type.Optional(Type.String({ minLength: 1 })),
    price: Type.Optional(
      Type.Object({
        input: Type.Number({ minimum: 0 }),
        output: Type.Number({ minimum: 0 }),
        cacheRead: Type.Optional(Type.Number({ minimum: 0 })),
        cacheWrite: Type.Optional(Type.Number({ minimum: 0 })),
      }),
    ),
  }),
);

/** What a run must answer with, except the fields themselves. */
export const outputSchema: JsonSchema = asJsonSchema(
  Type.Object({
    reasoning: Type.Union([Type.Literal("none"), Type.Literal("first"), Type.Literal("separate")], {
      default: "none",
    }),
    checks: checks({ default: [] }),
    repair: Type.Integer({ minimum: 0, maximum: 5, default: 1 }),
  }),
);

/** A worked example of a stage. */
export const exampleSchema: JsonSchema = asJsonSchema(
  Type.Object({
    task: Type.String({ minLength: 1 }),
    answer: Type.Union([
      Type.String(),
      Type.Record(Type.String(), Type.Unknown()),
      Type.Array(Type.Unknown()),
    ]),
    reasoning: Type.Optional(Type.String()),
    avoid: Type.Optional(Type.String()),
  }),
);

/** How often a failing call is tried again. */
export const retrySchema: JsonSchema = asJsonSchema(
  Type.Object({
    attempts: Type.Integer({ minimum: 1, maximum: 10 }),
    first: Type.Optional(duration()),
    max: Type.Optional(duration()),
  }),
);

/** The policies of a tool that are plain values; `approval`, `deny`, `retry`, `rateLimit` and `limits` are read apart. */
export const policySchema: JsonSchema = asJsonSchema(
  Type.Object({
    timeout: Type.Optional(duration({})),
    cache: Type.Optional(duration()),
    maxResult: Type.Optional(count()),
    fallback: Type.Optional(Type.String({ minLength: 1 })),
    repeat: Type.Optional(Type.Integer({ minimum: 1 })),
    breaker: Type.Optional(
      Type.Object({ failures: Type.Integer({ minimum: 1 }), rest: positiveDuration() }),
    ),
    coolDown: Type.Optional(Type.Integer({ minimum: 1 })),
    polls: Type.Optional(Type.Boolean()),
    maxParallel: Type.Optional(Type.Integer({ minimum: 1 })),
    expires: Type.Optional(positiveDuration()),
    reason: Type.Optional(Type.String({ minLength: 1 })),
  }),
);

/** Policies that are checked, and that a run can't keep yet. */
export const laterPolicies: readonly string[] = [
  "retry",
  "rateLimit",
  "breaker",
  "coolDown",
  "maxParallel",
  "limits",
  "expires",
];

/** Every key of a tool's policy. */
export const policyKeys: readonly string[] = [
  "approval",
  "deny",
  "timeout",
  "cache",
  "maxResult",
  "fallback",
  "repeat",
  "polls",
  "reason",
  ...laterPolicies,
];

/** The settings that every stage has, whatever its strategy. */
export const commonSettings: readonly string[] = [
  "id",
  "when",
  "always",
  "model",
  "instructions",
  "prompt",
  "examples",
  "tools",
  "limits",
  "onError",
];

/** Every key of a spec. */
export const specKeys: readonly string[] = [
  "apiVersion",
  "name",
  "version",
  "description",
  "extends",
  "plugins",
  "workspace",
  "dryRun",
  "inputs",
  "task",
  "instructions",
  "glossary",
  "language",
  "model",
  "models",
  "toolPolicy",
  "tools",
  "memory",
  "strategies",
  "strategy",
  "output",
  "limits",
  "sinks",
  "switches",
  "cases",
  "overlays",
];
