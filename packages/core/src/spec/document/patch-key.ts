/** What a key of a patch does: set or merge a value, add to a list or map, or remove from it by name. */
export interface PatchKey {
  readonly key: string;
  readonly does: "set" | "add" | "remove";
}

const marked = /^([a-z][A-Za-z0-9]*)([+-])$/;

/** Reads a key of a patch: `tools`, `tools+` or `tools-`. */
export function patchKey(text: string): PatchKey {
  const [, key, mark] = marked.exec(text) ?? [];
  if (key === undefined) return { key: text, does: "set" };
  return { key, does: mark === "+" ? "add" : "remove" };
}

/** Maps whose keys, at any depth, are names or data, or are patches of something else: `C+` is a term there. */
const data: ReadonlySet<string> = new Set([
  "examples",
  "fields",
  "glossary",
  "headers",
  "input",
  "inputs",
  "overlays",
  "schema",
]);

/** Whether what stands below a key is looked at for `key+` and `key-`. */
export function holdsPatchKeys(key: string): boolean {
  return !data.has(key);
}
