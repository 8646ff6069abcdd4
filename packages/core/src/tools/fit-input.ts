import type { ArgumentChange } from "../contracts/event.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { below } from "../structured/coercion-notes.ts";
import { asSchema, choicesOf, fitsPart, followRef, typesOf } from "../structured/schema-part.ts";
import { memberFor } from "./fold-member.ts";
import { readJson } from "./mend-arguments.ts";

/** Arguments after everything in them that does not fit was given the one form that does, where there is one. */
export interface FittedInput {
  readonly value: Json;
  readonly changes: readonly ArgumentChange[];
}

interface Fitting {
  readonly root: JsonSchema;
  readonly changes: ArgumentChange[];
  /** What the fitting may still cost; shared by all trials. */
  readonly budget: { steps: number };
}

const maxSteps = 5_000;
const maxDepth = 64;
const maxOptionDepth = 4;

/** Gives what does not fit the form that the schema asks for, where nothing is lost by it; the value may still not fit. */
export function fitInput(value: Json, schema: JsonSchema): FittedInput {
  const fitting: Fitting = { root: schema, changes: [], budget: { steps: maxSteps } };
  const fitted = fitPart(value, schema, "", { fitting, depth: 0 });
  return { value: fitted, changes: fitting.changes };
}

interface Place {
  readonly fitting: Fitting;
  readonly depth: number;
  /** The values that the options around list for the same place. */
  readonly around?: readonly Json[];
}

function fitPart(given: Json, schema: JsonSchema, path: string, place: Place): Json {
  const { fitting, depth } = place;
  fitting.budget.steps -= 1;
  if (fitting.budget.steps < 0 || depth > maxDepth) return given;
  const part = followRef(schema, fitting.root);
  const inner = { fitting, depth: depth + 1 };
  const around = [...(place.around ?? []), ...listedIn(part, fitting.root)];
  const same = { ...inner, around };
  let value = given;
  for (const each of schemasIn(part["allOf"])) value = fitPart(value, each, path, same);
  const options = [...schemasIn(part["anyOf"]), ...schemasIn(part["oneOf"])];
  if (options.length > 0) value = fitOption(value, options, path, same);
  if (typeof value === "string") value = fitText(value, part, path, same);
  if (Array.isArray(value)) return fitItems(value, part, path, inner);
  return typeof value === "object" && value !== null
    ? fitMembers(value as JsonObject, part, path, inner)
    : value;
}

/** The values that a schema lists, and those of its options. */
function listedIn(schema: JsonSchema, root: JsonSchema, depth = 0): readonly Json[] {
  const part = followRef(schema, root);
  const own = choicesOf(part) ?? [];
  if (depth >= maxOptionDepth) return own;
  const options = [...schemasIn(part["anyOf"]), ...schemasIn(part["oneOf"])];
  return [...own, ...options.flatMap((option) => listedIn(option, root, depth + 1))];
}

/** The value in the form of the one option that it can be given; as it is where it fits, or could become two things. */
function fitOption(
  value: Json,
  options: readonly JsonSchema[],
  path: string,
  { fitting, depth, around = [] }: Place,
): Json {
  const { root, budget } = fitting;
  if (options.some((option) => fitsPart(value, option, root))) return value;
  const found = new Map<string, { readonly value: Json; readonly changes: ArgumentChange[] }>();
  for (const option of options) {
    const changes: ArgumentChange[] = [];
    const tried = fitPart(value, option, path, {
      fitting: { root, changes, budget },
      depth,
      around,
    });
    if (fitsPart(tried, option, root)) found.set(JSON.stringify(tried), { value: tried, changes });
  }
  const [only] = found.values();
  if (only === undefined || found.size > 1) return value;
  fitting.changes.push(...only.changes);
  return only.value;
}

function fitText(text: string, part: JsonSchema, path: string, place: Place): Json {
  const { fitting, around } = place;
  const changed = otherForm(text, part, fitting.root, around);
  if (changed === undefined) return text;
  fitting.changes.push({ path, from: text, to: changed });
  return changed;
}

function otherForm(
  text: string,
  part: JsonSchema,
  root: JsonSchema,
  around: readonly Json[] | undefined,
): Json | undefined {
  const choices = choicesOf(part);
  if (choices?.includes(text) === true) return undefined;
  const member = choices === undefined ? undefined : memberFor(text, choices, around);
  if (member !== undefined) return member;
  const types = typesOf(part);
  const trimmed = text.trim();
  if (types !== undefined && !types.includes("string")) return plainValue(trimmed, types);
  const isMeant = trimmed !== text && !fitsPart(text, part, root) && fitsPart(trimmed, part, root);
  return isMeant ? trimmed : undefined;
}

/** What a text is the JSON of, read as strictly as the arguments themselves, where a type wants that. */
function plainValue(text: string, types: readonly string[]): Json | undefined {
  if (!/^(?:-?\d|true$|false$|null$|[[{])/.test(text)) return undefined;
  const value = readJson(text);
  switch (typeof value) {
    case "number": {
      const isInteger = Number.isSafeInteger(value);
      const isWanted = types.includes("number") || (types.includes("integer") && isInteger);
      return isWanted && String(value) === text ? value : undefined;
    }
    case "boolean":
      return types.includes("boolean") ? value : undefined;
    default: {
      if (value === undefined) return undefined;
      const type = value === null ? "null" : Array.isArray(value) ? "array" : "object";
      return types.includes(type) ? value : undefined;
    }
  }
}

function fitMembers(value: JsonObject, part: JsonSchema, path: string, place: Place): JsonObject {
  const properties = asSchema(part["properties"]) ?? {};
  const others = asSchema(part["additionalProperties"]);
  const members = Object.entries(value).map(([key, member]): [string, Json] => {
    const own = Object.hasOwn(properties, key) ? asSchema(properties[key]) : others;
    return [key, own === undefined ? member : fitPart(member, own, below(path, key), place)];
  });
  return Object.fromEntries(members);
}

function fitItems(
  value: readonly Json[],
  part: JsonSchema,
  path: string,
  place: Place,
): readonly Json[] {
  const first = schemasIn(part["prefixItems"]);
  const items = asSchema(part["items"]);
  return value.map((item, index) => {
    const own = first[index] ?? items;
    return own === undefined ? item : fitPart(item, own, below(path, index), place);
  });
}

function schemasIn(part: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(part) ? part.map(asSchema).filter((each) => each !== undefined) : [];
}
