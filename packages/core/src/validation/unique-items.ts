import type { FuncKeywordDefinition, SchemaValidateFunction } from "ajv";

const judge: SchemaValidateFunction = (isUnique: unknown, items: unknown): boolean => {
  if (isUnique !== true) return true;
  const places = new Map<string, number>();
  for (const [index, item] of (items as readonly unknown[]).entries()) {
    const text = canonicalText(item);
    const before = places.get(text);
    if (before === undefined) {
      places.set(text, index);
      continue;
    }
    const message = `must NOT have duplicate items (items ## ${before} and ${index} are identical)`;
    judge.errors = [{ keyword: "uniqueItems", message, params: { i: index, j: before } }];
    return false;
  }
  return true;
};

/** `uniqueItems` in a time that grows with the list, not with its square. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: "uniqueItems",
  type: "array",
  schemaType: "boolean",
  errors: true,
  validate: judge,
};

/** The same text for values that are equal, in whatever order their fields stand. */
function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? typeof value;
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item)).join(",")}]`;
  const fields = Object.entries(value).map(
    ([name, field]) => `${JSON.stringify(name)}:${canonicalText(field)}`,
  );
  return `{${fields.toSorted().join(",")}}`;
}
