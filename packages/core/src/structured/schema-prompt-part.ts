import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { mergeSchemas } from "./dialects/merge-schemas.ts";
import { isAnnotation, isList, isObject, resolvePointer } from "./dialects/schema-reading.ts";

/** A part of a schema with what it refers to and joins put together. */
export interface PromptPart {
  readonly schema: JsonObject;
  /** The alternatives of a union, each with what stands beside it. */
  readonly branches?: readonly Json[];
  /** References that were followed to get here. */
  readonly through: readonly string[];
  /** A reference that was followed before: the part repeats what contains it. */
  readonly again?: string;
}

/** Puts together what a part of a schema says, whether by itself, by reference or by `allOf`. */
export function readPromptPart(
  root: JsonSchema,
  given: Json,
  through: readonly string[],
): PromptPart {
  let schema: JsonObject = isObject(given) ? given : {};
  let followed = through;
  for (let turn = 0; turn < 50; turn += 1) {
    const { $ref: reference, ...others } = schema;
    if (typeof reference === "string") {
      if (followed.includes(reference))
        return { schema: others, through: followed, again: reference };
      followed = [...followed, reference];
      const target = resolvePointer(root, reference);
      schema = isObject(target) ? mergeSchemas(others, target).schema : others;
      continue;
    }
    const { allOf, ...own } = schema;
    if (allOf === undefined || !isList(allOf)) break;
    schema = allOf.reduce<JsonObject>(
      (sum, part) => (isObject(part) ? mergeSchemas(sum, part).schema : sum),
      own,
    );
  }
  return { ...splitUnion(schema), through: followed };
}

function splitUnion(schema: JsonObject): Pick<PromptPart, "schema" | "branches"> {
  const keyword = schema["anyOf"] === undefined ? "oneOf" : "anyOf";
  const { [keyword]: branches, ...siblings } = schema;
  if (branches === undefined || !isList(branches)) return { schema };
  const shared = Object.fromEntries(
    Object.entries(siblings).filter(([name]) => !isAnnotation(name)),
  );
  const merged = branches.flatMap((branch): readonly Json[] => {
    if (branch === false) return [];
    if (!isObject(branch)) return [shared];
    const both = mergeSchemas(branch, shared);
    return both.isEmpty ? [] : [both.schema];
  });
  const words = Object.entries(siblings).filter(([name]) => isAnnotation(name));
  return { schema: Object.fromEntries(words), branches: merged };
}
