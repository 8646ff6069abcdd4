import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../contracts/json.ts";
import { resolveShape, shapeFromJsonSchema, type Shape } from "./shape.ts";

describe("shapes of JSON Schemas", () => {
  it.each<[string, JsonSchema, Shape]>([
    ["text", { type: "string" }, { kind: "text" }],
    ["an enumeration", { enum: ["a", "b"] }, { kind: "enum", values: ["a", "b"] }],
    [
      "an enumeration with null",
      { enum: ["a", null] },
      { kind: "enum", values: ["a"], nullable: true },
    ],
    ["an enumeration of numbers", { enum: [1, 2] }, { kind: "number" }],
    ["a constant", { const: "a" }, { kind: "enum", values: ["a"] }],
    ["a nullable type", { type: ["integer", "null"] }, { kind: "number", nullable: true }],
    [
      "a nullable choice",
      { anyOf: [{ type: "boolean" }, { type: "null" }] },
      { kind: "boolean", nullable: true },
    ],
    ["a real choice", { oneOf: [{ type: "boolean" }, { type: "string" }] }, { kind: "any" }],
    [
      "a list",
      { type: "array", items: { type: "string" } },
      { kind: "list", of: { kind: "text" } },
    ],
    [
      "a list with a bound",
      { type: "array", items: { type: "string" }, maxItems: 6 },
      { kind: "list", of: { kind: "text" }, maxItems: 6 },
    ],
    [
      "a map",
      { type: "object", additionalProperties: { type: "number" } },
      { kind: "map", of: { kind: "number" } },
    ],
    [
      "an open object",
      { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
      { kind: "any" },
    ],
    [
      "a field that need not be there",
      { type: "object", properties: { a: { type: "string" } } },
      { kind: "object", fields: { a: { kind: "text", nullable: true } } },
    ],
    ["a reference", { $ref: "#/$defs/x" }, { kind: "any" }],
    ["nothing", {}, { kind: "any" }],
  ])("%s", (_name, schema, shape) => {
    expect(shapeFromJsonSchema(schema)).toEqual(shape);
  });

  it("stops at schemas nested too deep", () => {
    let schema: JsonSchema = { type: "string" };
    for (let depth = 0; depth < 1_000; depth++) schema = { type: "array", items: schema };
    expect(shapeFromJsonSchema(schema).kind).toBe("list");
  });
});

describe("paths", () => {
  const shape: Shape = {
    kind: "object",
    fields: {
      task: { kind: "object", fields: { text: { kind: "text" } } },
      steps: { kind: "list", of: { kind: "object", fields: { id: { kind: "text" } } } },
      value: { kind: "object", nullable: true, fields: { n: { kind: "number" } } },
      free: { kind: "any" },
    },
  };

  it.each<[string, Shape]>([
    ["task.text", { kind: "text" }],
    ["steps.0.id", { kind: "text" }],
    ["value.n", { kind: "number", nullable: true }],
    ["free.a.b", { kind: "any" }],
  ])("finds %s", (path, found) => {
    expect(resolveShape(shape, path)).toEqual({ ok: true, shape: found });
  });

  it.each([
    ["tsak.text", "nothing here is called `tsak`", "did you mean `task`?"],
    ["task.texts", "`task` has no `texts`", "did you mean `text`?"],
    ["task.text.size", "`task.text` is text and has no `size`", "write `task.text` alone"],
    [
      "steps.id",
      "`steps` is a list and has no `id`",
      "name an item by its index, like `steps.0`, or repeat over the list",
    ],
    ["task.constructor", "`task` has no `constructor`", "known here: text"],
  ])("refuses %s", (path, message, suggestion) => {
    expect(resolveShape(shape, path)).toEqual({ ok: false, message, suggestion });
  });
});
