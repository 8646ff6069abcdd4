import type { Json, JsonSchema } from "@loopwright/core/plugin";

/** Picks a whole number from 0 up to, not including, `count`. */
export type Pick = (count: number) => number;

/** A generator of numbers that is the same for the same seed. */
export function pickFrom(seed: number): Pick {
  let state = (seed % 2_147_483_646) + 1;
  return (count) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % count;
  };
}

/** What models write where a text is asked for: names of tools and steps, ids that exist and that do not, nothing. */
const WORDS: readonly string[] = [
  "4",
  "stock",
  "step-1",
  "E1",
  "#E1",
  "1",
  "observation-1",
  "observation-99",
  "What is in stock?",
  "return 4;",
  "在库存中查找",
  "",
];

/** Some value that fits a schema as strategies and endpoints write them. */
export function valueFor(schema: JsonSchema, pick: Pick, depth = 0): Json {
  if (schema["const"] !== undefined) return schema["const"];
  const choices = schema["enum"];
  if (Array.isArray(choices)) return (choices as readonly Json[])[pick(choices.length)] ?? null;
  const ways = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(ways)) return valueFor(ways[pick(ways.length)] as JsonSchema, pick, depth + 1);
  const type = Array.isArray(schema["type"])
    ? (schema["type"] as string[])[pick(schema["type"].length)]
    : schema["type"];
  switch (type) {
    case "object":
      return objectFor(schema, pick, depth);
    case "array":
      return listFor(schema, pick, depth);
    case "string":
      return (WORDS[pick(WORDS.length)] ?? "").padEnd(Number(schema["minLength"] ?? 0), "x");
    case "number":
    case "integer":
      return numberFor(schema, pick);
    case "boolean":
      return pick(2) === 0;
    case "null":
      return null;
    default:
      return "anything";
  }
}

function numberFor(schema: JsonSchema, pick: Pick): number {
  const least = Number(schema["minimum"] ?? 0);
  const most = Number(schema["maximum"] ?? least + 12);
  return least + pick(Math.floor(most - least) + 1);
}

function listFor(schema: JsonSchema, pick: Pick, depth: number): Json {
  const least = Number(schema["minItems"] ?? 0);
  const most = Math.min(Number(schema["maxItems"] ?? least + 4), depth > 4 ? least : least + 4);
  const count = least + pick(Math.max(1, most - least + 1));
  const items = (schema["items"] ?? {}) as JsonSchema;
  return Array.from({ length: count }, () => valueFor(items, pick, depth + 1));
}

function objectFor(schema: JsonSchema, pick: Pick, depth: number): Json {
  const properties = Object.entries(
    (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  return Object.fromEntries(
    properties
      .filter(([name]) => required.has(name) || pick(2) === 0)
      .map(([name, one]) => [name, valueFor(one, pick, depth + 1)]),
  );
}
