import { findAgent } from "./compile-agents.ts";
import { agentTool } from "./agent-tool.ts";
import type { JsonObject } from "../contracts/json.ts";
import type { Effect, ToolDefinition } from "../contracts/tool.ts";
import {
  only,
  readNamedEntries,
  without,
  type NamedEntry,
} from "../spec/document/named-entries.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { refuseSecret } from "../spec/document/read-secret.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema, policyKeys } from "../spec/document/spec-schemas.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { shapeFromJsonSchema, type Shape } from "../spec/text/shape.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { nearestPlugin, resolvePlugin, type CompileContext } from "./compile-context.ts";
import { joinPolicies } from "./join-policies.ts";
import { agentKey, agentToolId } from "../program/agent-key.ts";
import type { ToolEntry, ToolPolicy } from "../program/program.ts";
import { policiesByEffect, reportFallbackToSet } from "./set-policies.ts";
import { policyShape } from "./state-shape.ts";
import {
  pluginPolicy,
  readPolicyLevel,
  reportUnknownPolicies,
  type PolicyLevel,
} from "./tool-policy.ts";
import {
  recordFallback,
  reportFallbackCircles,
  reportNearFallback,
  reportUnfitFallbacks,
} from "./tool-fallbacks.ts";
import { inputSchemaOf, reportToolOptions } from "./tool-options.ts";
import { wireNames } from "../program/wire-names.ts";

/** What the tools of a spec share. */
interface Ground {
  readonly names: readonly string[];
  readonly shared: PolicyLevel | undefined;
  readonly inputs: Shape;
  readonly options: OptionsContext;
  readonly context: CompileContext;
}

/** The tools of a spec by name, with the policies of every level but the stages'. */
export function compileTools(
  node: SpecNode | undefined,
  toolPolicy: SpecNode | undefined,
  inputs: Shape,
  options: OptionsContext,
  context: CompileContext,
): ReadonlyMap<string, ToolEntry> {
  const entries =
    node === undefined
      ? []
      : readNamedEntries(node, context.diagnostics, (id) => nearestPlugin("tool", id, context));
  const names = entries.map(({ name }) => name);
  const wires = wireNames(names);
  const shared = readSharedPolicy(toolPolicy, policyShape({ kind: "any" }, inputs), names, options);
  if (shared !== undefined) recordFallback(shared, context.record);
  const ground: Ground = { names, shared, inputs, options, context };
  const tools = new Map<string, ToolEntry>();
  for (const [index, said] of entries.entries()) {
    context.record.use("tool", said.name, said.at, true);
    const tool = compileTool(said, wires[index] ?? said.name, ground);
    if (tool !== undefined) tools.set(said.name, tool);
  }
  reportFallbackCircles(entries, tools, context.diagnostics);
  reportUnfitFallbacks(entries, tools, context.diagnostics);
  reportFallbackToSet(entries, tools, context.diagnostics);
  return tools;
}

function readSharedPolicy(
  node: SpecNode | undefined,
  shape: ReturnType<typeof policyShape>,
  names: readonly string[],
  options: OptionsContext,
): PolicyLevel | undefined {
  if (node === undefined) return undefined;
  if (node.kind !== "map") {
    options.diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      node,
      `\`toolPolicy\` is a map, not ${shownValue(node)}`,
      "write `toolPolicy: { approval: always }`",
    );
    return undefined;
  }
  reportUnknownPolicies(node, options.diagnostics);
  return readPolicyLevel(node, shape, names, options);
}

/** The plugin that a tool of the spec uses. */
interface FoundTool {
  readonly definition: ToolDefinition;
  readonly isAgent: boolean;
}

function compileTool(said: NamedEntry, wireName: string, ground: Ground): ToolEntry | undefined {
  const { context, options } = ground;
  const found = findTool(said, context);
  if (found === undefined) return undefined;
  const { isAgent } = found;
  const schema = asJsonSchema(found.definition.options);
  const takesDescription = propertiesOf(schema).has("description");
  const errorsBefore = context.diagnostics.items.length;
  const read = readOptions(
    without(bodyOf(said), [...policyKeys, ...(takesDescription ? [] : ["description"])]),
    schema,
    {
      name: said.name,
      unknownCode: "LW-SPEC-UNKNOWN-KEY",
      missingCode: "LW-SPEC-MISSING-KEY",
      alsoKnown: { "of every tool": [...policyKeys, "description", "use"] },
    },
    options,
  );
  const isSound = !context.diagnostics.items
    .slice(errorsBefore)
    .some(({ severity }) => severity === "error");
  const definition = isAgent ? withAgent(said, context) : found.definition;
  if (isSound) reportToolOptions(definition, read.value, said, context);
  const input = isSound ? inputSchemaOf(definition.input, read.value, said, context) : {};
  const shape = policyShape(shapeFromJsonSchema(input), ground.inputs);
  const own = readPolicyLevel(only(said.body, policyKeys), shape, ground.names, options);
  recordFallback(own, context.record);
  reportNearFallback(own, ground.names, context.diagnostics);
  const join = (effect: Effect, diagnostics: Diagnostics): ToolPolicy => {
    const proposed = pluginPolicy(definition, effect);
    // Inside an agent every tool asks for itself; asked for the agent too, a person would decide twice, the first time blindly.
    const plugin: ToolPolicy = isAgent ? { ...proposed, approval: "never" } : proposed;
    return joinPolicies(said, { plugin, shared: ground.shared, own, isAgent }, diagnostics);
  };
  return {
    name: said.name,
    wireName,
    definition,
    options: read.value,
    description: descriptionOf(said, context) ?? definition.description,
    input,
    ...policiesOf(definition, isSound ? read.value : undefined, join, context.diagnostics),
  };
}

/** What a set's tools do is known from its options, or when they are listed. */
function policiesOf(
  { set, effect }: ToolDefinition,
  options: JsonObject | undefined,
  join: (effect: Effect, diagnostics: Diagnostics) => ToolPolicy,
  diagnostics: Diagnostics,
): Pick<ToolEntry, "policy" | "policies"> {
  if (set === undefined) return { policy: join(effect, diagnostics) };
  const known = options === undefined ? undefined : set.effect?.(options as never);
  const policies = policiesByEffect(known, join, diagnostics);
  return { policy: policies.once, policies };
}

function findTool(said: NamedEntry, context: CompileContext): FoundTool | undefined {
  if (said.use.id === agentToolId) return { definition: agentTool(undefined), isAgent: true };
  const found = resolvePlugin("tool", said.use.id, said.use.at, context);
  return found === undefined ? undefined : { definition: found.definition, isAgent: false };
}

// What an agent takes and does is known from its spec.
function withAgent(said: NamedEntry, context: CompileContext): ToolDefinition {
  const spec = entry(said.body, "spec");
  const agent = spec === undefined ? undefined : findAgent(spec, context);
  if (agent !== undefined) context.inner.set(agentKey(said.name), agent);
  return agentTool(agent);
}

function descriptionOf(said: NamedEntry, context: CompileContext): string | undefined {
  const node = entry(said.body, "description");
  if (node === undefined || refuseSecret(node, context.diagnostics)) return undefined;
  return readText(node, context.diagnostics);
}

// What is missing in it is reported where its name stands.
function bodyOf(said: NamedEntry): MapNode {
  return { ...said.body, line: said.at.line, column: said.at.column };
}
