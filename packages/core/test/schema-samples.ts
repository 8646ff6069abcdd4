import fc from "fast-check";
import type { Json, JsonObject, JsonSchema } from "../src/contracts/json.ts";

/** A schema, and a value that fits it but for what conditions and `oneOf` may add. */
interface SchemaSample {
  readonly schema: JsonSchema;
  readonly value: Json;
}

type Samples = fc.Arbitrary<SchemaSample>;

const text: fc.Arbitrary<string> = fc.string({ maxLength: 6 });
const whole: fc.Arbitrary<number> = fc.integer({ min: -50, max: 50 });
const half: fc.Arbitrary<number> = whole.map((value) => value / 4);
const fieldNames = ["a", "b", "c/d", "toString", "anyOf", "due date"];

function extra(schema: JsonObject): fc.Arbitrary<JsonObject> {
  return fc.option(fc.constant(schema), { nil: {} });
}

const texts: Samples = fc.oneof(
  text.chain((value) => {
    const length = Array.from(value).length;
    return fc
      .tuple(extra({ minLength: length }), extra({ maxLength: length + 2 }))
      .map(([least, most]) => ({ schema: { type: "string", ...least, ...most }, value }));
  }),
  fc
    .tuple(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), extra({ description: "words" }))
    .map(([list, words]) => ({
      schema: { type: "string", enum: list, ...words },
      value: list[0]!,
    })),
  fc.stringMatching(/^[a-z]{1,4}-[0-9]{2}$/u).map((value) => ({
    schema: { type: "string", pattern: "^[a-z]{1,4}-[0-9]{2}$", minLength: 4 },
    value,
  })),
  fc.constant({ schema: { type: "string", format: "date" }, value: "2026-02-03" }),
  fc.constant({ schema: { type: "string", format: "uri" }, value: "https://example.org/" }),
);

const numbers: Samples = fc.oneof(
  fc
    .tuple(half, fc.constantFrom("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"))
    .map(([value, keyword]) => {
      const bound =
        keyword.endsWith("imum") && keyword.includes("inimum") ? value - 1.5 : value + 1.5;
      return { schema: { type: "number", [keyword]: bound }, value };
    }),
  fc
    .tuple(whole, fc.constantFrom("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum"))
    .map(([value, keyword]) => {
      const bound = keyword.includes("inimum") ? value - 0.5 : value + 0.5;
      return { schema: { type: "integer", [keyword]: bound }, value };
    }),
  whole.map((value) => ({ schema: { type: "integer", multipleOf: 3 }, value: value * 3 })),
  fc.uniqueArray(half, { minLength: 1, maxLength: 3 }).map((list) => ({
    schema: { type: "number", enum: list },
    value: list.at(-1)!,
  })),
);

const others: Samples = fc.oneof(
  fc.boolean().map((value) => ({ schema: { type: "boolean" }, value })),
  fc.constant({ schema: { type: "null" }, value: null }),
  fc.constantFrom<Json>("x", 7, true, null).map((value) => ({ schema: { const: value }, value })),
  fc.constantFrom<Json>("x", null).map((value) => ({
    schema: { type: ["string", "null"], maxLength: 3 },
    value,
  })),
  fc.constantFrom<Json>("x", 2, null).map((value) => ({ schema: { enum: ["x", 2, null] }, value })),
  fc.constantFrom<Json>([], {}, "any").map((value) => ({ schema: {}, value })),
);

const leaves: Samples = fc.oneof(
  { weight: 4, arbitrary: texts },
  { weight: 3, arbitrary: numbers },
  { weight: 3, arbitrary: others },
);

// Read, because a literal with `then` looks like a promise.
const condition = JSON.parse('{"if":{"required":["a"]},"then":{"required":["a"]}}') as JsonObject;

interface Field {
  readonly name: string;
  readonly sample: SchemaSample;
  readonly isRequired: boolean;
  readonly isPresent: boolean;
}

function fields(inner: Samples): fc.Arbitrary<readonly Field[]> {
  const field = fc.record({
    name: fc.constantFrom(...fieldNames),
    sample: inner,
    isRequired: fc.boolean(),
    isPresent: fc.boolean(),
  });
  return fc.uniqueArray(field, { maxLength: 4, selector: ({ name }) => name });
}

function objectOf(list: readonly Field[]): SchemaSample {
  const required = list.filter((field) => field.isRequired).map(({ name }) => name);
  return {
    schema: {
      type: "object",
      properties: Object.fromEntries(list.map(({ name, sample }) => [name, sample.schema])),
      ...(required.length > 0 ? { required } : {}),
    },
    value: Object.fromEntries(
      list
        .filter((field) => field.isRequired || field.isPresent)
        .map(({ name, sample }) => [name, sample.value]),
    ),
  };
}

function tag(sample: SchemaSample, kind: string): SchemaSample {
  const required = (sample.schema["required"] ?? []) as string[];
  return {
    schema: {
      ...sample.schema,
      properties: { ...(sample.schema["properties"] as JsonObject), kind: { const: kind } },
      required: [...required, "kind"],
    },
    value: { ...(sample.value as JsonObject), kind },
  };
}

function tagged(plain: Samples): Samples {
  return fc
    .tuple(plain, plain, fc.constantFrom("anyOf", "oneOf"), fc.boolean())
    .map(([one, other, keyword, isFirst]) => {
      const list = [tag(one, "one"), tag(other, "other")] as const;
      return {
        schema: { [keyword]: list.map(({ schema }) => schema), description: "two kinds" },
        value: list[isFirst ? 0 : 1].value,
      };
    });
}

function objects(inner: Samples): Samples {
  const plain = fields(inner).map(objectOf);
  const closed = plain.map(({ schema, value }) => ({
    schema: { ...schema, additionalProperties: false },
    value,
  }));
  const open = fc.tuple(plain, inner, fc.boolean()).map(([{ schema, value }, more, isAny]) => ({
    schema: { ...schema, additionalProperties: isAny ? true : more.schema },
    value: { ...(value as JsonObject), "extra-1": more.value },
  }));
  const patterned = fc.tuple(closed, inner).map(([{ schema, value }, more]) => ({
    schema: { ...schema, patternProperties: { "^extra-": more.schema } },
    value: { ...(value as JsonObject), "extra-2": more.value },
  }));
  const joined = fc.tuple(plain, plain).map(([one, other]) => ({
    schema: { allOf: [one.schema, other.schema] },
    value: { ...(one.value as JsonObject), ...(other.value as JsonObject) },
  }));
  const beside = fc.tuple(plain, inner).map(([{ schema, value }, more]) => ({
    schema: { ...schema, anyOf: [{ required: ["a"] }, { properties: { more: more.schema } }] },
    value: { ...(value as JsonObject), more: more.value },
  }));
  const conditional = plain.map(({ schema, value }) => ({
    schema: { ...schema, ...condition, minProperties: 0 },
    value,
  }));
  return fc.oneof(
    { weight: 6, arbitrary: plain },
    { weight: 3, arbitrary: closed },
    { weight: 2, arbitrary: tagged(plain) },
    ...[open, patterned, joined, beside, conditional].map((arbitrary) => ({
      weight: 1,
      arbitrary,
    })),
  );
}

function lists(inner: Samples): Samples {
  return fc.oneof(
    fc.tuple(inner, fc.integer({ min: 0, max: 2 })).map(([{ schema, value }, count]) => ({
      schema: { type: "array", items: schema, minItems: count, maxItems: 3 },
      value: Array.from({ length: count }, () => value),
    })),
    fc.tuple(inner, inner).map(([one, other]) => ({
      schema: {
        type: "array",
        prefixItems: [one.schema, other.schema],
        items: false,
        minItems: 2,
        maxItems: 2,
      },
      value: [one.value, other.value],
    })),
    inner.map(({ schema, value }) => ({
      schema: { type: "array", items: schema, uniqueItems: true, contains: schema },
      value: [value],
    })),
  );
}

const node: JsonSchema = {
  type: "object",
  properties: {
    value: { type: "integer" },
    next: { anyOf: [{ $ref: "#/$defs/Node" }, { type: "null" }] },
  },
  required: ["value"],
};
const chains: fc.Arbitrary<Json> = fc
  .array(whole, { minLength: 1, maxLength: 3 })
  .map((list) => list.reduceRight<Json>((next, value) => ({ value, next }), null));

/** Schemas of all sorts, each an object at its root, with values that fit them. */
export const schemaSamples: Samples = fc
  .tuple(leaves, objects(leaves), chains, fc.boolean())
  .chain(([word, thing, chain, isCyclic]) => {
    const references: Samples = fc.constantFrom(
      { schema: { $ref: "#/$defs/Word" }, value: word.value },
      { schema: { $ref: "#/$defs/Thing", description: "a thing" }, value: thing.value },
      ...(isCyclic ? [{ schema: { $ref: "#/$defs/Node" }, value: chain }] : []),
    );
    const small = fc.oneof({ weight: 5, arbitrary: leaves }, { weight: 2, arbitrary: references });
    const middle = fc.oneof(
      { weight: 3, arbitrary: small },
      { weight: 2, arbitrary: objects(small) },
      { weight: 2, arbitrary: lists(small) },
    );
    const definitions = { Word: word.schema, Thing: thing.schema, Node: node };
    return objects(fc.oneof(middle, lists(middle))).map(({ schema, value }) => ({
      schema: { ...schema, $defs: definitions },
      value,
    }));
  });
