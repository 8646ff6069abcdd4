import { ProviderError } from "@loopwright/core/plugin";
import type { Profile } from "./profile-fields.ts";

const PATTERNS = [
  "schemaModels",
  "thinkingModels",
  "alwaysThinkingModels",
  "callIdPattern",
  "toolNamePattern",
] as const;

/** Whether a pattern of a profile fits a text; a pattern that is none fits nothing. */
export function fits(pattern: string | undefined, text: string): boolean {
  return pattern !== undefined && read(pattern)?.test(text) === true;
}

/** Refuses a profile with a pattern that is none. */
export function refusePatterns(profile: Profile): void {
  const field = PATTERNS.find((name) => read(profile[name] ?? "") === undefined);
  if (field === undefined) return;
  throw new ProviderError(
    "provider-rejected",
    `\`profile.${field}\` is no regular expression: ${profile[field] ?? ""}. Mend it, or leave it out.`,
    { details: { field } },
  );
}

function read(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
