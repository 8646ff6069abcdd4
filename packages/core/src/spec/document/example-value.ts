import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Marker } from "../../contracts/schema.ts";
import { durationText } from "../text/duration-text.ts";
import { choicesOf, markerOf, propertiesOf, variantsOf } from "./schema-parts.ts";

/** A value that a schema takes, as a repair writes it: its default, the first of its choices, `5s`; `...` where only the author knows. */
export function exampleValue(schema: JsonSchema): string {
  const marker = markerOf(schema);
  if (marker !== undefined) return markedExample(marker, schema);
  const [choice] = choicesOf(schema) ?? [];
  if (isPlain(schema["default"])) return String(schema["default"]);
  if (choice !== undefined) return typeof choice === "string" ? choice : JSON.stringify(choice);
  const [variant] = variantsOf(schema) ?? [];
  if (variant !== undefined) return exampleValue(variant);
  switch (schema["type"]) {
    case "object":
      return exampleMap(schema);
    case "array":
      return "[...]";
    case "number":
    case "integer":
      return String(exampleNumber(schema));
    case "boolean":
      return "true";
    default:
      return "...";
  }
}

/** A map that a schema takes, as a repair writes it: with what it needs, or else its first key. */
export function exampleMap(schema: JsonSchema): string {
  const properties = [...propertiesOf(schema)];
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const needed = properties.filter(([key]) => required.includes(key));
  const shown = (needed.length > 0 ? needed : properties.slice(0, 1)).map(
    ([key, property]) => `${key}: ${exampleValue(property)}`,
  );
  return shown.length === 0 ? "{ ... }" : `{ ${shown.join(", ")} }`;
}

const usual = 3;

/** A number that a schema takes: its default, or a small one within its bounds. */
export function exampleNumber(schema: JsonSchema): number {
  const {
    default: standard,
    minimum,
    maximum,
  } = schema as Readonly<Record<"default" | "minimum" | "maximum", Json | undefined>>;
  if (typeof standard === "number") return standard;
  if (typeof minimum === "number" && minimum > usual) return minimum;
  return typeof maximum === "number" && maximum < usual ? maximum : usual;
}

function markedExample(marker: Marker, schema: JsonSchema): string {
  const { kind } = marker;
  const standard = schema["default"];
  if (kind === "duration") return typeof standard === "number" ? durationText(standard) : "5s";
  if (kind === "count") return typeof standard === "number" ? String(standard) : "2000";
  if (kind === "expression") return expressionExamples[marker.result];
  return markedExamples[kind];
}

const expressionExamples = {
  bool: "verdict.passed",
  list: "plan.steps",
  any: "answer.text",
} as const;

const markedExamples: Readonly<
  Record<Exclude<Marker["kind"], "duration" | "count" | "expression">, string>
> = {
  template: "...",
  secret: '"${secret:NAME}"',
  path: "./FILE",
  spec: "./FILE.yaml",
  checks: "[...]",
  memory: "NAME",
  fields: "{ NAME: string }",
  json: "...",
};

function isPlain(value: Json | undefined): value is string | number | boolean {
  return typeof value === "number" || typeof value === "boolean" || typeof value === "string";
}
