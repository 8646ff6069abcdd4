import type { JsonSchema } from "../contracts/json.ts";
import type { IndexRecorder } from "./index-recorder.ts";
import type { PolicyLevel } from "./tool-policy.ts";
import type { ToolEntry } from "../program/program.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { propertiesOf } from "../spec/document/schema-parts.ts";
import { entry } from "../spec/text/spec-node.ts";
import { didYouMean } from "../spec/text/suggest.ts";

/** Reports tools whose fallbacks lead back to themselves. */
export function reportFallbackCircles(
  entries: readonly NamedEntry[],
  tools: ReadonlyMap<string, ToolEntry>,
  diagnostics: Diagnostics,
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
        diagnostics.error("LW-TOOL-FALLBACK", at, message, "end the chain with a text");
        break;
      }
      way.push(next);
    }
  }
}

/** Reports tools whose stand-in can't be called with their arguments. */
export function reportUnfitFallbacks(
  entries: readonly NamedEntry[],
  tools: ReadonlyMap<string, ToolEntry>,
  diagnostics: Diagnostics,
): void {
  for (const said of entries) {
    const tool = tools.get(said.name);
    const other = tools.get(standInOf(said.name, tools) ?? "");
    if (tool === undefined || other === undefined) continue;
    // What a set takes, or a tool that has faults of its own, is not known.
    if (tool.definition.set !== undefined || tool.input["type"] === undefined) continue;
    const taken = propertiesOf(tool.input);
    const missing = requiredOf(other.input).filter((name) => !taken.has(name));
    if (missing.length === 0) continue;
    const message = `\`${other.name}\` can't stand in for \`${said.name}\`: it needs \`${missing.join("`, `")}\`, which \`${said.name}\` does not take`;
    diagnostics.error(
      "LW-TOOL-FALLBACK",
      entry(said.body, "fallback") ?? said.at,
      message,
      "name a tool that takes the same arguments, or write a text",
    );
  }
}

function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

/** Warns of a fallback that reads as a text, and is nearly the name of a tool. */
export function reportNearFallback(
  { said, node }: PolicyLevel,
  names: readonly string[],
  diagnostics: Diagnostics,
): void {
  const at = entry(node, "fallback");
  if (at === undefined || said.fallback === undefined || !("text" in said.fallback)) return;
  const { text } = said.fallback;
  // A tool of a set is told apart.
  const isOfSet = names.some((name) => text.startsWith(`${name}/`));
  const near = /^[\w./-]+$/.test(text) && !isOfSet ? didYouMean(text, names) : undefined;
  if (near === undefined) return;
  const message = `no tool of this spec is called \`${text}\`, so the word itself is what the model reads`;
  diagnostics.warn("LW-TOOL-FALLBACK", at, message, near);
}

/** Notes the tool that a policy names as the fallback of another. */
export function recordFallback({ said, node }: PolicyLevel, record: IndexRecorder): void {
  const { fallback } = said;
  const at = entry(node, "fallback");
  if (fallback !== undefined && "tool" in fallback && at !== undefined)
    record.use("tool", fallback.tool, at);
}

function standInOf(name: string, tools: ReadonlyMap<string, ToolEntry>): string | undefined {
  const fallback = tools.get(name)?.policy.fallback;
  return fallback !== undefined && "tool" in fallback ? fallback.tool : undefined;
}
