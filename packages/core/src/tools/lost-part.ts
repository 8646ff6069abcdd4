/** A part of an output that JSON would lose or turn into something else, in words; undefined where all of it can be written. */
export function lostPart(output: unknown): string | undefined {
  return lostIn(output, "", []);
}

function lostIn(value: unknown, path: string, around: readonly object[]): string | undefined {
  const what = lostKind(value);
  if (what !== undefined) return `${path === "" ? "the output" : `\`${path}\``} is ${what}`;
  if (typeof value !== "object" || value === null || hasOwnForm(value)) return undefined;
  if (around.includes(value)) return `\`${path}\` holds itself`;
  // What is nested deeper than that is left to the writer of JSON.
  if (around.length > maxDepth) return undefined;
  const inner = [...around, value];
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const lost = lostIn(item, `${path}[${index}]`, inner);
      if (lost !== undefined) return lost;
    }
    return undefined;
  }
  for (const [key, member] of Object.entries(value)) {
    const lost = lostIn(member, path === "" ? key : `${path}.${key}`, inner);
    if (lost !== undefined) return lost;
  }
  return undefined;
}

const maxDepth = 200;

function lostKind(value: unknown): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object":
      return value === null || hasOwnForm(value) ? undefined : lostClass(value);
    default:
      return undefined;
  }
}

/** The class of an object whose content is not in its own members. */
function lostClass(value: object): string | undefined {
  for (const one of [Map, Set, WeakMap, WeakSet, Promise, RegExp, ArrayBuffer])
    if (value instanceof one) return `a ${one.name}`;
  return value instanceof Error ? "an Error" : undefined;
}

/** True for what says itself how it is written, as a date does. */
function hasOwnForm(value: object): boolean {
  return typeof (value as { readonly toJSON?: unknown }).toJSON === "function";
}
