import { isAlias, isMap, isScalar, isSeq, parseDocument, type Node, Scalar } from "yaml";
import type { JsonSchema } from "../contracts/json.ts";
import { type Draft, type DraftObject, isDraftList, isDraftObject, LooseText } from "./draft.ts";
import { ReadFault } from "./read-fault.ts";
import { asSchema } from "./schema-part.ts";

const BOLD_KEY = /^([^\S\n]*(?:- )?)\*\*([^*\n:：]{1,80})(?:\*\*[^\S\n]*[:：]|[:：][^\S\n]*\*\*)/gm;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  "~": null,
};

/**
 * Reads block text of keys and values: block maps and lists, scalars, `|` texts and lists in one line.
 *
 * Nothing where it is something else, or where a key of the outermost map is none of the schema's.
 */
export function readBlockText(text: string, schema: JsonSchema): Draft | undefined {
  const source = text.replace(BOLD_KEY, "$1$2:").trim();
  if (!/^(?:- |[^\s:]+\s*:(?:\s|$))/m.test(source)) return undefined;
  try {
    const document = parseDocument(source, {
      uniqueKeys: true,
      schema: "core",
      logLevel: "silent",
      prettyErrors: false,
    });
    if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
    const draft = draftOf(document.contents);
    return isOfSchema(draft, schema) ? draft : undefined;
  } catch (fault) {
    if (fault instanceof ReadFault && fault.code !== "forbidden-key") return undefined;
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

function isOfSchema(draft: Draft, schema: JsonSchema): boolean {
  if (isDraftList(draft)) {
    const items = asSchema(schema["items"]);
    return (
      draft.length > 0 &&
      items !== undefined &&
      draft.every((item) => !isDraftObject(item) || isOfSchema(item, items))
    );
  }
  if (!isDraftObject(draft)) return false;
  const properties = asSchema(schema["properties"]) ?? {};
  return Object.keys(draft).every((key) => Object.hasOwn(properties, key));
}

function draftOf(node: Node | null): Draft {
  if (node === null) return null;
  if (isAlias(node) || node.tag !== undefined || ("anchor" in node && node.anchor !== undefined))
    throw new ReadFault("no-json", "anchors and tags are not read");
  if (isMap<Node, Node | null>(node)) return mapOf(node.items, node.flow === true);
  if (isSeq<Node | null>(node)) return node.items.map((item) => draftOf(item));
  if (isScalar(node)) return scalarOf(node);
  throw new ReadFault("no-json", "this is no block text");
}

function mapOf(items: readonly { key: Node; value: Node | null }[], isFlow: boolean): DraftObject {
  if (isFlow) throw new ReadFault("no-json", "a map in one line is not read");
  const object: DraftObject = {};
  for (const { key, value } of items) {
    const name = isScalar(key) ? (key.source ?? "") : "";
    if (name === "" || name === "<<") throw new ReadFault("no-json", "a key is no text");
    if (name === "__proto__")
      throw new ReadFault("forbidden-key", "the key `__proto__` is not allowed");
    object[name] = draftOf(value);
  }
  return object;
}

function scalarOf(node: Scalar): Draft {
  const source = node.source ?? "";
  if (node.type === Scalar.BLOCK_FOLDED) throw new ReadFault("no-json", "folded text is not read");
  if (node.type !== Scalar.PLAIN) return String(node.value);
  const name = source.toLowerCase();
  if (Object.hasOwn(LITERALS, name)) return LITERALS[name] ?? null;
  if (!NUMBER.test(source)) return source === "" ? null : source;
  return String(Number(source)) === source ? Number(source) : new LooseText("number", source);
}
