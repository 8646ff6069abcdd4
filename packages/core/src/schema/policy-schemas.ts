import type { JsonSchema } from "../contracts/json.ts";
import { policySchema, retrySchema } from "../spec/document/spec-schemas.ts";
import { describeKeys } from "./describe-keys.ts";
import { optionSchemas, requiredOptions } from "./option-schema.ts";
import { closedMap, CONDITION, named, orSubstituted, reference, TEXT } from "./schema-forms.ts";

/** The policies of a tool, by key. */
export function policyKeys(): Readonly<Record<string, JsonSchema>> {
  const when = closedMap({ when: CONDITION }, ["when"]);
  const attempts = { type: "integer", minimum: 1, maximum: 10 };
  const retry = closedMap(
    describeKeys("retry", optionSchemas(retrySchema)),
    requiredOptions(retrySchema),
  );
  const stated = {
    approval: orSubstituted({ enum: ["never", "always"] }, when),
    deny: orSubstituted(when),
    retry: orSubstituted(attempts, retry),
    rateLimit: orSubstituted({ type: "string", pattern: RATE }),
    limits: reference("limits"),
  };
  return describeKeys("policy", {
    ...stated,
    ...optionSchemas(policySchema),
    fallback: named(TEXT, "tool"),
  });
}

// No calls, or no time, is no rate.
const RATE =
  "^(?!0+(\\.0+)?[kM]?\\s*/)(?!.*/\\s*0+(\\.0+)?[a-z])\\d+(\\.\\d+)?[kM]?\\s*/\\s*(\\d+(\\.\\d+)?)?(ms|s|m|h|d)$";
