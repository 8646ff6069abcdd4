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

/** The name of a model as patterns read it: a tuned one goes by the model that it was made from. */
export function baseName(model: string): string {
  return model.toLowerCase().replace(/^ft:/u, "");
}

/** What is said of patterns of a profile that are none. */
export function patternFaults(profile: Profile): readonly string[] {
  return PATTERNS.filter((name) => read(profile[name] ?? "") === undefined).map(
    (name) => `\`profile.${name}\` is no regular expression: ${profile[name] ?? ""}`,
  );
}

/** Refuses a profile with a pattern that is none. */
export function refusePatterns(profile: Profile): void {
  const [fault] = patternFaults(profile);
  if (fault === undefined) return;
  throw new ProviderError("provider-rejected", `${fault}. Mend it, or leave it out.`);
}

/** Each call asks several times; a process meets few profiles, a host of many tenants some more. */
const known = new Map<string, RegExp | undefined>();
const mostKnown = 500;

function read(pattern: string): RegExp | undefined {
  if (known.has(pattern)) return known.get(pattern);
  if (known.size >= mostKnown) known.clear();
  const made = compiled(pattern);
  known.set(pattern, made);
  return made;
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}
