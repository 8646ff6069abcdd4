import { describe, expect, it } from "vitest";
import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import type { OutputDeclaration } from "../program/program.ts";
import { schemaFault } from "../validation/json-validator.ts";
import { envelopeSchema, openEnvelope } from "./answer-envelope.ts";
import { readTypedReply } from "./read-typed-reply.ts";

const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };

/** What becomes of a reply for which a schema is declared: the value, or why there is none. */
function valueOf(schema: JsonSchema, reply: JsonObject): unknown {
  const output = { schema: { type: "object", ...schema } } as unknown as OutputDeclaration;
  const envelope = envelopeSchema(output, false);
  expect(schemaFault(envelope)).toBeUndefined();
  const target = { name: "answer", schema: envelope, output, withReasoning: false };
  const read = readTypedReply(JSON.stringify(reply), target);
  return read.ok ? openEnvelope(read.value as JsonObject, output).value : read.message;
}

const wayOut = { evidence: [], solvable: true, unsolvableReason: null };

describe("the value in an envelope", () => {
  it.each<readonly [string, JsonSchema, JsonObject]>([
    [
      "other fields",
      { properties: { name: text }, required: ["name"], additionalProperties: whole },
      { name: "a", apples: 3 },
    ],
    ["fields of a map", { additionalProperties: whole }, { apples: 3, pears: 4 }],
    [
      "fields whose names match a pattern",
      { patternProperties: { "^x_": whole }, additionalProperties: false },
      { x_1: 3 },
    ],
    [
      "fields whose names match a pattern that the way out matches too",
      { patternProperties: { "^[a-z]+$": whole }, additionalProperties: false },
      { apples: 3 },
    ],
    [
      "a field called as a method is",
      { properties: { constructor: text }, required: [], additionalProperties: false },
      { constructor: "a" },
    ],
    [
      "declared fields called as those of the way out are",
      { properties: { solvable: whole, reasoning: whole }, required: ["solvable", "reasoning"] },
      { solvable: 1, reasoning: 2 },
    ],
  ])("keeps %s", (_, schema, value) => {
    expect(valueOf(schema, value)).toEqual(value);
    expect(valueOf(schema, { ...wayOut, ...value })).toEqual(value);
  });

  it.each<readonly [string, JsonSchema, JsonObject, JsonObject]>([
    ["maxProperties", { additionalProperties: whole, maxProperties: 1 }, { a: 1 }, { a: 1, b: 2 }],
    ["minProperties", { additionalProperties: whole, minProperties: 2 }, { a: 1, b: 2 }, { a: 1 }],
    [
      "propertyNames",
      { additionalProperties: whole, propertyNames: { maxLength: 1 } },
      { a: 1 },
      { ab: 1 },
    ],
    [
      "a pattern",
      { patternProperties: { "^[a-z]+$": whole }, additionalProperties: false },
      { apples: 1 },
      { apples: "x" },
    ],
    [
      "a reference to the root",
      {
        properties: { name: text, kids: { type: "array", items: { $ref: "#" } } },
        required: ["name"],
        additionalProperties: false,
      },
      { name: "a", kids: [{ name: "b" }] },
      { name: "a", kids: [{ name: "b", evidence: [] }] },
    ],
    [
      "a reference to the name of the root",
      {
        $id: "https://example.org/tree",
        properties: {
          $ref: { enum: ["#"] },
          kid: { anyOf: [{ $ref: "https://example.org/tree" }, { $ref: "#/$defs/leaf" }] },
        },
        required: ["$ref"],
        additionalProperties: false,
        $defs: { leaf: whole, whole: text },
      },
      { $ref: "#", kid: { $ref: "#", kid: 1 } },
      { $ref: "#", kid: { $ref: "#", solvable: true } },
    ],
  ])("is held to %s, and the way out is not", (_, schema, fitting, misfit) => {
    expect(valueOf(schema, fitting)).toEqual(fitting);
    expect(valueOf(schema, { ...wayOut, ...fitting })).toEqual(fitting);
    expect(valueOf(schema, misfit)).toEqual(expect.any(String));
  });

  it("asks for no field that its schema does not require", () => {
    const output = { schema: { type: "object", properties: { a: text }, required: [] } };
    const { required } = envelopeSchema(output as unknown as OutputDeclaration, true);
    expect(required).toEqual(["reasoning", ...Object.keys(wayOut)]);
  });
});
