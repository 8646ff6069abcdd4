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
  [{ x: "9007199254740993.0" }, "holds that only as 9007199254740992"],
  [{ x: "9007199254740993e0" }, "holds that only as 9007199254740992"],
  [{ x: "12345678901234567890.5" }, "holds that only as 12345678901234567000"],
  [{ x: "1e-400" }, "holds that only as 0"],
  [{ xs: "a,b" }, `is a list, written as JSON: -i 'xs=["a","b"]'`],
  [{ map: "a=1" }, `is a map, written as JSON: -i 'map={"key":"value"}'`],
])("says what an input that can't be read should look like: %j", (inputs, message) => {
  expect(() => readInput(program, { task: "Do.", inputs })).toThrow(message);
});

it.each([
  ["1.50", 1.5],
  ["-0.0", 0],
  ["0.10000000000000001", 0.1],
  ["100", 100],
  ["1.20e-7", 1.2e-7],
  ["1e300", 1e300],
  ["9007199254740991", Number.MAX_SAFE_INTEGER],
])("reads the number that %s writes", (x, number) => {
  expect(readInput(program, { task: "Do.", inputs: { x } }).inputs).toMatchObject({ x: number });
});
