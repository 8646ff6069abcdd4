import type { Json } from "../contracts/json.ts";
import type { ToolEntry, ToolPolicy } from "../program/program.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { pluginPolicy } from "./tool-policy.ts";

/** What a key of a tool is where the spec does not say it: an option's default, or the policy for the tool's effect. */
export function policyDefault(
  { definition, policy }: ToolEntry,
  key: string,
): { readonly value: Json; readonly by: string } | undefined {
  const options = (
    definition.options as { readonly properties?: Record<string, { default?: Json }> }
  ).properties;
  const option =
    options !== undefined && Object.hasOwn(options, key) ? options[key]?.default : undefined;
  if (option !== undefined) return { value: option, by: `\`${definition.id}\`` };
  const value = valueOf(pluginPolicy(policy.effect), key);
  return value === undefined ? undefined : { value, by: `the effect \`${policy.effect}\`` };
}

function valueOf(policy: ToolPolicy, key: string): Json | undefined {
  switch (key) {
    case "approval":
      return typeof policy.approval === "string" ? policy.approval : undefined;
    case "timeout":
      return durationText(policy.timeoutMs);
    case "cache":
      return durationText(policy.cacheMs);
    case "maxResult":
      return policy.maxResult;
    case "repeat":
      return policy.repeat;
    default:
      return undefined;
  }
}
