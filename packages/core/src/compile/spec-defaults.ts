import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Program } from "../program/program.ts";
import { policyDefault } from "./policy-default.ts";
import type { StageSite } from "./spec-index.ts";

/** A value that the spec does not say, and who gives it. */
export type Default = { readonly value: Json; readonly by: string } | undefined;

/** The options that the strategy of a stage takes. */
export function optionsOf({ definition }: StageSite): readonly string[] {
  return Object.keys(propertiesOf(definition.options));
}

/** What an option or setting of a stage is where the spec does not say it. */
export function stageDefault(
  site: StageSite,
  keys: readonly string[],
  program: Program | undefined,
): Default {
  const [key, ...rest] = keys;
  const value = schemaDefault(site.definition.options, keys);
  if (value !== undefined) return { value, by: `\`${site.definition.id}\`` };
  const stage = program?.stages.get(site.id);
  if (stage === undefined || rest.length > 0) return undefined;
  switch (key) {
    case "model":
      if (stage.models["default"] === undefined) return undefined;
      return { value: stage.models["default"].id, by: "the spec's `model`" };
    case "tools":
      return { value: stage.tools, by: "the spec's `tools`" };
    case "always":
      return { value: stage.always, by: "every stage" };
    case "onError":
      return { value: stage.onError, by: "every stage" };
    default:
      return undefined;
  }
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function schemaDefault(schema: JsonSchema, keys: readonly string[]): Json | undefined {
  let current: JsonSchema | undefined = schema;
  for (const key of keys) {
    const properties: Readonly<Record<string, JsonSchema>> = propertiesOf(current);
    current = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (current === undefined) return undefined;
  }
  return current["default"];
}

const byNothing = "a spec that says nothing of it";

/** What a value outside the stages is where the spec does not say it. */
export function rootDefault(keys: readonly string[], program: Program | undefined): Default {
  const [section, name, key, ...rest] = keys;
  if (program === undefined || section === undefined) return undefined;
  if (section === "tools" && name !== undefined && key !== undefined && rest.length === 0) {
    const tool = program.tools.get(name);
    return tool === undefined ? undefined : policyDefault(tool, key);
  }
  const used =
    section === "memory"
      ? program.memories.get(name ?? "")
      : section === "sinks"
        ? program.sinks.find((sink) => sink.name === name)
        : undefined;
  if (used !== undefined && key !== undefined) {
    const value = schemaDefault(used.definition.options, [key, ...rest]);
    return value === undefined ? undefined : { value, by: `\`${used.definition.id}\`` };
  }
  const plain: JsonObject = { dryRun: false, version: "", description: "" };
  const value = keys.length === 1 && Object.hasOwn(plain, section) ? plain[section] : undefined;
  return value === undefined ? undefined : { value, by: byNothing };
}
