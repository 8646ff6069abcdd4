import type { Limits, SwitchEntry } from "../program/program.ts";
import { labelOf, shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readText } from "../spec/document/read-scalar.ts";
import type { DiagnosticCode } from "../spec/text/diagnostic-codes.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";
import type { SymbolKind } from "./spec-index.ts";
import type { CompileContext } from "./compile-context.ts";
import { compileLimits, LIMIT_KEYS } from "./compile-limits.ts";
import { amountOf } from "./limit-text.ts";

/** What switches may name. */
export interface Switchable {
  readonly stages: readonly string[];
  readonly tools: readonly string[];
  /** The limits of the spec, which a switch may only lower. */
  readonly limits: Limits;
}

const switchKeys: readonly string[] = ["stages", "tools", "limits"];

/** Reads `switches`: what may be turned off, or bounded more tightly, on a live run. */
export function compileSwitches(
  node: SpecNode | undefined,
  known: Switchable,
  options: OptionsContext,
  context: CompileContext,
): ReadonlyMap<string, SwitchEntry> | undefined {
  const { diagnostics } = context;
  if (node === undefined) return undefined;
  if (node.kind !== "map") {
    const message = `\`switches\` is a map of names, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-MAP-EXPECTED", node, message, "write { NAME: { tools: [...] } }");
    return undefined;
  }
  const switches = new Map<string, SwitchEntry>();
  for (const [name, { key, value }] of node.entries) {
    context.record.use("switch", name, key, true);
    const found = value.kind === "map" ? compileSwitch(value, known, options, context) : undefined;
    if (found !== undefined) switches.set(name, found);
    if (value.kind !== "map") {
      const message = `the switch \`${name}\` is a map of stages, tools and limits, not ${shownValue(value)}`;
      diagnostics.error(
        "LW-VALUE-MAP-EXPECTED",
        value,
        message,
        `write \`${name}: { tools: [...] }\``,
      );
    }
  }
  return switches;
}

function compileSwitch(
  node: MapNode,
  known: Switchable,
  options: OptionsContext,
  context: CompileContext,
): SwitchEntry {
  const { diagnostics } = context;
  for (const [key, { key: at }] of node.entries) {
    if (switchKeys.includes(key)) continue;
    const repair = didYouMean(key, switchKeys) ?? `known: ${switchKeys.join(", ")}`;
    diagnostics.error("LW-SPEC-UNKNOWN-KEY", at, `a switch has no \`${key}\``, repair);
  }
  const limits = compileLimits(entry(node, "limits"), options);
  reportLimits(entry(node, "limits"), limits, known.limits, context);
  const isEmpty = [...node.entries.values()].every(({ value }) => sizeOf(value) === 0);
  if (isEmpty) {
    const message = `the switch \`${labelOf(node)}\` turns nothing off and lowers no limit`;
    diagnostics.error("LW-SPEC-SWITCH", node, message, "name stages, tools or limits in it");
  }
  const names = (kind: "stage" | "tool", all: readonly string[]): readonly string[] =>
    readNames(entry(node, `${kind}s`), kind, all, context);
  return { stages: names("stage", known.stages), tools: names("tool", known.tools), limits };
}

function sizeOf(node: SpecNode): number {
  if (node.kind === "scalar") return 1;
  return node.kind === "list" ? node.items.length : node.entries.size;
}

const unknownCodes: Readonly<Record<"stage" | "tool", DiagnosticCode>> = {
  stage: "LW-STAGE-UNKNOWN-ID",
  tool: "LW-TOOL-UNKNOWN",
};

function readNames(
  node: SpecNode | undefined,
  kind: SymbolKind & ("stage" | "tool"),
  known: readonly string[],
  context: CompileContext,
): readonly string[] {
  const { diagnostics } = context;
  if (node === undefined) return [];
  if (node.kind !== "list") {
    const repair = node.kind === "scalar" ? `write \`${kind}s: [${node.text}]\`` : undefined;
    const message = `\`${kind}s\` is a list of names, not ${shownValue(node)}`;
    diagnostics.error("LW-VALUE-LIST-EXPECTED", node, message, repair);
    return [];
  }
  const names = new Set<string>();
  for (const item of node.items) {
    const name = readText(item, diagnostics);
    if (name === undefined) continue;
    context.record.use(kind, name, item, false);
    if (known.includes(name)) names.add(name);
    else {
      const listed =
        known.length === 0 ? `this spec has no ${kind}s` : `${kind}s here: ${known.join(", ")}`;
      const message = `no ${kind} of this spec is called \`${name}\``;
      diagnostics.error(unknownCodes[kind], item, message, didYouMean(name, known) ?? listed);
    }
  }
  return [...names];
}

function reportLimits(
  node: SpecNode | undefined,
  limits: Limits,
  base: Limits,
  { diagnostics }: CompileContext,
): void {
  if (node?.kind !== "map") return;
  for (const [key, field] of LIMIT_KEYS) {
    const [said, was] = [limits[field], base[field]];
    if (said === undefined || was === undefined || said < was) continue;
    const message =
      said === was
        ? `\`${key}\` is ${amountOf(field, was)} already; the switch changes nothing`
        : `a switch may only lower a limit: \`${key}\` is ${amountOf(field, was)}, and ${amountOf(field, said)} would raise it`;
    const repair = `write less than ${amountOf(field, was)}, or delete it`;
    diagnostics.error("LW-SPEC-SWITCH", entry(node, key) ?? node, message, repair);
  }
}
