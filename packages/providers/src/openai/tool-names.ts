import { createHash } from "node:crypto";
import { fits } from "./model-pattern.ts";
import type { Profile } from "./profile-fields.ts";

/**
 * The name of a tool as an endpoint takes it: its own where that fits, else one made of it.
 *
 * The same name always becomes the same, and no two the same, so that a history stays as it was sent.
 */
export function toWireName(name: string, { toolNamePattern }: Profile): string {
  if (toolNamePattern === undefined || fits(toolNamePattern, name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  const readable = name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 40);
  return `tool_${readable}_${hash}`;
}

/** The tools' own names, by those on the wire. */
export function ownNames(
  tools: readonly { readonly name: string }[],
  profile: Profile,
): ReadonlyMap<string, string> {
  return new Map(tools.map(({ name }) => [toWireName(name, profile), name]));
}
