import type { MapNode, SpecNode } from "../text/spec-node.ts";
import { without } from "./named-entries.ts";
import { textOf } from "./node-text.ts";

// What means the same to every provider.
const shared: ReadonlySet<string> = new Set([
  "use",
  "temperature",
  "maxTokens",
  "effort",
  "fallback",
  "timeout",
  "retry",
  "breaker",
]);

/**
 * The map of a model below one that says another `use`, without what belonged to the model that `use` named: its price,
 * and where the provider is another one, all that was meant for that provider. A key must not go to another endpoint.
 */
export function withoutStaleParts(below: MapNode, use: SpecNode | undefined): MapNode {
  const before = below.entries.get("use")?.value;
  if (use === undefined || before === undefined) return below;
  const [then = "", now = ""] = [textOf(before), textOf(use)];
  if (then === now) return below;
  const isSameProvider = providerOf(then) === providerOf(now);
  const stale = isSameProvider
    ? ["price"]
    : [...below.entries.keys()].filter((key) => !shared.has(key));
  return without(below, stale);
}

/** Whether a path leads to a model: the spec's or a stage's own, one of its voices, or a role. */
export function isModelPath(path: readonly string[]): boolean {
  const [first, , ...rest] = path;
  if (first === "model") return path.length <= 2;
  return first === "models" && path.length > 1 && rest.length === 0;
}

function providerOf(use: string): string {
  return use.slice(0, Math.max(0, use.indexOf("/")));
}
