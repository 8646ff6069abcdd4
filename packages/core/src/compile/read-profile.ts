import type { JsonObject } from "../contracts/json.ts";
import type { ProviderDefinition } from "../contracts/provider.ts";
import { without } from "../spec/document/named-entries.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { entry, type SpecNode } from "../spec/text/spec-node.ts";
import { type CompileContext, resolvePlugin } from "./compile-context.ts";

/** The profile of a model, and what the spec lays over it. */
interface ReadProfile {
  readonly profile: string;
  readonly overrides?: JsonObject;
}

/** What a model says of its profile. */
interface SaidProfile {
  readonly node: SpecNode | undefined;
  /** The id by which the spec names the provider: its own or that of a profile. */
  readonly provider: string;
  readonly definition: ProviderDefinition;
}

/** Reads `profile`: an id, or `{ extends: ID, ...fields }` where the provider has profiles of fields. */
export function readProfile(
  { node, provider: named, definition }: SaidProfile,
  options: OptionsContext,
  context: CompileContext,
): ReadProfile {
  if (node === undefined) return { profile: named };
  if (node.kind === "scalar") return { profile: readId(node, definition, context) ?? named };
  const { profileFields } = definition;
  if (node.kind === "list" || profileFields === undefined) {
    const form = profileFields === undefined ? "an id" : "an id, or { extends: ID, ...fields }";
    const why = profileFields === undefined ? `: \`${definition.id}\` has no fields to change` : "";
    context.diagnostics.error(
      "LW-VALUE-TYPE",
      node,
      `\`${labelOf(node)}\` is ${form}, not ${shownValue(node)}${why}`,
      "write `profile: ID`, or delete it",
    );
    return { profile: named };
  }
  const parent = entry(node, "extends");
  const owner = {
    name: "profile",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
    alsoKnown: { "of every profile": ["extends"] },
  } as const;
  const fields = without(node, ["extends"]);
  const overrides = readOptions(fields, asJsonSchema(profileFields), owner, options).value;
  const profile = parent === undefined ? named : (readId(parent, definition, context) ?? named);
  return Object.keys(overrides).length === 0 ? { profile } : { profile, overrides };
}

/** The id of a profile of the provider; undefined when an error was reported. */
function readId(
  node: SpecNode,
  definition: ProviderDefinition,
  context: CompileContext,
): string | undefined {
  const { diagnostics } = context;
  const id = readText(node, diagnostics);
  if (id === undefined) return undefined;
  const found = resolvePlugin("provider", id, node, context, "LW-MODEL-UNKNOWN-PROVIDER");
  if (found === undefined) return undefined;
  if (found.definition === definition) return id;
  diagnostics.error(
    "LW-MODEL-UNKNOWN-PROVIDER",
    node,
    `\`${id}\` is no profile of \`${definition.id}\`, but of \`${found.definition.id}\``,
    `name a profile of \`${definition.id}\`, or write \`use: ${id}/NAME\``,
  );
  return undefined;
}
