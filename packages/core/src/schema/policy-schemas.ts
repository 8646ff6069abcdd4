import type { JsonSchema } from "../contracts/json.ts";
import { policySchema, retrySchema } from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { optionSchemas, requiredOptions } from "./option-schema.ts";
import { closedMap, CONDITION, named, orSubstituted, reference, TEXT } from "./schema-forms.ts";

/** The policies of a tool, by key. */
export function policyKeys(): Readonly<Record<string, JsonSchema>> {
  const when = closedMap({ when: CONDITION }, ["when"]);
  const stated = {
    approval: orSubstituted({ enum: ["never", "always"] }, when),
    deny: orSubstituted(when),
    retry: retryForm(),
    rateLimit: rateForm(),
    limits: reference("toolLimits"),
  };
  return describeKeys("policy", {
    ...stated,
    ...optionSchemas(policySchema),
    fallback: named(TEXT, "tool"),
  });
}

/** What `retry` may be: attempts in all, or a map. */
export function retryForm(): JsonSchema {
  const attempts = { type: "integer", minimum: 1, maximum: 10 };
  const map = closedMap(
    describeKeys("retry", optionSchemas(retrySchema)),
    requiredOptions(retrySchema),
  );
  return orSubstituted(attempts, map);
}

/** A count for a time. */
export function rateForm(): JsonSchema {
  return orSubstituted({ type: "string", pattern: RATE });
}

// No calls, or no time, is no rate.
const RATE =
  "^(?!0+(\\.0+)?[kM]?\\s*/)(?!.*/\\s*0+(\\.0+)?[a-z])\\d+(\\.\\d+)?[kM]?\\s*/\\s*(\\d+(\\.\\d+)?)?(ms|s|m|h|d)$";
