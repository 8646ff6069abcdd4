import type { PluginKind } from "../contracts/plugin-definition.ts";
import type { JsonObject } from "../contracts/json.ts";
import { readNamedEntries } from "../spec/document/named-entries.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { asJsonSchema } from "../spec/document/spec-schemas.ts";
import { positionOf, type SpecNode } from "../spec/text/spec-node.ts";
import {
  nearestPlugin,
  resolvePlugin,
  type CompileContext,
  type ResolvedPlugin,
} from "./compile-context.ts";

/** A memory or sink of the spec with its options. */
export interface PluginEntryOf<K extends PluginKind> {
  readonly name: string;
  readonly definition: ResolvedPlugin<K>["definition"];
  readonly options: JsonObject;
}

/** Reads `memory` or `sinks`. */
export function compilePlugins<K extends "memory" | "sink">(
  kind: K,
  node: SpecNode | undefined,
  options: OptionsContext,
  context: CompileContext,
): readonly PluginEntryOf<K>[] {
  if (node === undefined) return [];
  const nearest = (id: string): string | undefined => nearestPlugin(kind, id, context);
  return readNamedEntries(node, context.diagnostics, nearest).flatMap(({ name, at, use, body }) => {
    context.record.use(kind, name, at, true);
    const found = resolvePlugin(kind, use.id, use.at, context);
    if (found === undefined) return [];
    const owner = {
      name,
      unknownCode: "LW-SPEC-UNKNOWN-KEY",
      missingCode: "LW-SPEC-MISSING-KEY",
      alsoKnown: { "of every one": ["use"] },
    } as const;
    const schema = asJsonSchema(found.definition.options);
    const { value } = readOptions({ ...body, ...positionOf(at) }, schema, owner, options);
    return [{ name, definition: found.definition, options: value }];
  });
}

/** The names under a section that takes a list or a map, before its plugins are known. */
export function namesOf(node: SpecNode | undefined): readonly string[] {
  if (node?.kind === "map") return [...node.entries.keys()];
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item) => {
    if (item.kind === "scalar") return [String(item.value)];
    return item.kind === "map" ? [...item.entries.keys()].slice(0, 1) : [];
  });
}
