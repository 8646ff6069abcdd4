import type { Diagnostics } from "../text/diagnostic.ts";
import { holdsSubstitution } from "../text/holds-substitution.ts";
import type { ScalarNode, SpecNode } from "../text/spec-node.ts";
import { labelOf } from "./node-text.ts";

// An escaped one, `$${secret:…}`, is literal text.
const secretPattern = /(^|[^$])\$\{secret:[^}]*\}/;

/** Whether a value is a text with a live `${secret:…}`. */
export function holdsSecret(node: SpecNode): boolean {
  if (node.kind !== "scalar" || typeof node.value !== "string") return false;
  // Every text of a spec is asked, and few hold a `$`.
  return node.value.includes("${secret:") && secretPattern.test(node.value);
}

/** Every text below a node that holds a live `${secret:…}`, in the order of the file. */
export function secretHolders(root: SpecNode): readonly ScalarNode[] {
  const found: ScalarNode[] = [];
  const look = (node: SpecNode): void => {
    if (!holdsSubstitution(node)) return;
    if (node.kind === "list") for (const item of node.items) look(item);
    else if (node.kind === "map") for (const { value } of node.entries.values()) look(value);
    else if (holdsSecret(node)) found.push(node);
  };
  look(root);
  return found;
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
    "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
  );
  return true;
}
