import type { JsonObject, JsonSchema } from "../contracts/json.ts";
import {
  only,
  readNamedEntries,
  without,
  type NamedEntry,
} from "../spec/document/named-entries.ts";
import { reportNotYet } from "../spec/document/not-yet.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { asJsonSchema, policyKeys } from "../spec/document/spec-schemas.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { shapeFromJsonSchema, type Shape } from "../spec/text/shape.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { resolvePlugin, type CompileContext } from "./compile-context.ts";
import type { ToolEntry, ToolPolicy } from "../program/program.ts";
import { policyShape } from "./state-shape.ts";
import {
  pluginPolicy,
  readPolicyLevel,
  reportUnknownPolicies,
  type PolicyLevel,
} from "./tool-policy.ts";
import { reportToolOptions } from "./tool-options.ts";
import { wireNames } from "./wire-names.ts";

/** The tools of a spec by name, with the policies of every level but the stages'. */
export function compileTools(
  node: SpecNode | undefined,
  toolPolicy: SpecNode | undefined,
  inputs: Shape,
  options: OptionsContext,
  context: CompileContext,
): ReadonlyMap<string, ToolEntry> {
  const entries = node === undefined ? [] : readNamedEntries(node, context.diagnostics);
  const names = entries.map(({ name }) => name);
  const wires = wireNames(names);
  const shared = readSharedPolicy(toolPolicy, policyShape({ kind: "any" }, inputs), names, options);
  const tools = new Map<string, ToolEntry>();
  for (const [index, said] of entries.entries()) {
    const tool = compileTool(
      said,
      wires[index] ?? said.name,
      names,
      shared,
      inputs,
      options,
      context,
    );
    if (tool !== undefined) tools.set(said.name, tool);
  }
  reportFallbackCircles(entries, tools, context);
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
    );
    return undefined;
  }
  reportUnknownPolicies(node, options.diagnostics);
  return readPolicyLevel(node, shape, names, options);
}

function compileTool(
  said: NamedEntry,
  wireName: string,
  names: readonly string[],
  shared: PolicyLevel | undefined,
  inputs: Shape,
  options: OptionsContext,
  context: CompileContext,
): ToolEntry | undefined {
  if (said.use.id === "agent") {
    reportNotYet(said.use.at, "agent", context.diagnostics);
    return undefined;
  }
  const found = resolvePlugin("tool", said.use.id, said.use.at, context);
  if (found === undefined) return undefined;
  const { definition } = found;
  const schema = asJsonSchema(definition.options);
  const takesDescription = propertiesOf(schema).has("description");
  const body: MapNode = { ...said.body, ...placeOf(said) };
  const read = readOptions(
    without(body, [...policyKeys, ...(takesDescription ? [] : ["description"])]),
    schema,
    {
      name: said.name,
      unknownCode: "LW-SPEC-UNKNOWN-KEY",
      missingCode: "LW-SPEC-MISSING-KEY",
      alsoKnown: [...policyKeys, "description", "use"],
    },
    options,
  );
  reportToolOptions(definition, read.value, said, context);
  const input = inputSchemaOf(definition.input, read.value, said, context);
  const own = readPolicyLevel(
    only(said.body, policyKeys),
    policyShape(shapeFromJsonSchema(input), inputs),
    names,
    options,
  );
  return {
    name: said.name,
    wireName,
    definition,
    options: read.value,
    description: descriptionOf(said, context) ?? definition.description,
    input,
    policy: joinPolicies(said, pluginPolicy(definition.effect), shared, own, context),
  };
}

function descriptionOf(said: NamedEntry, context: CompileContext): string | undefined {
  const node = entry(said.body, "description");
  return node === undefined ? undefined : readText(node, context.diagnostics);
}

// A tool may compute its input schema from its options; options in error may break that.
function inputSchemaOf(
  input: JsonSchema | ((options: never) => JsonSchema),
  options: JsonObject,
  said: NamedEntry,
  context: CompileContext,
): JsonSchema {
  if (typeof input !== "function") return input;
  if (context.diagnostics.hasErrors) return {};
  try {
    return input(options as never);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    context.diagnostics.error(
      "LW-PLUGIN-BROKEN",
      said.at,
      `\`${said.use.id}\` cannot say what it takes: ${reason}`,
    );
    return {};
  }
}

function joinPolicies(
  said: NamedEntry,
  plugin: ToolPolicy,
  shared: PolicyLevel | undefined,
  own: PolicyLevel,
  context: CompileContext,
): ToolPolicy {
  const { diagnostics } = context;
  const isRead = plugin.effect === "read";
  if (!isRead && (own.said.cacheMs ?? 0) > 0) {
    const at = entry(own.node, "cache") ?? said.at;
    diagnostics.error(
      "LW-TOOL-EFFECT",
      at,
      `\`${said.name}\` changes something (effect ${plugin.effect}); its results cannot be cached`,
      "delete `cache`",
    );
  }
  const joined = { ...plugin, ...withoutItself(shared, said.name), ...own.said };
  if (plugin.approval === "always" && joined.approval !== "always") {
    const at = own.said.approval === undefined ? shared?.node : own.node;
    const by = joined.approval === "never" ? "never" : "asked for by a condition";
    diagnostics.warn(
      "LW-TOOL-LOOSENED-APPROVAL",
      (at === undefined ? undefined : entry(at, "approval")) ?? said.at,
      `this loosens the approval of \`${said.name}\` (was always by its effect): it is ${by}`,
    );
  }
  return isRead ? joined : { ...joined, cacheMs: 0 };
}

// A tool that stands in for all others needs no stand-in itself.
function withoutItself(shared: PolicyLevel | undefined, name: string): PolicyLevel["said"] {
  const { fallback, ...rest } = shared?.said ?? {};
  const isItself = fallback !== undefined && "tool" in fallback && fallback.tool === name;
  return fallback === undefined || isItself ? rest : { ...rest, fallback };
}

function reportFallbackCircles(
  entries: readonly NamedEntry[],
  tools: ReadonlyMap<string, ToolEntry>,
  context: CompileContext,
): void {
  for (const said of entries) {
    const way = [said.name];
    for (
      let next = standInOf(said.name, tools);
      next !== undefined;
      next = standInOf(next, tools)
    ) {
      if (way.includes(next)) {
        const at = entry(said.body, "fallback") ?? said.at;
        const message = `the fallback of \`${said.name}\` leads back: ${[...way, next].join(" → ")}`;
        context.diagnostics.error("LW-TOOL-FALLBACK", at, message, "end the chain with a text");
        break;
      }
      way.push(next);
    }
  }
}

function standInOf(name: string, tools: ReadonlyMap<string, ToolEntry>): string | undefined {
  const fallback = tools.get(name)?.policy.fallback;
  return fallback !== undefined && "tool" in fallback ? fallback.tool : undefined;
}

function placeOf(said: NamedEntry): Pick<MapNode, "line" | "column"> {
  return { line: said.at.line, column: said.at.column };
}
