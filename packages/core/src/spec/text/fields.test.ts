import { describe, expect, it } from "vitest";
import { Diagnostics } from "./diagnostic.ts";
import { fieldsShape, readFields, type FieldsDeclaration } from "./fields.ts";
import { parseYaml } from "./parse-yaml.ts";
import { sourceFromText } from "./read-source.ts";

function read(text: string): {
  declaration: FieldsDeclaration | undefined;
  diagnostics: Diagnostics;
} {
  const diagnostics = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "a.yaml"), diagnostics);
  return {
    declaration: node === undefined ? undefined : readFields(node, diagnostics),
    diagnostics,
  };
}

describe("declarations", () => {
  it("become one closed schema", () => {
    const { declaration, diagnostics } = read(
      "{ reply: string, n: integer?, kind: [a, b], list: { type: array, items: string?, minItems: 1 }, limit: { type: integer, default: 5 } }",
    );
    expect(diagnostics.items).toEqual([]);
    expect(declaration?.schema).toEqual({
      type: "object",
      additionalProperties: false,
      required: ["reply", "n", "kind", "list"],
      properties: {
        reply: { type: "string" },
        n: { type: ["integer", "null"] },
        kind: { type: "string", enum: ["a", "b"] },
        list: { type: "array", items: { type: ["string", "null"] }, minItems: 1 },
        limit: { type: "integer", default: 5 },
      },
    });
    expect(declaration?.fields["n"]).toEqual({
      schema: { type: ["integer", "null"] },
      optional: true,
    });
    expect(declaration?.fields["limit"]).toEqual({
      schema: { type: "integer", default: 5 },
      optional: false,
      default: 5,
    });
  });

  it("close nested objects as well", () => {
    const { declaration } = read(
      "a: { type: array, items: { type: object, properties: { name: string, size: [s, m], more: { enum: [x] } } } }",
    );
    expect(declaration?.fields["a"]?.schema).toEqual({
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["name", "size", "more"],
        properties: {
          name: { type: "string" },
          size: { type: "string", enum: ["s", "m"] },
          more: { type: "string", enum: ["x"] },
        },
      },
    });
  });

  it("allow null in a nullable enumeration", () => {
    expect(read("a: { type: string?, enum: [x, y] }").declaration?.fields["a"]).toEqual({
      schema: { type: ["string", "null"], enum: ["x", "y", null] },
      optional: true,
    });
  });

  it("have a shape", () => {
    const { declaration } = read(
      "{ reply: string, n: number?, kind: [a, b], list: { type: array, items: integer }, any: { description: x } }",
    );
    expect(declaration === undefined ? undefined : fieldsShape(declaration)).toEqual({
      kind: "object",
      fields: {
        reply: { kind: "text" },
        n: { kind: "number", nullable: true },
        kind: { kind: "enum", values: ["a", "b"] },
        list: { kind: "list", of: { kind: "number" } },
        any: { kind: "any" },
      },
    });
  });
});

describe("mistakes", () => {
  it.each<[string, string, string | undefined]>([
    ["[a]", "LW-VALUE-FIELDS 1:1", undefined],
    ["{ a: text }", "LW-VALUE-FIELD-TYPE 1:6", "write `string`"],
    ["{ a: int? }", "LW-VALUE-FIELD-TYPE 1:6", "write `integer?`"],
    ["{ a: strng }", "LW-VALUE-FIELD-TYPE 1:6", "did you mean `string`?"],
    ["{ a: list }", "LW-VALUE-FIELD-TYPE 1:6", "write `{ type: array, items: string }`"],
    ["{ a: 5 }", "LW-VALUE-FIELD-TYPE 1:6", undefined],
    ["{ a: [] }", "LW-VALUE-ENUM 1:6", undefined],
    ["{ a: [1, b] }", "LW-VALUE-ENUM 1:7", 'quote it: "1"'],
    ["{ a: [x, true] }", "LW-VALUE-ENUM 1:10", 'quote it: "true"'],
    ["{ a: [1.10, b] }", "LW-VALUE-ENUM 1:7", 'quote it: "1.10"'],
    ["{ a: [x, x] }", "LW-VALUE-ENUM 1:10", undefined],
    [
      "{ a: { type: array, items: { type: strin } } }",
      "LW-VALUE-FIELD-TYPE 1:36",
      "did you mean `string`?",
    ],
    ["{ a: { type: string, maxLenght: 5 } }", "LW-VALUE-SCHEMA 1:22", "did you mean `maxLength`?"],
    [
      "{ a: { name: string } }",
      "LW-VALUE-SCHEMA 1:8",
      "nested fields stand under `properties` of { type: object, properties: … }",
    ],
    ["{ a: { type: integer, default: 1.5 } }", "LW-VALUE-FIELD-DEFAULT 1:32", undefined],
    [
      "{ a: { type: integer, default: '5' } }",
      "LW-VALUE-FIELD-DEFAULT 1:32",
      "remove the quotes: 5",
    ],
    ["{ a: { type: string, default: 007 } }", "LW-VALUE-FIELD-DEFAULT 1:31", 'quote it: "007"'],
    ["{ a: { enum: [x, y], default: z } }", "LW-VALUE-FIELD-DEFAULT 1:31", undefined],
    ["{ order-id: string }", "LW-VALUE-FIELD-NAME 1:3", "write `orderId`"],
  ])("%s", (text, place, suggestion) => {
    const { declaration, diagnostics } = read(text);
    expect(declaration).toBeUndefined();
    expect(diagnostics.items.map((item) => `${item.code} ${item.line}:${item.column}`)).toEqual([
      place,
    ]);
    expect(diagnostics.items[0]?.suggestion).toBe(suggestion ?? diagnostics.items[0]?.suggestion);
  });
});

describe("patterns", () => {
  it.each([
    ["{ id: { type: string, pattern: '^[A-Z]+-[0-9]+$' } }", []],
    ["{ id: { type: string, pattern: '(a+)+$' } }", ["1:32"]],
    ["{ a: { type: array, items: { type: string, pattern: '[' } } }", ["1:53"]],
    ["{ a: { type: object, patternProperties: { '^(a|a)*$': { type: string } } } }", ["1:43"]],
    ["{ a: { anyOf: [{ type: string, pattern: '(?=a)b' }] } }", ["1:41"]],
    ["{ a: { type: object, properties: { pattern: string } } }", []],
    ["{ a: { type: object, default: { pattern: '(a+)+$' } } }", []],
    ["{ a: { type: string, pattern: 5 } }", ["1:31"]],
  ])("in %s", (text, places) => {
    const { diagnostics } = read(text);
    const found = diagnostics.items.filter(({ code }) => code === "LW-VALUE-PATTERN");
    expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
    expect(diagnostics.items).toEqual(found);
  });
});
