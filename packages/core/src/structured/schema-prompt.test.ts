import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { schemaSamples } from "../../test/schema-samples.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { misfits, schemaFault } from "../validation/json-validator.ts";
import { schemaPrompt } from "./schema-prompt.ts";
import { exampleOf } from "./schema-prompt-example.ts";
import { exampleText } from "./schema-prompt-values.ts";
import { textOfPattern } from "./schema-prompt-pattern.ts";

const order: JsonSchema = {
  type: "object",
  properties: {
    id: { type: "string", pattern: "^T-[0-9]{3}$", description: "as printed\non the slip" },
    state: { type: "string", enum: ["open", "closed"] },
    score: { type: "number", minimum: 0, exclusiveMaximum: 1 },
    tags: {
      type: "array",
      items: { type: "string", maxLength: 9 },
      minItems: 1,
      uniqueItems: true,
    },
    due: { anyOf: [{ type: "string", maxLength: 9 }, { type: "null" }] },
    buyer: { $ref: "#/$defs/Person" },
    pay: {
      type: "object",
      oneOf: [
        { type: "object", properties: { iban: { type: "string" } }, required: ["iban"] },
        { type: "object", properties: { card: { type: "string" } }, required: ["card"] },
      ],
    },
    labels: { type: "object", additionalProperties: { type: "integer" } },
  },
  required: ["id", "state"],
  additionalProperties: false,
  $defs: {
    Person: {
      type: "object",
      properties: { name: { type: "string" }, boss: { $ref: "#/$defs/Person" } },
      required: ["name"],
    },
  },
};

it("tells every field in plain words, and an example that fits", () => {
  expect(schemaPrompt(order)).toBe(
    [
      "Reply with one JSON object and nothing else: no text around it, no code fence. Its fields:",
      "- the whole: object, no other fields",
      "- id: required, text, matches the pattern ^T-[0-9]{3}$ — as printed on the slip",
      '- state: required, one of "open", "closed"',
      "- score: optional, number, at least 0 and less than 1",
      "- tags: optional, list, at least 1 item, no two items alike",
      "- tags[]: each item, text, at most 9 characters",
      "- due: optional, text, at most 9 characters; or null",
      "- buyer: optional, object",
      "- buyer.name: required, text",
      "- buyer.boss: optional, the same shape as `buyer`",
      "- pay: optional, one of 2 forms",
      "- pay (form 1): object",
      "- pay (form 1).iban: required, text",
      "- pay (form 2): object",
      "- pay (form 2).card: required, text",
      "- labels: optional, object",
      "- labels.* (any other name): whole number",
      'An example of a reply that fits, with made-up values: {"id":"T-111","state":"open","score":0,"tags":["text"],"due":"text","buyer":{"name":"text"},"pay":{"iban":"text"},"labels":{"name1":1}}',
    ].join("\n"),
  );
});

it("asks for a JSON value where the schema is of no object", () => {
  const [first] = schemaPrompt({ type: "array", items: { type: "string" } }).split("\n");
  expect(first).toBe(
    "Reply with one JSON value and nothing else: no text around it, no code fence. It is:",
  );
});

it("leaves nothing unsaid that is checked", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: { a: { type: "array", items: { type: "string" }, contains: { const: "x" } } },
    not: { required: ["b"] },
    minProperties: 1,
  };
  const text = schemaPrompt(schema);
  expect(text).toContain('- the whole: object, at least 1 field, fits the JSON Schema {"not":');
  expect(text).toContain('- a: optional, list, fits the JSON Schema {"contains":{"const":"x"}}');
});

/** The paths of fields that a schema names, as far as its own `properties` go. */
function namedPaths(schema: JsonSchema, path = ""): readonly string[] {
  const fields = Object.entries((schema["properties"] ?? {}) as JsonObject);
  return fields.flatMap(([name, field]) => {
    const own = path === "" ? name : `${path}.${name}`;
    return [own, ...namedPaths(field as JsonSchema, own)];
  });
}

it("names each field of any schema", () => {
  const check = fc.property(schemaSamples, ({ schema }) => {
    const text = schemaPrompt(schema);
    expect(text).toMatch(/json/iu);
    const plain = text.replaceAll(/ \(form \d\)/gu, "").replaceAll("- the reply.", "- ");
    const missing = namedPaths(schema).filter((path) => !plain.includes(`- ${path}: `));
    expect(missing).toEqual([]);
    expect(schemaPrompt(schema)).toBe(text);
  });
  fc.assert(check, { numRuns: 200 });
});

describe("an example", () => {
  it("fits its schema, whatever that is", () => {
    const check = fc.property(schemaSamples, ({ schema }) => {
      const example = exampleOf(schema);
      if (example === undefined) return;
      expect(misfits(example, schema)).toEqual([]);
      expect(exampleOf(schema)).toEqual(example);
    });
    fc.assert(check, { numRuns: 400 });
  });

  it("is found for most schemas that can be used", () => {
    // Always the same schemas: by chance, a share of others may lie below any bound.
    const samples = fc.sample(schemaSamples, { numRuns: 400, seed: 1 });
    const usable = samples.filter(({ schema }) => schemaFault(schema) === undefined);
    const found = usable.filter(({ schema }) => exampleOf(schema) !== undefined);
    expect(usable.length).toBeGreaterThan(100);
    expect(found.length / usable.length).toBeGreaterThan(0.85);
  });

  it.each<readonly [string, JsonSchema, Json | undefined]>([
    ["one allowed value", { enum: ["b", "c"] }, "b"],
    ["the only value", { const: null }, null],
    ["its default", { type: "string", default: "usual" }, "usual"],
    ["its own example", { type: "string", examples: ["shown"], default: "usual" }, "shown"],
    ["another than a default that does not fit", { type: "integer", default: "no" }, 1],
    ["a bound", { type: "integer", minimum: 5 }, 5],
    ["more than a bound", { type: "integer", exclusiveMinimum: 5 }, 6],
    ["between narrow bounds", { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    ["a multiple", { type: "integer", multipleOf: 7, minimum: 8 }, 14],
    ["a length", { type: "string", minLength: 6 }, "text.."],
    ["a short length", { type: "string", maxLength: 2 }, "te"],
    ["a pattern", { type: "string", pattern: "^[A-Z]{2}\\d+(-x)?$" }, "AA1-x"],
    [
      "unlike items",
      { type: "array", items: { type: "integer" }, minItems: 3, uniqueItems: true },
      [1, 2, 3],
    ],
    ["text before null", { type: ["null", "string"] }, "text"],
    ["nothing that fits", { type: "integer", minimum: 5, maximum: 4 }, undefined],
    ["nothing, for a pattern beyond it", { type: "string", pattern: "(?<=a)b" }, undefined],
    [
      "nothing without end",
      { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] },
      undefined,
    ],
    ["nothing, for a schema that can't be used", { type: "strin" }, undefined],
  ])("is %s", (_, schema, example) => {
    expect(exampleOf(schema)).toEqual(example);
  });

  it("ends a tree at its first optional branch", () => {
    const tree: JsonSchema = {
      type: "object",
      properties: { name: { type: "string" }, kids: { type: "array", items: { $ref: "#" } } },
      required: ["name", "kids"],
    };
    expect(exampleOf(tree)).toEqual({ name: "text", kids: [] });
  });
});

it("knows an example of the common formats, shortens texts, and pads them", () => {
  expect(exampleText({ format: "uuid" }, 0)).toBe("00000000-0000-4000-8000-000000000000");
  expect(exampleText({ format: "date", minLength: 10 }, 0)).toBe("2026-01-31");
  expect(exampleText({ minLength: 3_000 }, 0)).toBeUndefined();
});

it("makes a text for a pattern that the pattern matches, or none", () => {
  const pieces = fc.constantFrom(
    "a",
    "[a-z]",
    "[^x]",
    "\\d",
    "\\w",
    "(ab|c)",
    ".",
    "\\.",
    "(?:x)",
    " ",
  );
  const counts = fc.constantFrom("", "?", "*", "+", "{2}", "{1,3}", "{0}", "{2,}");
  const patterns = fc
    .array(fc.tuple(pieces, counts), { minLength: 1, maxLength: 6 })
    .map((list) => `^${list.map(([piece, count]) => piece + count).join("")}$`);
  const check = fc.property(patterns, (pattern) => {
    expect(textOfPattern(pattern)).toMatch(new RegExp(pattern, "u"));
  });
  fc.assert(check);
  for (const pattern of ["(", "[", "a{2", "\\1", "(?=a)", "\\bA", "x".repeat(501), "*"])
    expect(textOfPattern(pattern)).toBeUndefined();
});

it("takes any JSON for a schema without a throw, and little time for shared parts", () => {
  const check = fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
    expect(schemaPrompt(value as JsonSchema)).toContain("JSON");
  });
  fc.assert(check);
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, at): [string, Json] => {
      const next = at === 39 ? { type: "string" } : { $ref: `#/$defs/d${at + 1}` };
      return [`d${at}`, { type: "object", properties: { a: next, b: next, c: next } }];
    }),
  );
  const begun = performance.now();
  const text = schemaPrompt({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs });
  expect(performance.now() - begun).toBeLessThan(3_000);
  expect(text.split("\n").length).toBeLessThan(500);
});

it("tells the schema that uses everything", async () => {
  const url = new URL("dialects/fixtures/everything.schema.json", import.meta.url);
  const schema = JSON.parse(readFileSync(url, "utf8")) as JsonSchema;
  await expect(`${schemaPrompt(schema)}\n`).toMatchFileSnapshot(
    "dialects/fixtures/everything.prompt.txt",
  );
});
