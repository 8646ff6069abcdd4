import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { mergeSchemas } from "./dialects/merge-schemas.ts";
import { allowedValues, isList, isObject, isOfType, typesOf } from "./dialects/schema-reading.ts";
import { exampleNumber, exampleText } from "./schema-prompt-values.ts";
import { readPromptPart } from "./schema-prompt-part.ts";
import { itemsOf } from "./schema-prompt-words.ts";

/** What an example takes where it may choose. */
export interface ExampleChoice {
  /** Whether optional fields are in it. */
  readonly hasOptional: boolean;
  /** Whether `examples` and `default` are used. */
  readonly usesGiven: boolean;
  /** Which branch of each union; the last where there are fewer. */
  readonly branch: number;
}

interface Building {
  readonly root: JsonSchema;
  readonly choice: ExampleChoice;
  partsLeft: number;
}

const maxDepth = 16;
const maxItems = 20;

/** Makes a value after a schema, without looking whether it fits; undefined where it can't. */
export function buildExample(schema: JsonSchema, choice: ExampleChoice): Json | undefined {
  return build({ root: schema, choice, partsLeft: 5_000 }, schema, ["#"], 0, 0);
}

/** `turn` tells items of one list apart. */
function build(
  building: Building,
  given: Json,
  through: readonly string[],
  turn: number,
  depth: number,
): Json | undefined {
  building.partsLeft -= 1;
  if (given === false || depth > maxDepth || building.partsLeft < 0) return undefined;
  const part = readPromptPart(building.root, given, through);
  if (part.again !== undefined) return undefined;
  if (part.branches !== undefined) {
    const first = Math.min(building.choice.branch, part.branches.length - 1);
    const ordered = [...part.branches.slice(first), ...part.branches.slice(0, Math.max(first, 0))];
    for (const branch of ordered) {
      const value = build(building, branch, part.through, turn, depth + 1);
      if (value !== undefined) return value;
    }
    return undefined;
  }
  return ofPart(building, part.schema, part.through, turn, depth);
}

function ofPart(
  building: Building,
  schema: JsonObject,
  through: readonly string[],
  turn: number,
  depth: number,
): Json | undefined {
  const types = typesOf(schema);
  const values = allowedValues(schema)?.filter(
    (value) => types === undefined || types.some((type) => isOfType(value, type)),
  );
  if (values !== undefined) return values[turn % Math.max(values.length, 1)];
  const { examples, default: usual } = schema;
  if (building.choice.usesGiven && turn === 0) {
    const shown = examples !== undefined && isList(examples) ? examples[0] : undefined;
    const chosen = shown === undefined ? usual : shown;
    if (chosen !== undefined) return chosen;
  }
  const type = types?.find((name) => name !== "null") ?? types?.[0] ?? "string";
  switch (type) {
    case "object":
      return objectExample(building, schema, through, turn, depth);
    case "array":
      return listExample(building, schema, through, depth);
    case "integer":
    case "number":
      return exampleNumber(schema, type === "integer", turn);
    case "boolean":
      return turn % 2 === 0;
    case "null":
      return null;
    default:
      return exampleText(schema, turn);
  }
}

function objectExample(
  building: Building,
  schema: JsonObject,
  through: readonly string[],
  turn: number,
  depth: number,
): Json | undefined {
  const fields = isObject(schema["properties"]) ? schema["properties"] : {};
  const named = isList(schema["required"]) ? schema["required"] : [];
  const required = named.filter((name) => typeof name === "string");
  const others = schema["additionalProperties"];
  const made: [string, Json][] = [];
  const add = (name: string, field: Json): boolean => {
    const value = build(building, field, through, turn, depth + 1);
    if (value !== undefined) made.push([name, value]);
    return value !== undefined;
  };
  for (const [name, field] of Object.entries(fields)) {
    const isRequired = required.includes(name);
    if (!isRequired && !building.choice.hasOptional) continue;
    if (!add(name, field) && isRequired) return undefined;
  }
  for (const name of required)
    if (!Object.hasOwn(fields, name) && !add(name, others ?? true)) return undefined;
  const isMap = isObject(others) && Object.keys(others).length > 0 && building.choice.hasOptional;
  const least = Math.max(
    typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0,
    isMap && made.length === 0 ? 1 : 0,
  );
  for (let count = 1; made.length < Math.min(least, maxItems); count += 1) {
    const next = Object.entries(fields).find(([name]) => !made.some(([taken]) => taken === name));
    const added = next === undefined ? add(`name${count}`, others ?? true) : add(...next);
    if (!added) return undefined;
  }
  return Object.fromEntries(made);
}

function listExample(
  building: Building,
  schema: JsonObject,
  through: readonly string[],
  depth: number,
): Json | undefined {
  const { places, rest } = itemsOf(schema);
  const { minItems, maxItems: most, contains } = schema;
  const least = typeof minItems === "number" ? minItems : 0;
  const wanted = Math.max(least, places.length, 1);
  const count = Math.min(wanted, typeof most === "number" ? most : wanted);
  if (count > maxItems) return undefined;
  const items: Json[] = [];
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? rest ?? true;
    const item = index === 0 && isObject(contains) ? both(place, contains) : place;
    const value = build(building, item, through, index, depth + 1);
    if (value === undefined) return index < least ? undefined : items;
    items.push(value);
  }
  return items;
}

function both(one: Json, other: JsonObject): Json {
  return isObject(one) ? mergeSchemas(other, one).schema : other;
}
