import { recordFallback } from "./tool-fallbacks.ts";
import { reportUnknownPolicies, readPolicyLevel } from "./tool-policy.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readText } from "../spec/document/read-scalar.ts";
import { shapeFromJsonSchema, type Shape } from "../spec/text/shape.ts";
import type { MapNode, SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import { isAgentTool } from "../program/agent-key.ts";
import type { PoliciesByEffect, StageSet, ToolEntry, ToolPolicy } from "../program/program.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import type { CompileContext } from "./compile-context.ts";
import { reportContradictions } from "./policy-contradictions.ts";
import { mayRead, type SaidOfSets, stageSets, tightenSet } from "./set-policies.ts";
import { policyShape } from "./state-shape.ts";
import { tightenPolicy } from "./tighten-policy.ts";

/** The tools of a stage, and the policies that it tightens. */
export interface StageTools {
  readonly names: readonly string[];
  readonly policies: ReadonlyMap<string, ToolPolicy>;
  /** The sets among them. */
  readonly sets?: ReadonlyMap<string, StageSet>;
  /** Whether one of them has another tool as its fallback. */
  readonly hasStandIn: boolean;
}

type Selection = Pick<StageTools, "policies"> & SaidOfSets;

/** What decides which tools a stage may call. */
export interface StageToolsSetting {
  /** The value of the stage's `tools:`. */
  readonly node: SpecNode | undefined;
  /** Where the stage stands. */
  readonly at: SpecNode;
  /** Whether the strategy writes observations. */
  readonly isActing: boolean;
  /** Whether several branches may run the stage at once. */
  readonly isSampled: boolean;
}

interface ToolsContext {
  readonly compile: CompileContext;
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly inputs: Shape;
  /** The names that slots around the stage bind. */
  readonly bound: Readonly<Record<string, Shape>>;
  readonly options: OptionsContext;
}

const noPolicies: ReadonlyMap<string, ToolPolicy> = new Map();
const nothing: Selection = { names: [], policies: noPolicies };

/** Selects the tools of a stage: by default all for acting strategies, only `read` ones where branches run at once. */
export function selectTools(setting: StageToolsSetting, context: ToolsContext): StageTools {
  const selection = select(setting, context);
  if (selection.names.length === 0) return { names: [], policies: noPolicies, hasStandIn: false };
  const standIns = standInsOf(selection, context);
  reportStandIns(standIns, selection, setting, context);
  const sets = stageSets(selection, setting, context.tools);
  return {
    names: selection.names,
    policies: selection.policies,
    hasStandIn: standIns.length > 0,
    ...(sets.size === 0 ? {} : { sets }),
  };
}

function select(setting: StageToolsSetting, context: ToolsContext): Selection {
  const { node } = setting;
  if (node === undefined && !setting.isActing) return nothing;
  const all = [...context.tools.keys()];
  const reading = [...context.tools.values()].filter(mayRead).map(({ name }) => name);
  if (node === undefined) return { names: setting.isSampled ? reading : all, policies: noPolicies };
  if (node.kind === "map") return fromMap(node, context);
  if (node.kind === "list")
    return { names: fromList(node.items, setting.isSampled, context), policies: noPolicies };
  switch (node.value) {
    case "none":
      return nothing;
    case "read":
      return { names: reading, policies: noPolicies };
    case "all":
      if (setting.isSampled) reportOnce(node, "all", all, context);
      return { names: all, policies: noPolicies };
    default: {
      const message = `\`tools\` is read, none, all, a list of names, or a map of policies; it is ${shownValue(node)}`;
      const repair = all.includes(String(node.value))
        ? `write \`tools: [${node.text}]\``
        : didYouMean(String(node.value), ["read", "none", "all"]);
      context.options.diagnostics.error("LW-VALUE-CHOICE", node, message, repair);
      return nothing;
    }
  }
}

function fromMap(node: MapNode, context: ToolsContext): Selection {
  const { tools, inputs, bound, options, compile } = context;
  const policies = new Map<string, ToolPolicy>();
  const tightened = new Map<string, PoliciesByEffect>();
  const names: string[] = [];
  for (const [name, { key, value }] of node.entries) {
    const tool = tools.get(name);
    compile.record.use("tool", name, key);
    if (tool === undefined) reportUnknownTool(name, key, context);
    else if (value.kind !== "map") {
      options.diagnostics.error(
        "LW-VALUE-MAP-EXPECTED",
        value,
        `the policy of \`${name}\` is a map, not ${shownValue(value)}`,
        `write \`${name}: { approval: always }\`, or \`${name}: {}\` to allow it as it is`,
      );
    } else {
      reportUnknownPolicies(value, options.diagnostics);
      const shape = policyShape(shapeFromJsonSchema(tool.input), inputs, bound);
      const level = readPolicyLevel(value, shape, [...tools.keys()], options);
      recordFallback(level, compile.record);
      names.push(name);
      if (value.entries.size === 0) continue;
      const isAgent = isAgentTool(tool);
      const tighten = (base: ToolPolicy, diagnostics: Diagnostics): ToolPolicy => {
        const policy = tightenPolicy(base, level, name, shape, diagnostics);
        reportContradictions({ tool: name, node: value, policy, isAgent }, diagnostics);
        return policy;
      };
      if (tool.policies === undefined)
        policies.set(name, tighten(tool.policy, options.diagnostics));
      else tightened.set(name, tightenSet(tool.policies, tighten, options.diagnostics));
    }
  }
  for (const [name, { once }] of tightened) policies.set(name, once);
  return { names, policies, tightened };
}

function fromList(
  items: readonly SpecNode[],
  isSampled: boolean,
  context: ToolsContext,
): readonly string[] {
  const { tools, options, compile } = context;
  const picked = new Set<string>();
  for (const item of items) {
    const text = readText(item, options.diagnostics);
    if (text === undefined) continue;
    if (!text.includes("*")) {
      compile.record.use("tool", text, item);
      if (tools.has(text)) picked.add(text);
      else reportUnknownTool(text, item, context);
      continue;
    }
    const pattern = new RegExp(
      `^${text
        .split("*")
        .map((part) => part.replaceAll(/[\\^$.|?+()[\]{}]/g, "\\$&"))
        .join(".*")}$`,
    );
    const matched = [...tools.keys()].filter((name) => pattern.test(name));
    if (matched.length === 0)
      options.diagnostics.error(
        "LW-TOOL-GLOB",
        item,
        `\`${text}\` matches no tool of this spec`,
        listOf(tools),
      );
    if (isSampled) reportOnce(item, text, matched, context);
    for (const name of matched) picked.add(name);
  }
  return [...tools.keys()].filter((name) => picked.has(name));
}

function reportOnce(
  at: SpecNode,
  said: string,
  names: readonly string[],
  { tools, options }: ToolsContext,
): void {
  const once = names.filter((name) => tools.get(name)?.policy.effect === "once");
  if (once.length === 0) return;
  const message = `\`${said}\` includes \`${once.join("`, `")}\`, which must not run more often than said, in branches that run at once`;
  options.diagnostics.error(
    "LW-TOOL-ONCE-IN-FAN-OUT",
    at,
    message,
    `list by name what may run: \`tools: [${once.join(", ")}]\`, or write \`tools: read\``,
  );
}

/** A tool of the stage, and the tool that stands in when it fails. */
interface StandIn {
  readonly tool: string;
  readonly other: ToolEntry;
}

function standInsOf({ names, policies }: Selection, { tools }: ToolsContext): readonly StandIn[] {
  return names.flatMap((tool) => {
    const fallback = (policies.get(tool) ?? tools.get(tool)?.policy)?.fallback;
    const other =
      fallback !== undefined && "tool" in fallback ? tools.get(fallback.tool) : undefined;
    return other === undefined ? [] : [{ tool, other }];
  });
}

/** What stands in is reached as if it were listed: the rules of listing hold for it too. */
function reportStandIns(
  standIns: readonly StandIn[],
  { names }: Selection,
  { node, at, isSampled }: StageToolsSetting,
  { options }: ToolsContext,
): void {
  const isReadOnly = node?.kind === "scalar" && node.value === "read";
  for (const { tool, other } of standIns) {
    const { effect } = other.policy;
    const reached = `\`${tool}\` has \`${other.name}\` as its fallback, which acts (effect ${effect})`;
    if (isReadOnly && effect !== "read")
      options.diagnostics.error(
        "LW-TOOL-EFFECT",
        node,
        `${reached}; this stage may only read`,
        `list the tools by name, \`${other.name}\` among them, or give \`${tool}\` a text`,
      );
    else if (isSampled && effect === "once" && !names.includes(other.name))
      options.diagnostics.error(
        "LW-TOOL-ONCE-IN-FAN-OUT",
        node ?? at,
        `${reached} and must not run more often than said, in branches that run at once`,
        `list \`${other.name}\` by name under \`tools\` of the stage, or give \`${tool}\` a text`,
      );
  }
}

function reportUnknownTool(name: string, at: SpecNode, { tools, options }: ToolsContext): void {
  options.diagnostics.error(
    "LW-TOOL-UNKNOWN",
    at,
    `\`tools\` of this spec lists no \`${name}\``,
    didYouMean(name, tools.keys()) ?? listOf(tools),
  );
}

function listOf(tools: ReadonlyMap<string, ToolEntry>): string {
  return tools.size === 0
    ? "this spec lists no tools"
    : `tools here: ${[...tools.keys()].join(", ")}`;
}
