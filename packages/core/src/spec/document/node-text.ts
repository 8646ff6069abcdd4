import type { ScalarNode, SpecNode } from "../text/spec-node.ts";
import { patchKey } from "./patch-key.ts";

/** The last part of a node's path, as messages name it: `maxSteps`, `constraints[0]`; of `when+` in a patch the `when` that it would set. */
export function labelOf(node: SpecNode): string {
  const match = /(?:^|\.)((?:[^.["]|\[[^\]]*\])*)$/.exec(node.path);
  const label = match?.[1] ?? node.path;
  return label === "" ? node.path || "the spec" : patchKey(label).key;
}

/** What stands at a node, for messages: its source text, or its kind. */
export function shownValue(node: SpecNode): string {
  if (node.kind === "list") return "a list";
  if (node.kind === "map") return "a map";
  if (node.isNull === true) return "null";
  const text = node.text.length > 60 ? `${node.text.slice(0, 57)}...` : node.text;
  if (text.startsWith("`") || text.includes("\n")) return "text";
  return typeof node.value === "string" && node.style === "quoted" && !/^["']/.test(text)
    ? `\`"${text}"\``
    : `\`${text}\``;
}

/** The repair of a single value: `maxSteps: 6`, or the value alone inside a list. */
export function writeInstead(node: SpecNode, value: string): string {
  const label = labelOf(node);
  return label.endsWith("]") ? `write ${value}` : `write \`${label}: ${value}\``;
}

/** The text of a scalar that holds text, or undefined. */
export function textOf(node: SpecNode | undefined): string | undefined {
  return node?.kind === "scalar" && typeof node.value === "string" && node.isNull !== true
    ? node.value
    : undefined;
}

/** Whether a node is the whole text that an environment variable gave. */
export function isFromEnvironment(node: SpecNode): node is ScalarNode & { value: string } {
  return node.kind === "scalar" && node.fromEnv === true && typeof node.value === "string";
}

/** Whether a node stands for a variable that is not set, or a file that could not be read, which is reported already. */
export function isUnset(node: SpecNode): boolean {
  return node.kind === "scalar" && node.isUnset === true;
}
