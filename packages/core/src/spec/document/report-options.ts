import type { JsonSchema } from "../../contracts/json.ts";
import type { MapNode, SpecNode } from "../text/spec-node.ts";
import { didYouMean } from "../text/suggest.ts";
import type { Reader } from "./options-context.ts";
import { describeSchema } from "./schema-parts.ts";

/** Reports a key that options do not have, with the known ones. */
export function reportUnknown(
  at: SpecNode,
  key: string,
  known: readonly string[],
  pointer: string,
  reader: Reader,
): void {
  const { owner, context } = reader;
  const all = pointer === "" ? [...known, ...(owner.alsoKnown ?? [])] : known;
  const where = pointer === "" ? owner.name : `${owner.name}${pointer.replaceAll("/", ".")}`;
  const listed = known.length > 0 && known.length <= 16 ? `known: ${known.join(", ")}` : undefined;
  const code = pointer === "" ? owner.unknownCode : "LW-SPEC-UNKNOWN-KEY";
  context.diagnostics.error(
    code,
    at,
    `\`${where}\` has no \`${key}\``,
    didYouMean(key, all) ?? listed,
    near(listed, key, all),
  );
}

function near(listed: string | undefined, key: string, all: readonly string[]): readonly string[] {
  return listed !== undefined && didYouMean(key, all) !== undefined ? [listed] : [];
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
  context.diagnostics.error(code, node, `\`${where}\` needs \`${key}\`: ${describeSchema(schema)}`);
}
