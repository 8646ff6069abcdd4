import type { Json, JsonSchema } from "../contracts/json.ts";
import { below, CoercionNotes } from "./coercion-notes.ts";
import { type CoercionContext, convertTo } from "./coerce-text.ts";
import {
  type Draft,
  type DraftObject,
  isDraftList,
  isDraftObject,
  LooseText,
  sameDraft,
} from "./draft.ts";
import { foldedChoice } from "./fold-choice.ts";
import { ReadFault } from "./read-fault.ts";
import { asSchema, choicesOf, fitsPart, followRef, typeOfValue, typesOf } from "./schema-part.ts";
import { settleDraft, writtenText } from "./settle-draft.ts";
import type { StepBudget } from "./step-budget.ts";

const maxRounds = 3;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/**
 * Makes a draft fit a schema where nothing is lost by it; the value may still not fit.
 *
 * Only what does not fit is changed, in a copy. Two ways to fit are an ambiguity, told by a {@link ReadFault}.
 */
export function coerceDraft(
  draft: Draft,
  schema: JsonSchema,
  path: string,
  context: CoercionContext,
): Draft {
  context.budget.spend(1);
  const part = followRef(schema, context.root);
  let value = draft;
  for (const each of listOf(part["allOf"])) value = coerceDraft(value, each, path, context);
  const options = [...listOf(part["anyOf"]), ...listOf(part["oneOf"])];
  if (options.length > 0) value = coerceToOption(value, options, path, context);
  value = coerceType(value, part, path, context);
  value = coerceChoice(value, part, path, context);
  if (isDraftObject(value)) return coerceMembers(value, part, path, context);
  return isDraftList(value) ? coerceItems(value, part, path, context) : value;
}

function listOf(part: Json | undefined): readonly JsonSchema[] {
  return Array.isArray(part) ? part.map(asSchema).filter((each) => each !== undefined) : [];
}

/** The value in the one form that fits one of the options; as it is where it fits already, or where none does. */
function coerceToOption(
  draft: Draft,
  options: readonly JsonSchema[],
  path: string,
  context: CoercionContext,
): Draft {
  const plain = settleDraft(draft);
  if (plain !== undefined && options.some((option) => fitsPart(plain, option, context.root)))
    return plain;
  const found: { value: Json; notes: CoercionNotes }[] = [];
  for (const option of options) {
    const notes = new CoercionNotes();
    const value = tryOption(draft, option, path, { ...context, notes });
    const isOther = value !== undefined && !found.some((other) => sameDraft(other.value, value));
    if (isOther) found.push({ value, notes });
  }
  const [only] = found;
  if (found.length > 1)
    throw new ReadFault(
      "ambiguous",
      "the value can be read as more than one of the allowed forms",
      path,
    );
  if (only === undefined) return draft;
  context.notes.list.push(...only.notes.list);
  return only.value;
}

function tryOption(
  draft: Draft,
  option: JsonSchema,
  path: string,
  context: CoercionContext,
): Json | undefined {
  try {
    const value = settleDraft(coerceDraft(draft, option, path, context));
    return value !== undefined && fitsPart(value, option, context.root) ? value : undefined;
  } catch (fault) {
    if (fault instanceof ReadFault && fault.code === "schema") return undefined;
    throw fault;
  }
}

function coerceType(
  draft: Draft,
  schema: JsonSchema,
  path: string,
  context: CoercionContext,
): Draft {
  const types = typesOf(schema);
  if (types === undefined) return draft;
  let value = draft;
  for (let round = 0; round < maxRounds && !isOfType(value, types); round++) {
    const next = convert(value, types, path, context);
    if (next === undefined) break;
    context.notes.add(ruleOf(value, next), path, written(value), written(next));
    value = next;
  }
  return value;
}

function convert(
  draft: Draft,
  types: readonly string[],
  path: string,
  context: CoercionContext,
): Draft | undefined {
  const found: Draft[] = [];
  for (const type of types) {
    const value = convertTo(type, draft, path, context);
    if (value !== undefined && !found.some((other) => sameDraft(other, value))) found.push(value);
  }
  if (found.length > 1)
    throw new ReadFault(
      "ambiguous",
      `the value can be read as more than one of ${types.join(", ")}`,
      path,
    );
  return found[0];
}

function isOfType(draft: Draft, types: readonly string[]): boolean {
  if (draft instanceof LooseText) return isLooseOfType(draft, types);
  const type = typeOfValue(draft);
  return types.includes(type) || (types.includes("integer") && Number.isInteger(draft));
}

function isLooseOfType({ kind, text }: LooseText, types: readonly string[]): boolean {
  if (kind === "word") return types.includes("string");
  if (kind !== "number") return false;
  return (
    types.includes("number") || (types.includes("integer") && Number.isSafeInteger(Number(text)))
  );
}

function coerceChoice(
  draft: Draft,
  schema: JsonSchema,
  path: string,
  context: CoercionContext,
): Draft {
  const choices = choicesOf(schema);
  if (choices === undefined) return draft;
  const text = draft instanceof LooseText ? draft.text : draft;
  if (typeof text !== "string" || choices.includes(text)) return draft;
  const found = foldedChoice(text, choices);
  if (found === "ambiguous")
    throw new ReadFault(
      "ambiguous",
      `${JSON.stringify(text)} is close to more than one allowed value`,
      path,
    );
  if (found === undefined) return draft;
  context.notes.add("to-allowed-value", path, text, found.choice);
  return found.choice;
}

function coerceMembers(
  draft: DraftObject,
  schema: JsonSchema,
  path: string,
  context: CoercionContext,
): Draft {
  const properties = asSchema(schema["properties"]) ?? {};
  const others = asSchema(schema["additionalProperties"]);
  const result: DraftObject = {};
  for (const [given, member] of Object.entries(draft)) {
    const key = visibleKey(given, draft, properties, context.budget);
    if (key !== given) context.notes.add("removed-invisible", below(path, key), given, key);
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const part = own === undefined ? others : asSchema(own);
    result[key] =
      part === undefined ? member : coerceDraft(member, part, below(path, key), context);
  }
  return result;
}

/** A key without the characters that can't be seen, where that makes it one of the schema's. */
function visibleKey(
  key: string,
  draft: DraftObject,
  properties: JsonSchema,
  budget: StepBudget,
): string {
  if (Object.hasOwn(properties, key)) return key;
  const visible = key.replaceAll(INVISIBLE, "");
  if (visible === key || !Object.hasOwn(properties, visible)) return key;
  const others = Object.keys(draft);
  budget.spend(others.length);
  return others.filter((other) => other.replaceAll(INVISIBLE, "") === visible).length === 1
    ? visible
    : key;
}

function coerceItems(
  draft: Draft[],
  schema: JsonSchema,
  path: string,
  context: CoercionContext,
): Draft {
  const first = listOf(schema["prefixItems"]);
  const items = asSchema(schema["items"]);
  return draft.map((item, index) => {
    const part = first[index] ?? items;
    return part === undefined ? item : coerceDraft(item, part, below(path, index), context);
  });
}

function written(draft: Draft): unknown {
  return settleDraft(draft) ?? writtenText(draft);
}

function ruleOf(from: Draft, to: Draft): string {
  return `${nameOf(from)}-to-${nameOf(to)}`;
}

function nameOf(draft: Draft): string {
  if (draft instanceof LooseText) return draft.kind;
  const type = typeOfValue(draft);
  if (type === "string") return "text";
  return type === "array" ? "list" : type;
}
