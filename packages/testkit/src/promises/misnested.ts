import type { RunEvent } from "@loopwright/core";

/** Names every scope that ends while one inside it is open, and every event of a scope that is not open; empty when all nests. */
export function misnested(events: readonly RunEvent[]): readonly string[] {
  const open = new Map<string, string>();
  const faults: string[] = [];
  for (const { name, spanId, parentId } of events) {
    if (name.endsWith(".start")) {
      if (parentId !== "" && !open.has(parentId))
        faults.push(`${spanId} starts outside ${parentId}`);
      open.set(spanId, parentId);
    } else if (name.endsWith(".end")) {
      for (const [inner, outer] of open)
        if (outer === spanId) faults.push(`${spanId} ends before ${inner}`);
      open.delete(spanId);
    }
  }
  return faults;
}
