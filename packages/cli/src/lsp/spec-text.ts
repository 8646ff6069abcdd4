import { nearestName } from "../nearest-name.ts";

/** Whether a YAML document is a spec: it says so, or its outermost keys do; other YAML is nothing to this server. */
export function isSpecText(text: string): boolean {
  return (
    /^["']?apiVersion["']?[ \t]*:[ \t]*["']?loopwright/mu.test(text) ||
    /^# yaml-language-server:.*loopwright/mu.test(text) ||
    isMisspeltSpec(text)
  );
}

/** Whether only a slip in the `apiVersion` keeps a document from saying that it is a spec. */
function isMisspeltSpec(text: string): boolean {
  const keys = new Set<string>();
  for (const [, key = ""] of text.matchAll(OUTERMOST_KEY)) keys.add(key);
  if (!keys.has("strategy") || FOREIGN_KEYS.some((key) => keys.has(key))) return false;
  const isNear = [...keys].some(
    (key) => key.length > "version".length && nearestName(key, ["apiVersion"]) !== undefined,
  );
  return isNear && USUAL_KEYS.some((key) => keys.has(key));
}

const OUTERMOST_KEY = /^["']?([A-Za-z][\w-]*)["']?[ \t]*:(?=\s|$)/gmu;
const USUAL_KEYS: readonly string[] = ["name", "model", "models", "task", "tools", "extends"];
/** Kubernetes says what a document is by its kind. */
const FOREIGN_KEYS: readonly string[] = ["kind", "metadata", "spec", "services", "jobs"];
