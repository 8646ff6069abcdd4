import { type TSchema, Type } from "@sinclair/typebox";
import type { JsonSchema } from "../../contracts/json.ts";
import { checks, count, duration } from "../../contracts/schema.ts";

/** Lets a TypeBox schema be read as plain data. */
export function asJsonSchema(schema: TSchema): JsonSchema {
  return schema;
}

// TypeBox markers take no bounds of their own.
function positiveDuration(extra: { readonly default?: number } = {}): TSchema {
  return { ...duration(extra), exclusiveMinimum: 0 };
}

const limitFields = {
  modelCalls: Type.Optional(count()),
  toolCalls: Type.Optional(count()),
  tokens: Type.Optional(count()),
  usd: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  time: Type.Optional(positiveDuration()),
  workTime: Type.Optional(positiveDuration()),
};

/** Limits, of the spec, a stage or a switch. */
export const limitsSchema: JsonSchema = asJsonSchema(Type.Object(limitFields));

/** Limits of a tool: one that may never be called is left out of `tools`. */
export const toolLimitsSchema: JsonSchema = asJsonSchema(
  Type.Object({ ...limitFields, toolCalls: Type.Optional({ ...count(), minimum: 1 } as TSchema) }),
);

/** The keys of a model that are plain values and no options of its provider; `profile` and how it is called are read apart. */
export const modelSchema: JsonSchema = asJsonSchema(
  Type.Object({
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    maxTokens: Type.Optional(count()),
    effort: Type.Optional(
      Type.Union(
        ["none", "minimal", "low", "medium", "high"].map((effort) => Type.Literal(effort)),
      ),
    ),
    maxParallel: Type.Optional(Type.Integer({ minimum: 1 })),
    structured: Type.Optional(
      Type.Union(["json-schema", "json-mode", "prompt"].map((layer) => Type.Literal(layer))),
    ),
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

/** How a model is called where its spec says nothing. */
export const standardCalls: {
  readonly timeout: { readonly totalMs: number; readonly firstMs: number; readonly idleMs: number };
  readonly retry: { readonly attempts: number; readonly firstMs: number; readonly maxMs: number };
  readonly breaker: { readonly failures: number; readonly restMs: number };
} = {
  timeout: { totalMs: 600_000, firstMs: 120_000, idleMs: 60_000 },
  retry: { attempts: 3, firstMs: 1_000, maxMs: 60_000 },
  breaker: { failures: 5, restMs: 30_000 },
};

/** How long a reply may take: the whole of it, its first piece, and the pause between two. */
export const timeoutSchema: JsonSchema = asJsonSchema(
  Type.Object({
    total: positiveDuration({ default: standardCalls.timeout.totalMs }),
    first: positiveDuration({ default: standardCalls.timeout.firstMs }),
    idle: positiveDuration({ default: standardCalls.timeout.idleMs }),
  }),
);

/** When no call goes to an endpoint for a while. */
export const modelBreakerSchema: JsonSchema = asJsonSchema(
  Type.Object({
    failures: Type.Integer({ minimum: 1, default: standardCalls.breaker.failures }),
    rest: positiveDuration({ default: standardCalls.breaker.restMs }),
  }),
);

/** What a run must answer with, except the fields themselves. */
export const outputSchema: JsonSchema = asJsonSchema(
  Type.Object({
    reasoning: Type.Union(
      ["none", "first", "separate", "free"].map((form) => Type.Literal(form)),
      { default: "none" },
    ),
    checks: checks({ default: [] }),
  }),
);

/** How often a reply goes back to its model, as one count. */
export const repairCount: JsonSchema = { type: "integer", minimum: 0, maximum: 5, default: 1 };

/** The same, for what does not fit and for what the checks find. */
export const repairSchema: JsonSchema = {
  type: "object",
  properties: { format: repairCount, checks: repairCount },
};

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
    timeout: Type.Optional(positiveDuration()),
    cache: Type.Optional(duration()),
    maxResult: Type.Optional({ ...count(), minimum: 1 } as TSchema),
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
  "retry",
  "rateLimit",
  "breaker",
  "coolDown",
  "maxParallel",
  "limits",
  "expires",
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
