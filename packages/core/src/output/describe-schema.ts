import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";

const maxExampleDepth = 8;

/** Says in words what a reply must look like: every field, its allowed values, one example. */
export function describeSchema(schema: JsonSchema): string {
  return [
    "Reply with one JSON object and nothing else: no text around it, no code fence.",
    "Its fields:",
    ...fieldLines(schema, 0),
    `Example of the shape (the values are made up): ${JSON.stringify(exampleOf(schema))}`,
  ].join("\n");
}

/** Makes a value that fits the schema, for the shapes that specs declare. */
function exampleOf(schema: JsonSchema, depth = 0): Json {
  if (schema["const"] !== undefined) return schema["const"];
  if (Array.isArray(schema["enum"])) return (schema["enum"] as readonly Json[])[0] ?? null;
  if (schema["default"] !== undefined) return schema["default"];
  const options = (schema["anyOf"] ?? schema["oneOf"]) as readonly JsonSchema[] | undefined;
  if (options?.[0] !== undefined) return exampleOf(options[0], depth + 1);
  return exampleOfType(typeOf(schema), schema, depth);
}

function exampleOfType(type: string, schema: JsonSchema, depth: number): Json {
  switch (type) {
    case "object": {
      const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
      if (depth > maxExampleDepth) return {};
      return Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, exampleOf(part, depth + 1)]),
      );
    }
    case "array": {
      const length = Math.min(
        Math.max(Number(schema["minItems"] ?? 1), Number(schema["minItems"] ?? 0)),
        5,
      );
      const items = (schema["items"] ?? {}) as JsonSchema;
      return depth > maxExampleDepth
        ? []
        : Array.from({ length }, () => exampleOf(items, depth + 1));
    }
    case "integer":
    case "number":
      return Number(schema["minimum"] ?? 1);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "text".padEnd(Number(schema["minLength"] ?? 0), ".");
  }
}

function fieldLines(schema: JsonSchema, depth: number): readonly string[] {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  if (depth > maxExampleDepth) return [];
  return Object.entries(properties).flatMap(([name, part]) => {
    const note = typeof part["description"] === "string" ? ` — ${part["description"]}` : "";
    const line = `${"  ".repeat(depth)}- ${name}: ${typeText(part)}${note}`;
    const inner = (part["items"] ?? part) as JsonObject;
    return [line, ...fieldLines(inner, depth + 1)];
  });
}

function typeText(schema: JsonSchema): string {
  if (Array.isArray(schema["enum"]))
    return `one of ${(schema["enum"] as Json[]).map((value) => JSON.stringify(value)).join(", ")}`;
  const options = (schema["anyOf"] ?? schema["oneOf"]) as readonly JsonSchema[] | undefined;
  if (options !== undefined) {
    if (options.every((option) => option["const"] !== undefined)) {
      return `one of ${options.map((option) => JSON.stringify(option["const"])).join(", ")}`;
    }
    return options.map(typeText).join(" or ");
  }
  if (schema["const"] !== undefined) return JSON.stringify(schema["const"]);
  const type = schema["type"];
  if (Array.isArray(type)) return type.join(" or ");
  return type === "array"
    ? `list of ${typeText((schema["items"] ?? {}) as JsonSchema)}`
    : typeOf(schema);
}

function typeOf(schema: JsonSchema): string {
  const type = schema["type"];
  if (Array.isArray(type)) return String(type[0]);
  if (typeof type === "string") return type;
  return schema["properties"] === undefined ? "any value" : "object";
}
