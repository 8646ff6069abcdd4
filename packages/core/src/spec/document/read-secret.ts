import type { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { labelOf } from "./node-text.ts";

// An escaped one, `$${secret:…}`, is literal text.
const secretPattern = /(^|[^$])\$\{secret:[^}]*\}/;

/** Whether a value is a text with a live `${secret:…}`. */
export function holdsSecret(node: SpecNode): boolean {
  return node.kind === "scalar" && typeof node.value === "string" && secretPattern.test(node.value);
}

/** Reports a `${secret:…}` anywhere in a value whose field is not marked secret. */
export function refuseSecret(node: SpecNode, diagnostics: Diagnostics): boolean {
  if (node.kind === "list")
    return node.items.map((item) => refuseSecret(item, diagnostics)).includes(true);
  if (node.kind === "map") {
    return [...node.entries.values()]
      .map(({ value }) => refuseSecret(value, diagnostics))
      .includes(true);
  }
  if (!holdsSecret(node)) return false;
  diagnostics.judgeSecret(node);
  const message = `\`${labelOf(node)}\` may not hold a secret: its value would reach prompts, events or logs`;
  diagnostics.error(
    "LW-SUBST-SECRET-PLACE",
    node,
    message,
    "use a field that the plugin marks as secret",
  );
  return true;
}
