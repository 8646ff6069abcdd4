import { type Json, type JsonObject, type Program, readNumber } from "@loopwright/core";

/** The inputs of a run, or why a row has none. */
export type TypedRow =
  | { readonly ok: true; readonly inputs: JsonObject }
  | { readonly ok: false; readonly message: string };

type Fields = Program["inputs"]["fields"];
type Read = { readonly value: Json } | { readonly fault: string };

/**
 * Takes the declared inputs out of a row. Text of a CSV file is read by the declared type; other values must have it. An
 * empty cell and a null are missing values: core then takes the default, or null where the type allows it.
 */
export function typeRow(fields: Fields, values: JsonObject, isText: boolean): TypedRow {
  const inputs: Record<string, Json> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const isMissing = value === undefined || value === null || (isText && value === "");
    if (isMissing) {
      if (field.default !== undefined || field.optional) continue;
      return { ok: false, message: `the column \`${name}\` is empty` };
    }
    const read = readValue(value, typesOf(field.schema), isText);
    if ("fault" in read) return { ok: false, message: `the column \`${name}\` ${read.fault}` };
    inputs[name] = read.value;
  }
  return { ok: true, inputs };
}

function typesOf({ type = "string" }: JsonObject): readonly string[] {
  const types: readonly Json[] = Array.isArray(type) ? (type as readonly Json[]) : [type];
  return types.flatMap((one) => (typeof one === "string" && one !== "null" ? [one] : []));
}

function readValue(value: Json, types: readonly string[], isText: boolean): Read {
  if (typeof value !== "string" || types.includes("string")) return { value };
  const shown = JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value);
  if (!isText) return { fault: `is the text ${shown}, and the spec wants ${types.join(" or ")}` };
  return (
    readText(value.trim(), types) ?? { fault: `holds ${shown}, which is no ${types.join(" or ")}` }
  );
}

/** Undefined where the text is of no wanted type. */
function readText(text: string, types: readonly string[]): Read | undefined {
  const isNumeric = types.includes("number") || types.includes("integer");
  const value = isNumeric ? readNumber(text) : undefined;
  if (value === "lossy") return { fault: `holds ${text}, beyond what a number holds exactly` };
  if (value !== undefined) return { value };
  if (types.includes("boolean") && /^(true|false)$/iu.test(text))
    return { value: text.toLowerCase() === "true" };
  if (!types.includes("array") && !types.includes("object")) return undefined;
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
