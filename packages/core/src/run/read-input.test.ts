import { expect, it } from "vitest";
import type { Json } from "../contracts/json.ts";
import type { Program } from "../program/program.ts";
import { readInput } from "./read-input.ts";

const schemas = { x: { type: "number" }, xs: { type: "array" }, map: { type: "object" } };
const fields = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [name, { schema, optional: true }]),
);
const program = {
  name: "desk",
  inputs: { fields, schema: { type: "object", properties: {} } },
  task: { constraints: [] },
} as unknown as Program;

it.each<[Record<string, Json>, string]>([
  [{ x: "1e400" }, "the input `x` of `desk` is too large: a number ends at about 1.8e308"],
  [{ xs: "a,b" }, `is a list, written as JSON: -i 'xs=["a","b"]'`],
  [{ map: "a=1" }, `is a map, written as JSON: -i 'map={"key":"value"}'`],
])("says what an input that can't be read should look like: %j", (inputs, message) => {
  expect(() => readInput(program, { task: "Do.", inputs })).toThrow(message);
});
