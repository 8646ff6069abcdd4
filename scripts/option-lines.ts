import { type Marker, MARKER } from "../packages/core/src/plugin.ts";

/** The parts of a schema that a row tells. */
interface OptionSchema {
  readonly description: string;
  readonly type?: string;
  readonly default?: unknown;
  readonly const?: string | number;
  readonly anyOf?: readonly OptionSchema[];
  readonly enum?: readonly string[];
  readonly items?: OptionSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly [MARKER]?: Marker;
}

/** What a person writes in a spec for each marked option. */
const MARKED: Readonly<Record<Marker["kind"], string>> = {
  expression: "expression",
  template: "template",
  duration: "duration",
  count: "count",
  secret: "secret",
  path: "path",
  spec: "spec",
  checks: "checks",
  memory: "memory",
  fields: "fields",
  json: "JSON",
};

/** What there is to say about one option. */
export interface OptionRow {
  readonly name: string;
  readonly type: string;
  /** `default 8`, or `required`; undefined for an option that may be left out and has no default. */
  readonly need: string | undefined;
  readonly description: string;
}

interface OptionsSchema {
  readonly properties: object;
  readonly required?: readonly string[] | undefined;
}

/** One row an option, in the order of the schema. */
export function optionRows(options: OptionsSchema): readonly OptionRow[] {
  return Object.entries(options.properties as Readonly<Record<string, OptionSchema>>).map(
    ([name, schema]) => {
      const isNeeded = options.required?.includes(name) === true;
      const need = defaultOf(schema) ?? (isNeeded ? "required" : undefined);
      return { name, type: typeOf(schema), need, description: schema.description };
    },
  );
}

/** One line an option: name, type, default, and what it means. */
export function optionLines(options: OptionsSchema): readonly string[] {
  return optionRows(options).map(({ name, type, need, description }) => {
    const about = [type, ...(need === undefined ? [] : [need])].join(", ");
    return `\`${name}\` (${about}): ${description}`;
  });
}

function defaultOf(schema: OptionSchema): string | undefined {
  const value = schema.default;
  if (value === undefined) return undefined;
  if (schema[MARKER]?.kind === "duration") return `default ${Number(value) / 1_000}s`;
  return `default ${typeof value === "string" ? value : JSON.stringify(value)}`;
}

function typeOf(schema: OptionSchema): string {
  const marker = schema[MARKER]?.kind;
  if (marker !== undefined) return MARKED[marker];
  if (schema.const !== undefined) return String(schema.const);
  const choices = schema.anyOf?.map(typeOf) ?? schema.enum;
  if (choices !== undefined)
    return choices.length === 1 ? `only ${choices.join()}` : choices.join(" or ");
  switch (schema.type) {
    case "string":
      return "text";
    case "integer":
      return rangeOf("whole number", schema);
    case "number":
      return rangeOf("number", schema);
    case "boolean":
      return "true or false";
    case "array":
      return schema.items === undefined ? "list" : `list of ${typeOf(schema.items)}`;
    case "object":
      return "map";
    default:
      return "any value";
  }
}

function rangeOf(name: string, { minimum, maximum }: OptionSchema): string {
  if (minimum === undefined) return name;
  return maximum === undefined
    ? `${name} from ${minimum}`
    : `${name} from ${minimum} to ${maximum}`;
}
