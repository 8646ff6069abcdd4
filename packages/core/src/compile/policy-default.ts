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
  const value = valueOf(pluginPolicy(definition, policy.effect), key);
  if (value === undefined) return undefined;
  const isOwn = value !== valueOf(pluginPolicy({ effect: policy.effect }), key);
  return { value, by: isOwn ? `\`${definition.id}\`` : `the effect \`${policy.effect}\`` };
}

function valueOf(policy: ToolPolicy, key: string): Json | undefined {
  switch (key) {
    case "approval":
      return typeof policy.approval === "string" ? policy.approval : undefined;
    case "timeout":
      return Number.isFinite(policy.timeoutMs) ? durationText(policy.timeoutMs) : undefined;
    case "cache":
      return durationText(policy.cacheMs);
    case "maxResult":
      return policy.maxResult;
    case "repeat":
      return policy.repeat;
    case "retry":
      return policy.retry?.attempts ?? 1;
    case "polls":
      return policy.polls === true;
    default:
      return undefined;
  }
}
