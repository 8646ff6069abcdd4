import type { JsonSchema } from "../../contracts/json.ts";
import type { MapNode, SpecNode } from "../text/spec-node.ts";
import { didYouMean } from "../text/suggest.ts";
import { exampleValue } from "./example-value.ts";
import type { OptionsContext, OptionsOwner, Reader } from "./options-context.ts";
import { describeSchema, markerOf } from "./schema-parts.ts";

/** Reports a key that options do not have, with the known ones. */
export function reportUnknown(
  at: SpecNode,
  key: string,
  known: readonly string[],
  pointer: string,
  reader: Reader,
): void {
  const { owner, context } = reader;
  const others = othersOf(owner, pointer);
  const all = [...known, ...Object.values(others).flat()];
  const where = pointer === "" ? owner.name : `${owner.name}${pointer.replaceAll("/", ".")}`;
  const listed = listOf(known, others);
  const code = pointer === "" ? owner.unknownCode : "LW-SPEC-UNKNOWN-KEY";
  context.diagnostics.error(
    code,
    at,
    `\`${where}\` has no \`${key}\``,
    didYouMean(key, all) ?? listed,
    near(listed, key, all),
  );
}

type KeyGroups = Readonly<Record<string, readonly string[]>>;

function othersOf({ alsoKnown = {}, entryKeys = {} }: OptionsOwner, pointer: string): KeyGroups {
  if (pointer === "") return alsoKnown;
  const [, option = "", name, ...deeper] = pointer.split("/");
  const key = name === undefined || deeper.length > 0 ? undefined : entryKeys[option];
  return key === undefined ? {} : { slot: [key] };
}

const mostListed = 24;

function listOf(known: readonly string[], others: KeyGroups): string {
  const own = known.slice(0, mostListed).join(", ");
  const more = known.length > mostListed ? `${own}, and ${known.length - mostListed} more` : own;
  const groups = Object.entries(others).flatMap(([whose, keys]) =>
    keys.length === 0 ? [] : [`${keys.join(", ")} (${whose})`],
  );
  const all = [...(more === "" ? [] : [more]), ...groups];
  return all.length === 0 ? "it takes none; delete it" : `known: ${all.join("; ")}`;
}

function near(listed: string, key: string, all: readonly string[]): readonly string[] {
  return didYouMean(key, all) === undefined ? [] : [listed];
}

/** Reports a key that options must have. */
export function reportMissing(
  node: MapNode,
  key: string,
  schema: JsonSchema,
  pointer: string,
  reader: Reader,
): void {
  const { owner, context } = reader;
  const where = pointer === "" ? owner.name : `${owner.name}${pointer.replaceAll("/", ".")}`;
  const code = pointer === "" ? owner.missingCode : "LW-SPEC-MISSING-KEY";
  context.diagnostics.error(
    code,
    node,
    `\`${where}\` needs \`${key}\`: ${describeSchema(schema)}`,
    missingRepair(key, schema, pointer === "" ? owner : undefined, context),
  );
}

function missingRepair(
  key: string,
  schema: JsonSchema,
  owner: OptionsOwner | undefined,
  { memories }: OptionsContext,
): string {
  const isMemory = markerOf(schema)?.kind === "memory";
  const value = isMemory ? (memories[0] ?? "NAME") : exampleValue(schema);
  const repair =
    owner?.isBare === true
      ? `write \`${owner.name}: { ${key}: ${value} }\``
      : `add \`${key}: ${value}\``;
  return isMemory && memories.length === 0
    ? `list a memory under \`memory\`, and ${repair}`
    : repair;
}
