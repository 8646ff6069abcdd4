import type { Dialect, DialectRules } from "./dialect-rules.ts";

const shape = [
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "anyOf",
  "description",
] as const;
const references = ["$ref", "$defs"] as const;
const lengths = ["minLength", "maxLength"] as const;
const bounds = ["minimum", "maximum"] as const;
const exclusive = ["exclusiveMinimum", "exclusiveMaximum"] as const;
const counts = ["minItems", "maxItems"] as const;
const primitives = ["string", "number", "integer", "boolean", "null"] as const;
const formats = ["date-time", "date", "time", "duration", "email", "hostname", "ipv4", "ipv6"];
const none: ReadonlySet<string> = new Set<string>();
const unbounded = { values: Number.POSITIVE_INFINITY, characters: Number.POSITIVE_INFINITY };

/** What most dialects that decode by a grammar have in common. */
const strict = {
  isClosed: true,
  isClosedByDefault: true,
  isAllRequired: true,
  isRootObject: true,
  enumTypes: new Set<string>(primitives),
  reservedNames: none,
  formats: none,
  takes: () => true,
  enumLimits: unbounded,
  refusedAbove: {},
  warnedAbove: {},
} as const;

const openai: DialectRules = {
  ...strict,
  keywords: new Set([
    ...shape,
    ...references,
    ...lengths,
    ...bounds,
    ...exclusive,
    ...counts,
    "const",
    "title",
    "pattern",
    "format",
    "multipleOf",
  ]),
  formats: new Set([...formats, "uuid"]),
  references: "kept",
  recursion: "kept",
  splitsTypes: false,
  enumLimits: { values: 1_000, characters: 15_000 },
  refusedAbove: { properties: 5_000, depth: 10, enumValues: 1_000, characters: 120_000 },
  warnedAbove: { properties: 100, depth: 5 },
};

const deepseek: DialectRules = {
  ...strict,
  keywords: new Set(shape),
  references: "inlined",
  recursion: "refused",
  splitsTypes: true,
};

const anthropic: DialectRules = {
  ...strict,
  keywords: new Set([...shape, ...references, "title", "const", "minItems"]),
  isAllRequired: false,
  isRootObject: true,
  references: "kept",
  recursion: "refused",
  splitsTypes: true,
  takes: (keyword, value) => keyword !== "minItems" || value === 0 || value === 1,
};

const mfjs: DialectRules = {
  ...strict,
  keywords: new Set([...shape, ...references, ...lengths, ...bounds, ...counts, "title"]),
  isClosed: false,
  isClosedByDefault: false,
  isAllRequired: false,
  references: "kept",
  recursion: "kept",
  splitsTypes: true,
  any: { type: ["string", "number", "integer", "boolean", "null", "object", "array"] },
  reservedNames: new Set(["", "$defs", "$ref", "anyOf", "required", "additionalProperties"]),
  enumLimits: { values: 1_000, characters: 75_000 },
  refusedAbove: { properties: 3_000, depth: 30, branches: 500, characters: 120_000 },
  warnedAbove: { properties: 100, depth: 5, branches: 10, enumValues: 500, characters: 15_000 },
};

const gemini: DialectRules = {
  ...strict,
  keywords: new Set([...shape, ...references, ...bounds, ...counts, "title", "format"]),
  formats: new Set(["date-time", "date", "time"]),
  isClosed: false,
  isClosedByDefault: false,
  isAllRequired: false,
  isRootObject: false,
  references: "kept",
  recursion: "warned",
  splitsTypes: false,
  any: {},
  enumTypes: new Set(["string", "number", "integer"]),
};

const llamacpp: DialectRules = {
  ...strict,
  keywords: new Set([
    ...shape,
    ...lengths,
    ...bounds,
    ...exclusive,
    ...counts,
    "const",
    "pattern",
    "format",
  ]),
  formats: new Set(["date-time", "date", "time", "uuid"]),
  isClosed: false,
  isAllRequired: false,
  isRootObject: false,
  references: "inlined",
  recursion: "refused",
  splitsTypes: false,
  any: {},
  enumTypes: new Set([...primitives, "object", "array"]),
  takes(keyword, value, type) {
    if (keyword === "pattern") return typeof value === "string" && /^\^.*\$$/su.test(value);
    return !isNumberBound(keyword) || type === "integer";
  },
};

function isNumberBound(keyword: string): boolean {
  return [...bounds, ...exclusive].some((known) => known === keyword);
}

/** The rules of each dialect that has some. */
export const dialectTables: Readonly<Record<Exclude<Dialect, "none">, DialectRules>> = {
  openai,
  mfjs,
  deepseek,
  gemini,
  anthropic,
  llamacpp,
};
