import { secretHolders } from "../spec/document/read-secret.ts";
import type { Position } from "../spec/text/diagnostic.ts";
import { positionOf, type SpecNode } from "../spec/text/spec-node.ts";

// `$${secret:…}` is literal text.
const secretName = /(?<!\$)\$\{secret:([^}:]+)/g;

/** Where the secrets that a spec needs are named first, by name. */
export function secretsOf(root: SpecNode): ReadonlyMap<string, Position> {
  const secrets = new Map<string, Position>();
  for (const node of secretHolders(root)) {
    for (const [, name = ""] of String(node.value).matchAll(secretName))
      if (!secrets.has(name)) secrets.set(name, positionOf(node));
  }
  return secrets;
}
