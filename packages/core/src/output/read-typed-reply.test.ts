import { describe, expect, it } from "vitest";
import type { OutputDeclaration } from "../program/program.ts";
import { compileDialect } from "../structured/compile-dialect.ts";
import { envelopeSchema } from "./answer-envelope.ts";
import { readTypedReply } from "./read-typed-reply.ts";

const output = {
  schema: {
    type: "object",
    properties: { count: { type: "integer" }, unit: { enum: ["box", "pallet"] } },
    required: ["count", "unit"],
    additionalProperties: false,
  },
} as unknown as OutputDeclaration;
const target = {
  name: "answer",
  schema: envelopeSchema(output, false),
  output,
  withReasoning: false,
};
const wayOut = { evidence: [], solvable: true, unsolvableReason: null };

describe("a typed reply", () => {
  it("is completed by what a model may leave out", () => {
    expect(readTypedReply('{"count": 4, "unit": "box"}', target)).toEqual({
      ok: true,
      value: { count: 4, unit: "box", ...wayOut },
      repairs: [],
    });
  });

  it("is mended where it has one reading, and tells it in words", () => {
    expect(readTypedReply("Sure:\n{'count': '4', 'unit': 'Box',}", target)).toEqual({
      ok: true,
      value: { count: 4, unit: "box", ...wayOut },
      repairs: [
        "removed text",
        "replaced quotes (4 times)",
        "removed comma",
        'text to number at count ("4" → 4)',
        'to allowed value at unit ("Box" → "box")',
      ],
    });
  });

  it("need not fit where the model says that the task can't be done", () => {
    const text = '{"solvable": false, "unsolvableReason": "no stock list"}';
    expect(readTypedReply(text, target)).toMatchObject({
      ok: true,
      unsolvable: { value: null, unsolvableReason: "no stock list" },
    });
  });

  it.each([
    ['{"count": 4}', "output-invalid"],
    ['{"count": 4, "unit": "crate"}', "output-invalid"],
    ['{"count": 4, "unit": "box"}{"count": 5, "unit": "box"}', "ambiguous"],
    ['{"count": 4, "unit": "bo', "truncated"],
    ["four boxes", "no-json"],
  ])("%s is refused as %s", (text, code) => {
    expect(readTypedReply(text, target)).toMatchObject({ ok: false, code });
  });
});

describe("a reply that was asked for in a narrower dialect", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" }, n: { type: "integer" } },
    required: ["a"],
    additionalProperties: false,
  } as const;
  const { undo } = compileDialect(schema, "openai");

  it.each([
    ['{"a": "x", "b": null}', { a: "x" }],
    ['Here: {"a": "x", "b": null} and {"z": 1}', { a: "x" }],
    ['[{"a": "x", "b": null}]', { a: "x" }],
    ['"{\\"a\\": \\"x\\", \\"b\\": null}"', { a: "x" }],
    ['{"tool_call": {"a": "x", "b": null}}', { a: "x" }],
    ['{"a": "x", "b": null, "n": "4"}', { a: "x", n: 4 }],
    ["{a: x, b: null, n: 4}", { a: "x", n: 4 }],
  ])("%s is held to the schema without the nulls of its optional fields", (text, value) => {
    const asked = { name: "reply", schema, withReasoning: false };
    const read = readTypedReply(text, asked, undo);
    expect(read.ok ? read.value : read).toEqual(value);
  });
});
