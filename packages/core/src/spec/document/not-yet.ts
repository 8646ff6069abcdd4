import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";

/** Reports a part of the language that this version knows and cannot run, so that it is never silently ignored. */
export function reportNotYet(node: SpecNode, name: string, diagnostics: Diagnostics): void {
  const message = `\`${name}\` is part of the language, but this version cannot run it yet`;
  diagnostics.error("LW-SPEC-NOT-YET", node, message, `delete \`${name}\``);
}
