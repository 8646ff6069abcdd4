import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { DialectRules, Note } from "./dialect-rules.ts";
import { isObject, resolvePointer } from "./schema-reading.ts";

/** Where a part of a schema stands. */
export interface Place {
  /** In the answer, like `items[].count`. */
  readonly path: string;
  /** The references that led here, outermost first: none of them is put in place of itself. */
  readonly through: readonly string[];
  /** Parts within parts, so far. */
  readonly depth: number;
  /** The definition that the part belongs to, `#` for the schema itself. */
  readonly definition: string;
}

/** One schema on its way into one dialect: what was noted, and the definitions that are called for. */
export interface DialectPass {
  readonly root: JsonSchema;
  readonly rules: DialectRules;
  readonly lossy: Note[];
  readonly rejected: Note[];
  readonly warnings: Note[];
  /** Definitions of the wire by reference. */
  readonly names: Map<string, string>;
  /** References that each definition makes, to find those that lead back. */
  readonly calls: Map<string, Set<string>>;
  /** Parts that may still be written, so that shared parts do not multiply without end. */
  partsLeft: number;
}

/** Parts within parts, at most; more than any endpoint takes. */
const maxDepth = 120;

/** Opens the pass of a schema into a dialect. */
export function openPass(root: JsonSchema, rules: DialectRules): DialectPass {
  return {
    root,
    rules,
    lossy: [],
    rejected: [],
    warnings: [],
    names: new Map(),
    calls: new Map(),
    partsLeft: 1_000 + 20 * countParts(root),
  };
}

/** Tells whether one more part may be written here; the first refusal is noted. */
export function takePart(pass: DialectPass, place: Place): boolean {
  if (place.depth > maxDepth) {
    note(pass.rejected, place, "depth", `is nested more than ${maxDepth} deep`);
    return false;
  }
  pass.partsLeft -= 1;
  if (pass.partsLeft === 0)
    note(pass.rejected, place, "size", "grows too large when its shared parts are written out");
  return pass.partsLeft > 0;
}

/** Adds a note, once. */
export function note(
  notes: Note[],
  { path }: Pick<Place, "path">,
  keyword: string,
  message: string,
): void {
  const isKnown = notes
    .slice(-50)
    .some((known) => known.path === path && known.keyword === keyword && known.message === message);
  if (!isKnown) notes.push({ path, keyword, message });
}

/** The schema that a reference names; what can't be found is noted. */
export function targetOf(pass: DialectPass, reference: Json, place: Place): Json | undefined {
  const target = typeof reference === "string" ? resolvePointer(pass.root, reference) : undefined;
  if (isObject(target) || typeof target === "boolean") return target;
  note(pass.rejected, place, "$ref", "names no part of this schema");
  return undefined;
}

/** The name of a definition of the wire. */
export function definitionName(pass: DialectPass, reference: string): string {
  const known = pass.names.get(reference);
  if (known !== undefined) return known;
  const last = reference.split("/").at(-1) ?? "";
  const plain = last.replaceAll(/[^A-Za-z0-9_]/g, "_") || "definition";
  const taken = new Set(pass.names.values());
  let name = plain;
  for (let count = 2; taken.has(name); count += 1) name = `${plain}_${count}`;
  pass.names.set(reference, name);
  return name;
}

function countParts(schema: JsonSchema): number {
  let count = 0;
  const open: Json[] = [schema];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null) continue;
    count += 1;
    open.push(...Object.values(part as JsonSchema));
  }
  return count;
}
