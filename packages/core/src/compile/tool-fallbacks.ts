import type { IndexRecorder } from "./index-recorder.ts";
import type { PolicyLevel } from "./tool-policy.ts";
import type { ToolEntry } from "../program/program.ts";
import type { NamedEntry } from "../spec/document/named-entries.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { entry } from "../spec/text/spec-node.ts";

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
