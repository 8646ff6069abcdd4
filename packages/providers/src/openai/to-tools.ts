import {
  compileDialect,
  type Json,
  type JsonObject,
  type JsonSchema,
  ProviderError,
  type ToolDescription,
} from "@loopwright/core/plugin";
import { isExactJson } from "./exact-json.ts";
import { openSchema } from "./open-schema.ts";
import type { Profile } from "./profile-fields.ts";
import { toWireName } from "./tool-names.ts";

/** A tool's arguments as an endpoint takes them. */
interface Arguments {
  readonly schema: JsonSchema;
  /** Whether the schema says all that the endpoint needs to hold arguments to it. */
  readonly isWhole: boolean;
  readonly undo: (value: Json) => Json;
}

/** Tools are offered again with each step, and their schemas never change. */
const compiled = new WeakMap<Profile, WeakMap<JsonSchema, Arguments>>();

/** Translates a tool; what its dialect can't say is left open, because one bad schema would fail the whole request. */
export function toWireTool(tool: ToolDescription, profile: Profile): JsonObject {
  const { description, input } = tool;
  const name = toWireName(tool.name, profile);
  const { schema, isWhole } = argumentsOf(input, profile);
  const { strict: _, ...unheld } = profile.toolFields;
  const fields = isWhole ? profile.toolFields : { ...unheld, ...profile.looseToolFields };
  return { type: "function", function: { name, description, parameters: schema, ...fields } };
}

/** Refuses more tools than the endpoint takes, before anything is sent. */
export function refuseTools(tools: readonly ToolDescription[], { maxTools }: Profile): void {
  if (maxTools === undefined || tools.length <= maxTools) return;
  throw new ProviderError(
    "provider-rejected",
    `This endpoint takes ${maxTools} tools at most, and the request offers ${tools.length}. Offer fewer at this stage.`,
    { details: { toolCount: tools.length, maxTools } },
  );
}

/**
 * Arguments in the form of the tool's own schema: a null that stands for a field left out is taken away.
 *
 * A text that its value would not give back (a key twice, a number too long) stays as it was written.
 */
export function toOwnArguments(text: string, tool: ToolDescription, profile: Profile): string {
  if (profile.toolDialect === "none") return text;
  try {
    const value = JSON.parse(text) as Json;
    const own = JSON.stringify(argumentsOf(tool.input, profile).undo(value));
    // What did not change stays as it was written.
    return own === JSON.stringify(value) || !isExactJson(text, value) ? text : own;
  } catch {
    return text;
  }
}

function argumentsOf(input: JsonSchema, profile: Profile): Arguments {
  const known = compiled.get(profile) ?? new WeakMap<JsonSchema, Arguments>();
  compiled.set(profile, known);
  const made = known.get(input) ?? compileArguments(input, profile);
  known.set(input, made);
  return made;
}

function compileArguments(input: JsonSchema, { toolDialect }: Profile): Arguments {
  const whole = compileDialect(input, toolDialect);
  if (whole.rejected.length === 0 && isPlainRoot(whole.schema))
    return { schema: whole.schema, isWhole: whole.warnings.length === 0, undo: whole.undo };
  const undo = (value: Json): Json => value;
  const open = compileDialect(openSchema(input), toolDialect);
  const schema = open.rejected.length === 0 ? open.schema : { type: "object", properties: {} };
  return { schema, isWhole: false, undo };
}

/** Endpoints want the arguments to be an object, and no union at the root. */
function isPlainRoot(schema: JsonSchema): boolean {
  const unions = ["anyOf", "oneOf", "allOf", "not", "enum"];
  return schema["type"] === "object" && !unions.some((keyword) => keyword in schema);
}
