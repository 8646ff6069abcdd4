import type {
  Answer,
  CheckContext,
  CheckResult,
  JsonSchema,
  RunState,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { schema } from "./schema.ts";

const wanted: JsonSchema = {
  type: "object",
  properties: {
    label: { enum: ["spam", "ham"] },
    score: { type: ["number", "null"], maximum: 1 },
    when: { type: "string", format: "date" },
    tags: { type: "array", items: { type: "string" } },
  },
  required: ["label"],
  additionalProperties: false,
};

function check(
  answer: Partial<Answer>,
  options: { schema?: JsonSchema } = {},
  outputSchema?: JsonSchema,
): CheckResult {
  const run = schema.run as unknown as (
    state: RunState,
    context: Partial<CheckContext>,
    options: unknown,
  ) => CheckResult;
  const whole = { text: "", value: null, solvable: true, ...answer };
  return run(
    { answer: whole } as unknown as RunState,
    outputSchema === undefined ? {} : { outputSchema },
    options,
  );
}

describe("schema", () => {
  it("passes a value that fits the spec's output or its own schema", () => {
    const value = { label: "spam", score: null, when: "2026-08-24", tags: [] };
    expect(check({ value }, {}, wanted)).toStrictEqual({ issues: [] });
    expect(check({ value }, { schema: wanted }, { type: "string" })).toStrictEqual({ issues: [] });
  });

  it("reports each misfit with its path and what is allowed", () => {
    expect(
      check({ value: { label: "eggs", score: 2, tags: ["a", 1], more: true } }, {}, wanted).issues,
    ).toMatchObject([
      {
        detail:
          'The value is {"label":"eggs","score":2,"tags":["a",1],"more":true}; `more` is none of its fields.',
        requiredAction: "Leave `more` out.",
      },
      {
        detail: 'The value at `label` is "eggs"; it must be one of "spam", "ham".',
        requiredAction: 'Take one of "spam", "ham".',
        needs: "rewrite",
      },
      { detail: "The value at `score` is 2; it must be <= 1." },
      { detail: "The value at `tags.1` is 1; it must be of type string." },
    ]);
    expect(check({ value: {} }, {}, wanted).issues).toMatchObject([
      { kind: "incomplete", detail: "The value is {}; it lacks `label`." },
    ]);
    expect(check({ value: null }, {}, wanted).issues).toMatchObject([
      { detail: "The value is null; it must be of type object." },
    ]);
  });

  it("does not take what every object inherits for a field", () => {
    expect(
      check({ value: {} }, { schema: { type: "object", required: ["toString"] } }).issues,
    ).toHaveLength(1);
  });

  it("asks nothing of an answer that says there is none", () => {
    expect(check({ solvable: false }, {}, wanted)).toStrictEqual({ issues: [] });
  });

  it("tells a person when there is no usable schema", () => {
    expect(check({ value: 1 }).issues).toMatchObject([
      { needs: "person", detail: expect.stringContaining("there is none") },
    ]);
    expect(check({ value: 1 }, { schema: { type: "nmber" } }).issues).toMatchObject([
      { needs: "person", detail: expect.stringContaining("can't be held") },
    ]);
  });
});
