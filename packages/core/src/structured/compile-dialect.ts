import type { Json, JsonSchema } from "../contracts/json.ts";
import { compileDefinitions, compilePart } from "./dialects/compile-schema-part.ts";
import { type DialectPass, note, openPass } from "./dialects/dialect-pass.ts";
import type {
  Dialect,
  DialectRules,
  Note,
  SchemaSizes,
  SizeLimits,
} from "./dialects/dialect-rules.ts";
import { dialectTables } from "./dialects/dialect-tables.ts";
import { generousLimits, mfjsFault } from "./dialects/mfjs-fault.ts";
import { isObject } from "./dialects/schema-reading.ts";
import { sizesOf } from "./dialects/schema-sizes.ts";
import { withoutNulls } from "./dialects/without-nulls.ts";

export type { Dialect } from "./dialects/dialect-rules.ts";

/** A schema in the dialect of an endpoint. */
export interface CompiledDialect {
  /** What to send; best effort where something is `rejected`. */
  readonly schema: JsonSchema;
  /** What the wire does not enforce: it belongs into the prompt, and the answer is checked against the whole schema. */
  readonly lossy: readonly Note[];
  /** Why the schema can't be sent: the endpoint would refuse it, or right answers would be impossible. */
  readonly rejected: readonly Note[];
  /** Documented limits that endpoints are known to read differently: send it, and treat a refusal as an answer. */
  readonly warnings: readonly Note[];
  /** Gives an answer the form of the whole schema: a null that stands for an optional field is taken out. */
  readonly undo: (answer: Json) => Json;
}

const root = { path: "" };
const same = (answer: Json): Json => answer;

/**
 * Writes a schema in a dialect. Every answer that fits the schema can be given through the wire, but for fields that the
 * schema does not name; the wire may let more through, which `lossy` tells.
 */
export function compileDialect(schema: JsonSchema, dialect: Dialect): CompiledDialect {
  // Which one it is, a provider or a recording says.
  if (!Object.hasOwn(dialectTables, dialect) || dialect === "none")
    return { schema, lossy: [], rejected: [], warnings: [], undo: same };
  const rules = dialectTables[dialect];
  const pass = openPass(isObject(schema) ? schema : {}, rules);
  const place = { path: "", through: ["#"], depth: 0, definition: "#" };
  const written = compilePart(pass, schema, place);
  const definitions = compileDefinitions(pass);
  const sent = Object.keys(definitions).length === 0 ? written : { ...written, $defs: definitions };
  if (rules.isRootObject && written["type"] !== "object") {
    const keyword = written["anyOf"] === undefined ? "type" : "anyOf";
    note(pass.rejected, root, keyword, "the whole must be an object, and not a union");
  }
  noteRecursion(pass);
  noteSizes(pass, sent, rules);
  if (dialect === "mfjs") {
    const fault = mfjsFault(sent, generousLimits);
    if (fault !== undefined) note(pass.rejected, root, "schema", fault);
  }
  const { lossy, rejected, warnings } = pass;
  const undo = rules.isAllRequired ? (answer: Json) => withoutNulls(answer, schema) : same;
  return { schema: sent, lossy, rejected, warnings, undo };
}

function noteRecursion(pass: DialectPass): void {
  const { recursion } = pass.rules;
  if (recursion === "kept" || !isCyclic(pass.calls)) return;
  if (recursion === "refused")
    note(pass.rejected, root, "$ref", "leads back to itself, which can't be said");
  else note(pass.warnings, root, "$ref", "leads back to itself: taken only below optional fields");
}

/** Takes away definitions that call nothing, until none is left or all that are left are in a circle. */
function isCyclic(calls: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const open = new Map(calls);
  for (let size = -1; size !== open.size; ) {
    size = open.size;
    for (const [caller, called] of open)
      if (![...called].some((reference) => open.has(reference))) open.delete(caller);
  }
  return open.size > 0;
}

const words: Readonly<Record<keyof SchemaSizes, string>> = {
  properties: "fields",
  depth: "levels of objects",
  enumValues: "allowed values",
  branches: "branches in one union",
  characters: "characters of names and values",
};

function noteSizes(pass: DialectPass, schema: JsonSchema, rules: DialectRules): void {
  const sizes = sizesOf(schema);
  for (const size of exceeded(sizes, rules.refusedAbove)) {
    const most = `${sizes[size]} ${words[size]}, at most ${rules.refusedAbove[size]} are taken`;
    note(pass.rejected, root, size, most);
  }
  for (const size of exceeded(sizes, rules.warnedAbove)) {
    const most = `${sizes[size]} ${words[size]}, some endpoints take at most ${rules.warnedAbove[size]}`;
    note(pass.warnings, root, size, most);
  }
}

function exceeded(sizes: SchemaSizes, limits: SizeLimits): readonly (keyof SchemaSizes)[] {
  return (Object.keys(sizes) as (keyof SchemaSizes)[]).filter(
    (size) => sizes[size] > (limits[size] ?? Number.POSITIVE_INFINITY),
  );
}
