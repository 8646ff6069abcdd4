import type { Json } from "../contracts/json.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";

const addressPattern = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

/** An address without its user, password and query; any other text as it is. */
export function shownAddress(text: string): string {
  if (!addressPattern.test(text)) return text;
  return text
    .replace(/(:\/\/)[^/?#]*@/, "$1[secret]@")
    .replace(/[?#].*$/s, (tail) => (tail.length === 1 ? tail : `${tail[0]}[secret]`));
}

/** Whether a text is one `${secret:NAME}`, which tells nothing. */
export function isOneSecret(text: string): boolean {
  return /^\$\{secret:\w+\}$/.test(text);
}

/** What a value of a spec is shown as: an address from a variable by the variable, a value that can't be read as null. */
export function shownJson(node: SpecNode): Json {
  if (node.kind === "list") return node.items.map(shownJson);
  if (node.kind === "map")
    return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, shownJson(value)]));
  if (node.isNull === true || (node.isUnset === true && node.text === "")) return null;
  const { value, text, env } = node;
  if (typeof value !== "string" || !addressPattern.test(value)) return value;
  if (env !== undefined) return `\${env:${env}}`;
  return shownAddress(text.includes("${env:") ? text.replaceAll(/^["']|["']$/g, "") : value);
}

/** Every address that variables give, whole or in part, and what is shown in its place. */
export function addressesFromVariables(root: SpecNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (node: SpecNode): void => {
    if (node.kind === "list") node.items.forEach(visit);
    else if (node.kind === "map") for (const { value } of node.entries.values()) visit(value);
    else if (typeof node.value === "string" && node.text.includes("${env:")) {
      const shown = shownJson(node);
      if (typeof shown === "string" && shown !== node.value) found.set(node.value, shown);
    }
  };
  visit(root);
  return found;
}
