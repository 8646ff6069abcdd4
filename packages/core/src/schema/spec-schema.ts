import type { JsonSchema } from "../contracts/json.ts";
import type {
  DefinitionByKind,
  PluginDefinition,
  PluginKind,
} from "../contracts/plugin-definition.ts";
import { describeKeys } from "./describe-keys.ts";
import { modelSchemas } from "./model-schemas.ts";
import { namedPluginSchemas } from "./named-plugin-schemas.ts";
import { policyKeys } from "./policy-schemas.ts";
import {
  BOOLEAN,
  closedMap,
  conditional,
  KEBAB,
  listOf,
  mapOf,
  named,
  orSubstituted,
  patchable,
  PATH,
  reference,
  TEMPLATE,
  TEXT,
} from "./schema-forms.ts";
import { stageSchemas } from "./stage-schemas.ts";
import { valueSchemas } from "./value-schemas.ts";

/** The JSON Schema (2020-12) of specs that may use these plugins; what only `check` can know, it leaves open. */
export function specSchema(definitions: readonly PluginDefinition[]): JsonSchema {
  const of = <K extends PluginKind>(kind: K): readonly DefinitionByKind[K][] =>
    definitions.filter((one): one is DefinitionByKind[K] => one.kind === kind);
  const policies = policyKeys();
  const none = { keys: {}, others: {} };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Loopwright spec",
    type: "object",
    ...conditional({ required: ["extends"] }, reference("spec.extending"), reference("spec")),
    $defs: {
      ...specForms(),
      ...valueSchemas(),
      ...modelSchemas(of("provider")),
      ...stageSchemas(of("strategy")),
      policy: closedMap(policies),
      "tools.agent": agentTool(policies),
      ...namedPluginSchemas("tools", of("tool"), {
        keys: { description: TEXT, ...policies },
        others: { agent: "tools.agent" },
      }),
      ...namedPluginSchemas("memory", of("memory"), none),
      ...namedPluginSchemas("sinks", of("sink"), none),
      ...checkSchemas(of("check")),
    },
  };
}

function specForms(): Readonly<Record<string, JsonSchema>> {
  const extending = { ...specKeys(".patch"), ...patchKeys() };
  const patch = Object.fromEntries(
    Object.entries(extending).filter(([key]) => !NEVER_PATCHED.has(key)),
  );
  return {
    spec: {
      ...closedMap(specKeys(""), ["apiVersion", "name"]),
      not: {
        required: ["model", "models"],
        properties: { models: { type: "object", required: ["default"] } },
      },
    },
    "spec.extending": closedMap(extending, ["name"]),
    patch: orSubstituted(closedMap(patch)),
  };
}

const NEVER_PATCHED: ReadonlySet<string> = new Set(["apiVersion", "extends", "overlays"]);

/** The keys of a spec; in a patch, what only completes the base may be left out. */
function specKeys(form: "" | ".patch"): Readonly<Record<string, JsonSchema>> {
  const section = (name: string): JsonSchema => reference(`${name}${form}`);
  return describeKeys("spec", {
    apiVersion: { const: "loopwright/v1" },
    name: KEBAB,
    version: TEXT,
    description: TEXT,
    extends: PATH,
    plugins: orSubstituted(listOf(PACKAGE)),
    workspace: PATH,
    dryRun: BOOLEAN,
    inputs: reference("fields"),
    task: section("task"),
    instructions: TEMPLATE,
    glossary: orSubstituted(mapOf(MEANING)),
    language: orSubstituted({ enum: ["en", "zh"] }),
    model: section("model"),
    models: section("models"),
    toolPolicy: orSubstituted(reference("policy")),
    tools: section("tools"),
    memory: section("memory"),
    strategies: orSubstituted(mapOf(reference("stage"), { ...KEBAB })),
    strategy: reference("stage"),
    output: section("output"),
    limits: reference("limits"),
    sinks: section("sinks"),
    switches: orSubstituted(mapOf(switchSchema())),
    overlays: orSubstituted(mapOf(reference("patch"), { ...KEBAB })),
    cases: PATH,
  });
}

function switchSchema(): JsonSchema {
  return orSubstituted(
    closedMap(
      describeKeys("switch", {
        stages: orSubstituted(listOf(named(TEXT, "stage"))),
        tools: orSubstituted(listOf(named(TEXT, "tool"))),
        limits: reference("limits"),
      }),
    ),
  );
}

/** What a patch may say beside the keys of a spec: additions, deletions, options of stages. */
function patchKeys(): Readonly<Record<string, JsonSchema>> {
  const keys = Object.entries(specKeys(".patch")).filter(([key]) => !NEVER_PATCHED.has(key));
  const kinds = { models: "role", tools: "tool", memory: "memory", sinks: "sink" } as const;
  const taken = Object.entries(kinds).map(([key, kind]) => [
    `${key}-`,
    orSubstituted(listOf(named(TEXT, kind))),
  ]);
  const whole = {
    "tools+": reference("tools"),
    "memory+": reference("memory"),
    "sinks+": reference("sinks"),
  };
  return {
    ...patchable(Object.fromEntries(keys)),
    ...whole,
    ...Object.fromEntries(taken),
    ...describeKeys("patch", {
      stages: orSubstituted(
        named({ type: "object", additionalProperties: reference("stage.patch") }, "stage", "keys"),
      ),
      "stages-": orSubstituted(listOf(named(TEXT, "stage"))),
    }),
  };
}

function agentTool(policies: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const keys = { use: TEXT, spec: PATH, description: TEXT };
  return closedMap({ ...describeKeys("tool", keys), ...policies }, ["use", "spec"]);
}

function checkSchemas(
  definitions: readonly DefinitionByKind["check"][],
): Readonly<Record<string, JsonSchema>> {
  const { "checks.item": item, ...rest } = namedPluginSchemas("checks", definitions, {
    keys: {},
    others: {},
  });
  const bodies = Object.entries(rest).filter(([name]) =>
    /^checks\.(?!entry$|part$|patch$)/.test(name),
  );
  return {
    ...Object.fromEntries(bodies),
    "checks.item": item ?? {},
    checks: orSubstituted(listOf(reference("checks.item"))),
  };
}

const MEANING: JsonSchema = { type: "string", pattern: "\\S" };

const PACKAGE: JsonSchema = {
  type: "string",
  pattern: "^(@[a-z0-9][a-z0-9._~-]*/)?[a-z0-9][a-z0-9._~-]*(@[^/@:]+)?$|\\$\\{",
};
