import { mapFormOf } from "../spec/document/named-form.ts";
import { shownValue, textOf } from "../spec/document/node-text.ts";
import { type Diagnostic, Diagnostics } from "../spec/text/diagnostic.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { Program } from "../program/program.ts";
import type { VariantStep } from "./compile-variants.ts";

/** What a spec is made of, layer by layer. */
export interface Layers {
  /** What each file makes of those below it, the lowest first. */
  readonly layers: readonly { readonly file: string; readonly node: MapNode }[];
  readonly steps: readonly VariantStep[];
}

/**
 * Adds a warning for every approval that a layer asks for less often than what it lies over: an overlay, a file that
 * extends another one, a tool under `toolPolicy`. It says more than the same warning of the tool alone, and stands for it.
 */
export function withLoosened(
  found: readonly Diagnostic[],
  made: Layers,
  program: Program | undefined,
): readonly Diagnostic[] {
  const diagnostics = new Diagnostics();
  for (const [at, { node, file }] of made.layers.entries()) {
    const below = made.layers[at - 1]?.node;
    if (below !== undefined) compare(below, node, `the file ${file}`, { program, diagnostics });
  }
  for (const [at, { node, layer }] of made.steps.entries()) {
    const below = made.steps[at - 1]?.node;
    if (below !== undefined) compare(below, node, layer, { program, diagnostics });
  }
  const whole = made.steps.at(-1)?.node;
  if (whole !== undefined) compareLevels(whole, diagnostics);
  const told = new Set(diagnostics.items.map(placeOf));
  return [...diagnostics.items, ...found.filter((item) => !told.has(placeOf(item)))];
}

function placeOf({ file, line, column, code }: Diagnostic): string {
  return `${file}:${line}:${column} ${code}`;
}

interface Comparison {
  readonly program: Program | undefined;
  readonly diagnostics: Diagnostics;
}

type Key = "approval" | "deny";

const keys: readonly Key[] = ["approval", "deny"];

/** Compares what is in force for every tool that two layers have. */
function compare(below: MapNode, above: MapNode, layer: string, comparison: Comparison): void {
  const { program, diagnostics } = comparison;
  const tools = toolsOf(above);
  for (const name of toolsOf(below).keys()) {
    if (!tools.has(name)) continue;
    for (const key of keys) {
      const was = inForce(below, name, key);
      const is = inForce(above, name, key);
      if (was === undefined || is === was || !isLooser(key, was, is)) continue;
      // Without a line of the spec the plugin's own rule holds, which may ask as often.
      if (is === undefined && isAlways(program, name, key)) continue;
      const at = is ?? placeOfChange(below, above, name) ?? was;
      diagnostics.warn(
        "LW-TOOL-LOOSENED-APPROVAL",
        at,
        messageOf(layer, name, key, was),
        repair(key),
      );
    }
  }
}

/** Compares what a tool says of itself with what `toolPolicy` says of all. */
function compareLevels(node: MapNode, diagnostics: Diagnostics): void {
  const shared = entry(node, "toolPolicy");
  if (shared?.kind !== "map") return;
  const was = entry(shared, "approval");
  if (was === undefined) return;
  for (const [name, body] of toolsOf(node)) {
    const own = body.kind === "map" ? entry(body, "approval") : undefined;
    if (own === undefined || !isLooser("approval", was, own)) continue;
    const message = messageOf(`\`tools.${name}\``, name, "approval", was);
    diagnostics.warn("LW-TOOL-LOOSENED-APPROVAL", own, message, repair("approval"));
  }
}

function messageOf(layer: string, name: string, key: Key, was: SpecNode): string {
  const place = `${was.file}:${was.line}`;
  return key === "approval"
    ? `${layer} loosens the approval of \`${name}\` (was ${wordsOf(was)}, ${place})`
    : `${layer} takes the \`deny\` of \`${name}\` away (was ${wordsOf(was)}, ${place})`;
}

function repair(key: Key): string {
  return key === "approval"
    ? "say `approval` as it was, or keep it so on purpose"
    : "say `deny` again, or keep it so on purpose";
}

function isAlways(program: Program | undefined, name: string, key: Key): boolean {
  return key === "approval" && program?.tools.get(name)?.policy.approval === "always";
}

function toolEntries(node: MapNode): MapNode["entries"] {
  const said = entry(node, "tools");
  const map = said?.kind === "list" ? mapFormOf(said) : said;
  return map?.kind === "map" ? map.entries : new Map();
}

function toolsOf(node: MapNode): ReadonlyMap<string, SpecNode> {
  return new Map([...toolEntries(node)].map(([name, { value }]) => [name, value]));
}

function toolKeys(node: MapNode): ReadonlyMap<string, SpecNode> {
  return new Map([...toolEntries(node)].map(([name, { key }]) => [name, key]));
}

/** What holds for a tool: its own line, else that of `toolPolicy`. */
function inForce(node: MapNode, name: string, key: Key): SpecNode | undefined {
  const body = toolsOf(node).get(name);
  const own = body?.kind === "map" ? entry(body, key) : undefined;
  const shared = entry(node, "toolPolicy");
  return own ?? (shared?.kind === "map" ? entry(shared, key) : undefined);
}

const strictness: Readonly<Record<string, number>> = { never: 0, always: 2 };

function isLooser(key: Key, was: SpecNode, is: SpecNode | undefined): boolean {
  if (key === "deny") return is === undefined;
  return strictnessOf(is) < strictnessOf(was);
}

function strictnessOf(node: SpecNode | undefined): number {
  if (node === undefined) return 0;
  return node.kind === "map" ? 1 : (strictness[textOf(node) ?? ""] ?? 0);
}

function wordsOf(node: SpecNode): string {
  const when = node.kind === "map" ? entry(node, "when") : undefined;
  if (when === undefined) return node.kind === "scalar" ? node.text : shownValue(node);
  return `when ${when.kind === "scalar" ? when.text : shownValue(when)}`;
}

/** Where a layer took a line away: the tool as it says it anew, or its own `toolPolicy`. */
function placeOfChange(below: MapNode, above: MapNode, name: string): SpecNode | undefined {
  const key = toolKeys(above).get(name);
  if (key !== undefined && key !== toolKeys(below).get(name)) return key;
  const shared = entry(above, "toolPolicy");
  return shared === entry(below, "toolPolicy") ? undefined : shared;
}
