/** The keyword by which a schema from outside counts how often its references are followed. */
export const COUNTED: string = "loopwright:counted";

const atFirst = 10_000;
const forEachPart = 20;
const maxParts = 50_000;

/** Thrown where a value takes more steps to check than its size accounts for. */
export class BudgetError extends Error {}

// A value is checked synchronously, one after the other.
let checked: unknown;
let left = 0;
let isExtended = false;

/** Begins to count for a value. */
export function openBudget(value: unknown): void {
  checked = value;
  left = atFirst;
  isExtended = false;
}

/** Counts a reference that is followed; throws once there were too many for the value. */
export function countReference(): boolean {
  left -= 1;
  if (left >= 0) return true;
  // Most values need no more; only for the others is their size counted.
  if (isExtended) throw new BudgetError();
  isExtended = true;
  left = forEachPart * partsOf(checked);
  return true;
}

/** The schema in this text, with the count at each of its references. */
export function countedCopy(text: string): Record<string, unknown> {
  return JSON.parse(text, (_, part: unknown) => {
    if (typeof part !== "object" || part === null) return part;
    const schema = part as Record<string, unknown>;
    if (typeof schema["$ref"] === "string" || typeof schema["$recursiveRef"] === "string")
      schema[COUNTED] = true;
    return part;
  }) as Record<string, unknown>;
}

/** How many values are in a value, up to a bound. */
function partsOf(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0 && count < maxParts) {
    const part = open.pop();
    count += 1;
    if (typeof part !== "object" || part === null) continue;
    for (const inner of Object.values(part)) open.push(inner);
  }
  return count;
}
