import { relative, sep } from "node:path";
import type { Json, JsonObject } from "../contracts/json.ts";
import { toJson, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { isInside } from "../spec/document/resolve-path.ts";
import type { ReadStage } from "./read-stages.ts";
import { modelContent } from "./compile-models.ts";
import type {
  CheckEntry,
  CompiledStage,
  Limits,
  PoliciesByEffect,
  Program,
  ToolEntry,
  ToolPolicy,
} from "../program/program.ts";

/** A program without what is derived from its canonical form. */
export type Draft = Omit<Program, "canonical" | "hash" | "diagnostics">;

/**
 * The spec in canonical form: defaults filled in, every level applied, paths relative to the root, secrets as their
 * text. Equal programs have equal canonical forms, wherever they lie.
 */
export function canonicalSpec(
  draft: Draft,
  root: MapNode,
  linked: ReadonlyMap<string, ReadStage>,
): JsonObject {
  const said = (key: string): Json | undefined => jsonAt(root.entries.get(key)?.value);
  const spec: Readonly<Record<string, Json | undefined>> = {
    apiVersion: "loopwright/v1",
    name: draft.name,
    version: draft.version,
    description: draft.description,
    dryRun: draft.dryRun,
    plugins: said("plugins"),
    inputs: draft.inputs.schema,
    task: said("task"),
    instructions: said("instructions"),
    glossary: draft.glossary === undefined ? undefined : Object.fromEntries(draft.glossary),
    language: draft.language,
    workspace: draft.workspace,
    cases: draft.cases,
    agents: agentsContent(draft),
    switches: switchesContent(draft),
    models: draft.models.map(modelContent),
    tools: Object.fromEntries(
      [...draft.tools.values()].map((tool) => [tool.name, toolContent(tool)]),
    ),
    memory: Object.fromEntries(
      [...draft.memories.values()].map(({ name, definition, options }) => [
        name,
        { use: definition.id, options },
      ]),
    ),
    strategy: draft.strategy.stages.map((stage) => stageContent(stage, draft.checks, linked)),
    output: outputContent(draft),
    limits: limitsContent(draft.limits),
    sinks: Object.fromEntries(
      draft.sinks.map(({ name, definition, options }) => [name, { use: definition.id, options }]),
    ),
  };
  return withRelativePaths(withoutMissing(spec), draft.root) as JsonObject;
}

// An inner agent is told by its hash, which holds all of it.
function agentsContent({ agents }: Draft): JsonObject | undefined {
  if (agents === undefined) return undefined;
  return Object.fromEntries([...agents].map(([place, { hash }]) => [place, hash]));
}

function switchesContent({ switches }: Draft): JsonObject | undefined {
  if (switches === undefined) return undefined;
  return Object.fromEntries(
    [...switches].map(([name, { stages, tools, limits }]) => [
      name,
      { stages, tools, limits: limitsContent(limits) },
    ]),
  );
}

function stageContent(
  stage: CompiledStage,
  checks: readonly CheckEntry[],
  linked: ReadonlyMap<string, ReadStage>,
): JsonObject {
  const settings = linked.get(stage.id)?.settings;
  const said = (key: string): Json | undefined => jsonAt(settings?.entries.get(key)?.value);
  return withoutMissing({
    use: stage.definition.id,
    id: stage.id,
    when: stage.when?.source,
    always: stage.always,
    onError: stage.onError,
    model: stage.noModel
      ? "none"
      : Object.fromEntries(
          Object.entries(stage.models).map(([voice, model]) => [
            voice,
            model.role === "" ? model.id : model.role,
          ]),
        ),
    instructions: said("instructions"),
    prompt: said("prompt"),
    examples: stage.examples.map((example) => ({ ...example })),
    tools: stage.tools,
    policies: Object.fromEntries(
      [...stage.policies].map(([name, policy]) => [name, policyContent(policy)]),
    ),
    sets: stage.sets === undefined ? undefined : setsContent(stage.sets),
    limits: limitsContent(stage.limits),
    options: withChecks(stage.options, checks),
    slots: Object.fromEntries(
      Object.entries(stage.slots).map(([name, slot]) => [
        name,
        slot.stages.map((child) => stageContent(child, checks, linked)),
      ]),
    ),
  });
}

function toolContent({
  definition,
  description,
  input,
  options,
  policy,
  policies,
}: ToolEntry): JsonObject {
  return {
    use: definition.id,
    description,
    input,
    options,
    policy: policyContent(policy),
    ...(policies === undefined ? {} : { policies: policiesContent(policies) }),
  };
}

function setsContent(sets: NonNullable<CompiledStage["sets"]>): JsonObject {
  return Object.fromEntries(
    [...sets].map(([name, { isReadOnly, policies }]) => [
      name,
      { isReadOnly, ...(policies === undefined ? {} : { policies: policiesContent(policies) }) },
    ]),
  );
}

function policiesContent({ read, idempotent, once }: PoliciesByEffect): JsonObject {
  return {
    read: policyContent(read),
    idempotent: policyContent(idempotent),
    once: policyContent(once),
  };
}

function outputContent(draft: Draft): Json | undefined {
  const { output } = draft;
  if (output === undefined) return undefined;
  return {
    ...output,
    checks: withChecks(
      output.checks.map((check) => ({ ...check })),
      draft.checks,
    ),
  };
}

// A check in options is a number of this compilation; what it stands for is told instead.
function withChecks(value: Json, checks: readonly CheckEntry[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withChecks(item, checks));
  if (typeof value !== "object" || value === null) return value;
  const { check, instance } = value as JsonObject;
  const entry =
    typeof instance === "number" && Object.keys(value).length === 2 ? checks[instance] : undefined;
  if (entry !== undefined && entry.definition.id === check)
    return { use: check, options: withChecks(entry.options, checks) };
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withChecks(item, checks)]),
  );
}

function policyContent(policy: ToolPolicy): JsonObject {
  const { approval, deny, limits, ...plain } = policy;
  return withoutMissing({
    ...plain,
    limits: limits === undefined ? undefined : limitsContent(limits),
    approval: typeof approval === "string" ? approval : { when: approval.when.source },
    deny: deny === undefined ? undefined : { when: deny.source },
  });
}

function limitsContent(limits: Limits): JsonObject {
  return { ...limits };
}

function jsonAt(node: SpecNode | undefined): Json | undefined {
  return node === undefined ? undefined : toJson(node);
}

function withoutMissing(value: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, Json] => pair[1] !== undefined),
  );
}

function withRelativePaths(value: Json, root: string): Json {
  if (typeof value === "string") {
    const isPath = value.startsWith(root) && isInside(root, value);
    return isPath ? relative(root, value).split(sep).join("/") || "." : value;
  }
  if (Array.isArray(value)) return value.map((item: Json) => withRelativePaths(item, root));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withRelativePaths(item, root)]),
  );
}
