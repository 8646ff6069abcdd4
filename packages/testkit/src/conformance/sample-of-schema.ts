import type { Json, JsonSchema } from "@loopwright/core/plugin";

/** The smallest value that fits a schema as strategies write them; what it can't know is left to the test. */
export function sampleOf(schema: JsonSchema): Json {
  if (schema["const"] !== undefined) return schema["const"];
  const choices = schema["enum"] ?? schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) {
    const [first] = choices as readonly Json[];
    return schema["enum"] === undefined ? sampleOf(first as JsonSchema) : (first ?? null);
  }
  const type = Array.isArray(schema["type"]) ? (schema["type"] as string[])[0] : schema["type"];
  switch (type) {
    case "object":
      return sampleObject(schema);
    case "array":
      return Array.from({ length: Number(schema["minItems"] ?? 0) }, () =>
        sampleOf((schema["items"] ?? {}) as JsonSchema),
      );
    case "string":
      return "sample".padEnd(Number(schema["minLength"] ?? 0), "-");
    case "number":
    case "integer":
      return Number(schema["minimum"] ?? 1);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function sampleObject(schema: JsonSchema): Json {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema["required"] ?? []) as readonly string[];
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(properties[name] ?? { type: "string" })]),
  );
}
