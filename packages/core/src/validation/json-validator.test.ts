import { expect, it } from "vitest";
import { describeMisfits, misfits } from "./json-validator.ts";

it("names the values that a missing field may have", () => {
  const schema = {
    type: "object",
    properties: { case: { type: "string", enum: ["refund", "reply"] } },
    required: ["case"],
  };
  expect(describeMisfits(misfits({}, schema))).toBe(
    'the value lacks `case`, one of "refund", "reply"',
  );
});
