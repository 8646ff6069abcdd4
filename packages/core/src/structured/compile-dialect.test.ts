import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaSamples } from "../../test/schema-samples.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { compileDialect, type Dialect } from "./compile-dialect.ts";
import { isOfType } from "./dialects/schema-reading.ts";
import { dialectTables } from "./dialects/dialect-tables.ts";

const dialects = Object.keys(dialectTables) as Exclude<Dialect, "none">[];
const engine = new Ajv2020({
  strict: false,
  validateFormats: false,
  ownProperties: true,
  validateSchema: false,
});
const compiledSchemas = new WeakMap<JsonSchema, ValidateFunction>();
function fits(value: Json, schema: JsonSchema): boolean {
  const validate = compiledSchemas.get(schema) ?? engine.compile(schema);
  compiledSchemas.set(schema, validate);
  return validate(value);
}

/** A schema of an answer that uses what JSON Schema has. */
const everything = JSON.parse(
  readFileSync(new URL("dialects/fixtures/everything.schema.json", import.meta.url), "utf8"),
) as JsonSchema;

/** Every schema within a schema for the wire. */
function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { properties, items, additionalProperties, anyOf, $defs } = schema as Record<string, Json>;
  const inner = [
    ...Object.values((properties ?? {}) as JsonObject),
    ...Object.values(($defs ?? {}) as JsonObject),
    ...((anyOf ?? []) as Json[]),
    items,
    additionalProperties,
  ].filter((part): part is JsonObject => typeof part === "object");
  return [schema, ...inner.flatMap(partsOf)];
}

/** What a model gives through the wire for a value: null for each required field that the value lacks. */
function forward(value: Json, part: JsonSchema, root: JsonSchema): Json {
  const { $ref: reference, anyOf, items, properties, required } = part as Record<string, Json>;
  if (typeof reference === "string") {
    const name = reference.replace("#/$defs/", "");
    return forward(
      value,
      ((root["$defs"] ?? {}) as Record<string, JsonSchema>)[name] ?? root,
      root,
    );
  }
  if (anyOf !== undefined) {
    const possible = (anyOf as JsonSchema[]).filter(({ type }) => {
      const types = [type ?? []].flat() as string[];
      return types.length === 0 || types.some((name) => isOfType(value, name));
    });
    const [only, ...others] = possible;
    if (only === undefined) return value;
    if (others.length === 0) return forward(value, only, root);
    const definitions = root["$defs"] === undefined ? {} : { $defs: root["$defs"] };
    const tried = possible
      .map((branch) => ({ branch, sent: forward(value, branch, root) }))
      .filter(({ branch, sent }) => fits(sent, { ...branch, ...definitions }))
      // The places of a tuple share one union on the wire: the branch that adds the fewest nulls is right for all.
      .toSorted((a, b) => JSON.stringify(a.sent).length - JSON.stringify(b.sent).length);
    return tried[0]?.sent ?? value;
  }
  if (Array.isArray(value))
    return items === undefined
      ? value
      : value.map((item: Json) => forward(item, items as JsonSchema, root));
  if (typeof value !== "object" || value === null || properties === undefined) return value;
  const fields = properties as Record<string, JsonSchema>;
  const given = Object.entries(value)
    .filter(([name]) => part["additionalProperties"] !== false || !name.startsWith("extra-"))
    .map(([name, inner]) => [
      name,
      Object.hasOwn(fields, name) ? forward(inner, fields[name]!, root) : inner,
    ]);
  const absent = ((required ?? []) as string[])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => [name, null]);
  return Object.fromEntries([...given, ...absent]) as JsonObject;
}

/** What the documents of each endpoint leave out; the tables are checked against it. */
const unsupported: Readonly<Record<Exclude<Dialect, "none">, string>> = {
  openai:
    "allOf not if then else dependentRequired dependentSchemas oneOf patternProperties prefixItems contains uniqueItems default",
  mfjs: "allOf oneOf not if const pattern exclusiveMinimum exclusiveMaximum multipleOf prefixItems contains uniqueItems minProperties maxProperties patternProperties propertyNames format $comment $schema $anchor $dynamicRef",
  deepseek:
    "minLength maxLength pattern format minimum maximum multipleOf patternProperties minItems maxItems $ref $defs oneOf allOf",
  gemini:
    "oneOf allOf not if pattern minLength maxLength exclusiveMinimum multipleOf uniqueItems const",
  anthropic: "minimum maximum minLength maxLength multipleOf maxItems pattern oneOf allOf not if",
  llamacpp: "uniqueItems not if prefixItems $ref $defs allOf oneOf multipleOf contains",
};

describe.each(dialects)("the dialect %s", (dialect) => {
  const rules = dialectTables[dialect];

  it("has no keyword that its endpoint leaves out", () => {
    const left = unsupported[dialect].split(" ").filter((keyword) => rules.keywords.has(keyword));
    expect(left).toEqual([]);
  });

  it("says a schema that uses everything, and names what it can't say", async () => {
    const before = JSON.stringify(everything);
    const { undo: _undo, ...compiled } = compileDialect(everything, dialect);
    expect(JSON.stringify(everything)).toBe(before);
    const golden = `dialects/fixtures/${dialect}.golden.json`;
    await expect(`${JSON.stringify(compiled, null, 2)}\n`).toMatchFileSnapshot(golden);
  });
});

it("holds no other keyword, throws for nothing, and lets every right answer through", {
  timeout: 60_000,
}, () => {
  const usable = new Map<Dialect, number>();
  let runs = 0;
  const check = fc.property(schemaSamples, ({ schema, value }) => {
    fc.pre(fits(value, schema));
    runs += 1;
    const text = JSON.stringify(schema);
    for (const dialect of dialects) {
      const { keywords } = dialectTables[dialect];
      const compiled = compileDialect(schema, dialect);
      const odd = partsOf(compiled.schema).flatMap((part) =>
        Object.keys(part).filter((keyword) => !keywords.has(keyword)),
      );
      expect({ dialect, odd }).toEqual({ dialect, odd: [] });
      if (compiled.rejected.length > 0) continue;
      usable.set(dialect, (usable.get(dialect) ?? 0) + 1);
      const sent = forward(value, compiled.schema, compiled.schema);
      const context = JSON.stringify({ dialect, value, sent, schema, wire: compiled.schema });
      const isSent = fits(sent, compiled.schema);
      const isUndone = fits(compiled.undo(sent), schema);
      expect({ context, isSent, isUndone }).toEqual({ context, isSent: true, isUndone: true });
    }
    expect(JSON.stringify(schema)).toBe(text);
  });
  fc.assert(check, { numRuns: 80 });
  // Closed dialects can't say maps, patterns and parts of any type, which many samples hold.
  for (const dialect of dialects)
    expect((usable.get(dialect) ?? 0) / runs).toBeGreaterThan(
      dialectTables[dialect].isClosed ? 0.15 : 0.4,
    );
});

const object = (properties: JsonObject, more: JsonObject = {}): JsonSchema => ({
  type: "object",
  properties,
  ...more,
});

describe("a schema that can't be sent", () => {
  const reasons = (schema: JsonSchema, dialect: Dialect): readonly string[] =>
    compileDialect(schema, dialect).rejected.map(({ path, keyword }) => `${path} ${keyword}`);
  const text: JsonSchema = { type: "string" };

  it("is a root that is a union or no object, where the root must be an object", () => {
    const either = { anyOf: [object({ a: text }), object({ b: text })] };
    expect(reasons(either, "openai")).toEqual([" anyOf"]);
    // MoonshotAI/kimi-code#2661: one tool with such a root fails the whole request.
    expect(reasons(either, "mfjs")).toEqual([" anyOf"]);
    expect(reasons({ type: "array", items: text }, "openai")).toEqual([" type"]);
    expect(reasons(either, "gemini")).toEqual([]);
  });

  it("leads back to itself, where that can't be said", () => {
    const tree = object({ name: text, kids: { type: "array", items: { $ref: "#" } } });
    expect(reasons(tree, "anthropic")).toEqual([" $ref"]);
    expect(reasons(tree, "llamacpp")).toEqual(["kids[] $ref"]);
    expect(reasons(tree, "deepseek")).toEqual(["kids[] $ref", "kids[] type"]);
    expect(reasons(tree, "openai")).toEqual([]);
    expect(reasons(tree, "gemini")).toEqual([]);
    expect(compileDialect(tree, "gemini").warnings).toHaveLength(1);
    expect(reasons({ ...tree, required: ["kids"] }, "mfjs")).toEqual([" schema"]);
  });

  it("would shut right answers out where each object is closed", () => {
    for (const dialect of ["openai", "deepseek", "anthropic"] as const) {
      expect(reasons(object({ a: { type: "object" } }), dialect)).toEqual(["a properties"]);
      expect(reasons(object({}, { additionalProperties: text }), dialect)).toEqual([
        " additionalProperties",
      ]);
      const conditional = { dependentSchemas: { a: { properties: { b: text } } } };
      expect(reasons(object({ a: text }, conditional), dialect)).toEqual([" properties"]);
      expect(reasons(object({ a: text }, { required: ["b"] }), dialect)).toEqual([" required"]);
      expect(reasons(object({ a: {} }), dialect)).toEqual(["a type"]);
      expect(reasons(object({}), dialect)).toEqual([]);
    }
  });

  it("is larger than the endpoint takes, and tells of documented limits before", () => {
    const fields = (count: number): JsonSchema =>
      object(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, text])));
    expect(reasons(fields(5_001), "openai")).toEqual([" properties"]);
    const { rejected, warnings } = compileDialect(fields(101), "mfjs");
    expect(rejected).toEqual([]);
    expect(warnings.map(({ keyword }) => keyword)).toEqual(["properties"]);
    expect(warnings[0]?.message).toBe("101 fields, some endpoints take at most 100");
    const nested = (levels: number): JsonSchema =>
      levels === 0 ? text : object({ inner: nested(levels - 1) });
    expect(reasons(nested(11), "openai")).toEqual([" depth"]);
    expect(compileDialect(nested(6), "mfjs").warnings.map(({ keyword }) => keyword)).toEqual([
      "depth",
    ]);
  });

  it("refers to what is not in it, or is not well formed", () => {
    expect(reasons(object({ a: { $ref: "https://example.org/a.json" } }), "gemini")).toEqual([
      "a $ref",
    ]);
    expect(reasons(object({ a: { $ref: "#/$defs/none" } }), "gemini")).toEqual(["a $ref"]);
    expect(reasons(object({ a: { type: "text" } }), "gemini")).toEqual(["a type"]);
    expect(reasons(object({ a: { type: "string", minLength: "3" } }), "gemini")).toEqual([
      "a minLength",
    ]);
  });
});

describe("a null that stands for an optional field", () => {
  const undo = (schema: JsonSchema, answer: Json): Json =>
    compileDialect(schema, "openai").undo(answer);

  it("is taken out, and stays where the field may be null", () => {
    const schema = object(
      { a: { type: "string" }, b: { type: ["string", "null"] }, c: { type: "null" } },
      { required: ["c"] },
    );
    expect(undo(schema, { a: null, b: null, c: null })).toEqual({ b: null, c: null });
  });

  it("is taken out below lists, references and the branch that the answer has", () => {
    const schema = object(
      {
        list: { type: "array", items: { $ref: "#/$defs/One" } },
        either: {
          anyOf: [
            object({ kind: { const: "x" }, p: { type: "string" } }, { required: ["kind"] }),
            object({ kind: { const: "y" }, p: { type: "null" } }, { required: ["kind"] }),
          ],
        },
      },
      { required: ["list"], $defs: { One: object({ q: { type: "integer" } }) } },
    );
    expect(undo(schema, { list: [{ q: null }, { q: 1 }], either: { kind: "x", p: null } })).toEqual(
      { list: [{}, { q: 1 }], either: { kind: "x" } },
    );
    expect(undo(schema, { list: [], either: { kind: "y", p: null } })).toEqual({
      list: [],
      either: { kind: "y", p: null },
    });
    expect(undo(schema, { list: [], either: null })).toEqual({ list: [] });
  });

  it("is left alone in an answer of another shape, and without limits of depth", () => {
    expect(undo(object({ a: { type: "string" } }), "text")).toBe("text");
    const node = object({ next: { $ref: "#" }, note: { type: "string" } });
    let deep: Json = { note: null };
    for (let level = 0; level < 2_000; level += 1) deep = { next: deep };
    expect(() => undo(node, deep)).not.toThrow();
  });
});

it.each(["none", "toString", "of a later version"])(
  "leaves a schema as it is in the dialect %s",
  (dialect) => {
    const compiled = compileDialect(everything, dialect as Dialect);
    expect(compiled.schema).toBe(everything);
    expect([compiled.lossy, compiled.rejected, compiled.warnings]).toEqual([[], [], []]);
    expect(compiled.undo({ a: null })).toEqual({ a: null });
  },
);

it("puts what stands beside a union into its branches, and what stands beside a reference to it", () => {
  const schema = object(
    {
      place: {
        $ref: "#/$defs/Place",
        properties: { zip: { type: "string" } },
        anyOf: [{ required: ["city"] }, { required: ["zip"] }],
      },
    },
    { $defs: { Place: object({ city: { type: "string" } }) } },
  );
  const properties = { zip: { type: "string" }, city: { type: "string" } };
  const { schema: wire, lossy, rejected } = compileDialect(schema, "mfjs");
  expect(wire["properties"]).toEqual({
    place: {
      anyOf: [
        { type: "object", properties, required: ["city"] },
        { type: "object", properties, required: ["zip"] },
      ],
    },
  });
  expect([lossy, rejected]).toEqual([[], []]);
});

const words = Object.keys(everything);
const junk = fc.letrec<{ any: Json }>((tie) => ({
  any: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Json>("#", "#/$defs/a", "string", "object", "array", 0, -1, 1.5, true, false),
    fc.constantFrom<Json>(null, "#/properties/a", "integer", "", "[", 1e308),
    fc.array(tie("any"), { maxLength: 3 }),
    fc.dictionary(
      fc.constantFrom(
        "type",
        "properties",
        "items",
        "anyOf",
        "allOf",
        "oneOf",
        "$ref",
        "$defs",
        "enum",
        "const",
        "required",
        "additionalProperties",
        "minimum",
        "pattern",
        "prefixItems",
        "a",
        "if",
        "then",
        "dependentSchemas",
        "patternProperties",
        "__proto__",
        "description",
        ...words,
      ),
      tie("any"),
      { maxKeys: 5 },
    ),
  ),
})).any;

it("throws for no JSON at all, and changes no prototype", () => {
  const check = fc.property(junk, (schema) => {
    const given = JSON.parse(JSON.stringify(schema)) as JsonSchema;
    for (const dialect of dialects) {
      const compiled = compileDialect(given, dialect);
      expect(() => compiled.undo({ a: null })).not.toThrow();
    }
  });
  fc.assert(check, { numRuns: 1_000 });
  expect(Object.keys(Object.prototype)).toEqual([]);
});

describe("the time a schema takes", () => {
  const nestedUnions = (levels: number): JsonSchema =>
    levels === 0
      ? { type: "string" }
      : object(
          { a: nestedUnions(levels - 1), b: { type: "string" } },
          { anyOf: [{ required: ["a"] }, { required: ["b"] }] },
        );
  const sharedParts = (levels: number): JsonSchema => {
    const definitions = Array.from({ length: levels }, (_, at): [string, Json] => {
      const next = { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, object({ a: next, b: next, c: next })];
    });
    const $defs = { ...Object.fromEntries(definitions), [`d${levels}`]: { type: "string" } };
    return object({ a: { $ref: "#/$defs/d0" } }, { $defs });
  };

  it("is bounded where parts are shared, and the schema is then refused", () => {
    const isInlined = (name: (typeof dialects)[number]): boolean =>
      dialectTables[name].references === "inlined";
    const timed = (schema: JsonSchema, dialect: Dialect): readonly string[] => {
      const begun = performance.now();
      const { rejected } = compileDialect(schema, dialect);
      expect(performance.now() - begun).toBeLessThan(2_000);
      return rejected.map(({ keyword }) => keyword);
    };
    for (const dialect of dialects) expect(timed(nestedUnions(40), dialect)).toContain("size");
    for (const dialect of dialects)
      expect(timed(sharedParts(40), dialect).includes("size")).toBe(isInlined(dialect));
  });

  it("grows with its size alone", () => {
    const wide = (count: number): JsonSchema =>
      object(
        Object.fromEntries(
          Array.from({ length: count }, (_, at) => [
            `f${at}`,
            { enum: ["a", at], description: "x" },
          ]),
        ),
      );
    const timeOf = (count: number): number => {
      const schema = wide(count);
      const times = Array.from({ length: 5 }, () => {
        const begun = performance.now();
        for (const dialect of dialects) compileDialect(schema, dialect);
        return performance.now() - begun;
      });
      return Math.min(...times);
    };
    timeOf(500);
    expect(timeOf(2_000) / timeOf(500)).toBeLessThan(10);
  });

  it("does not run out of stack in depth", () => {
    let schema: JsonSchema = { type: "string" };
    for (let level = 0; level < 3_000; level += 1) schema = { type: "array", items: schema };
    for (const dialect of dialects)
      expect(compileDialect(schema, dialect).rejected.map(({ keyword }) => keyword)).toContain(
        "depth",
      );
  });
});

describe("bounds", () => {
  const written = (field: JsonSchema, dialect: Dialect): Json | undefined =>
    (compileDialect(object({ a: field }), dialect).schema["properties"] as JsonObject)["a"];

  it.each<readonly [JsonObject, JsonObject]>([
    [{ exclusiveMaximum: 5 }, { maximum: 4 }],
    [{ exclusiveMaximum: 4.5 }, { maximum: 4 }],
    [{ exclusiveMinimum: 5 }, { minimum: 6 }],
    [{ exclusiveMinimum: 4.5, minimum: 2 }, { minimum: 5 }],
    [
      { minimum: 1.5, maximum: 8.5 },
      { minimum: 2, maximum: 8 },
    ],
  ])("of whole numbers that shut out are written as ones that let in: %j", (given, wire) => {
    expect(written({ type: "integer", ...given }, "mfjs")).toEqual({ type: "integer", ...wire });
  });

  it("that are joined are written as the tighter one", () => {
    const one = { type: "string", minLength: 1, maxLength: 9 };
    const other = { type: "string", minLength: 3, maxLength: 5 };
    const both = { type: "string", minLength: 3, maxLength: 5 };
    expect(written({ allOf: [one, other] }, "mfjs")).toEqual(both);
    expect(written({ allOf: [other, one] }, "mfjs")).toEqual(both);
  });
});
