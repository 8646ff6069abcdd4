import type { JsonSchema } from "../contracts/json.ts";
import type { Draft } from "./draft.ts";
import type { TextCall } from "./reply-part.ts";
import { asSchema } from "./schema-part.ts";

const NAMES = ["name", "tool", "tool_name", "function", "function_name", "action"];
const ARGUMENTS = [
  "arguments",
  "args",
  "parameters",
  "params",
  "input",
  "action_input",
  "tool_input",
  "kwargs",
];

/** The keys under which a schema wants the name and the arguments of a call. */
interface CallForm {
  readonly name: string;
  readonly arguments: string;
}

/** The form of a call in a schema, or of the items of a list; nothing where the schema means something else. */
export function callFormOf(schema: JsonSchema | undefined): CallForm | undefined {
  if (schema === undefined) return { name: "name", arguments: "arguments" };
  const items = asSchema(schema["items"]);
  const properties = asSchema((schema["type"] === "array" ? items : schema)?.["properties"]) ?? {};
  const name = NAMES.find((key) => Object.hasOwn(properties, key));
  const given = ARGUMENTS.find((key) => Object.hasOwn(properties, key));
  return name === undefined || given === undefined ? undefined : { name, arguments: given };
}

/** A call in the form that the schema wants; its arguments alone where the schema knows no calls. */
export function callDraft(call: TextCall, schema: JsonSchema | undefined): Draft {
  const form = callFormOf(schema);
  if (form === undefined) return call.arguments;
  return { [form.name]: call.name, [form.arguments]: call.arguments };
}
