import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../contracts/json.ts";
import { compileDialect } from "../compile-dialect.ts";
import { generousLimits, mfjsFault } from "./mfjs-fault.ts";
import { isObject as isJsonObject, typesOf } from "./schema-reading.ts";

interface ValidatorCase {
  readonly name: string;
  readonly isValid: boolean;
  readonly schema: string;
}

const file = new URL("../../../../../fixtures/mfjs/validator-cases.jsonl.gz", import.meta.url);
const cases = gunzipSync(readFileSync(file))
  .toString("utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as ValidatorCase);

/** The limits with which its authors run the cases. */
const limits = { ...generousLimits, depth: 5 };

function parsed({ schema }: ValidatorCase): JsonSchema | undefined {
  try {
    const value = JSON.parse(schema) as JsonSchema;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

describe("the cases of the validator of MFJS", () => {
  it("are judged as it judges them", () => {
    const wrong = cases.filter((each) => {
      const schema = parsed(each);
      const isValid = schema !== undefined && mfjsFault(schema, limits) === undefined;
      return isValid !== each.isValid;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(cases.filter(({ isValid }) => isValid)).toHaveLength(213);
    expect(cases).toHaveLength(395);
  });

  it("that are valid compile to what is valid, and only a root that is no object is refused", () => {
    const compiled = cases
      .filter(({ isValid }) => isValid)
      .map((each) => {
        const schema = parsed(each) ?? {};
        const isObject = typesOf(schema)?.join("") === "object" || schema["$ref"] !== undefined;
        const { schema: wire, rejected } = compileDialect(schema, "mfjs");
        const said = rejected.map(({ path, message }) => `${path}: ${message}`);
        return { name: each.name, isObject, said, fault: mfjsFault(wire, generousLimits) };
      });
    const reason = ": the whole must be an object, and not a union";
    const wanted = compiled.map((each) => {
      const said = each.isObject ? [] : [reason];
      return { ...each, said, fault: undefined };
    });
    expect(compiled).toEqual(wanted);
    expect(compiled.filter((each) => each.isObject)).toHaveLength(131);
  });

  it("that are not valid compile to what is valid, or are refused", () => {
    const compiled = cases
      .filter(({ isValid }) => !isValid)
      .flatMap((each) => {
        const schema = parsed(each);
        if (schema === undefined) return [];
        const { schema: wire, rejected } = compileDialect(schema, "mfjs");
        return [{ name: each.name, isRefused: rejected.length > 0, wire }];
      });
    const mended = compiled.filter(({ isRefused }) => !isRefused);
    const unsaid = mended.filter(({ wire }) => mfjsFault(wire, generousLimits) !== undefined);
    expect(unsaid).toEqual([]);
    expect([compiled.length, mended.length]).toEqual([173, 48]);
  });
});
