import type { Json, JsonSchema } from "../../contracts/json.ts";
import { Diagnostics } from "../text/diagnostic.ts";
import type { SpecNode } from "../text/spec-node.ts";
import { didYouMean } from "../text/suggest.ts";
import { exampleValue } from "./example-value.ts";
import { isUnset, labelOf, shownValue, writeInstead } from "./node-text.ts";
import { type Reader, trialOf } from "./options-context.ts";
import { choicesOf, describeSchema, hasForm, markerOf } from "./schema-parts.ts";

type ReadVariant = (variant: JsonSchema, reader: Reader) => Json | undefined;

/** Reads a value that may have one of several schemas: those that its form allows are tried in order, and the first one that could be meant tells the fault. */
export function readUnion(
  node: SpecNode,
  variants: readonly JsonSchema[],
  read: ReadVariant,
  reader: Reader,
): Json | undefined {
  if (isUnset(node)) return undefined;
  const fitting = variants.filter((variant) => hasForm(node, variant));
  const [first, second] = fitting;
  if (first === undefined) return readUnfit(node, variants, read, reader);
  const isGood = (variant: JsonSchema): boolean => {
    const trial = trialOf(reader, new Diagnostics());
    return read(variant, trial) !== undefined && !trial.context.diagnostics.hasErrors;
  };
  return read(second === undefined ? first : (fitting.find(isGood) ?? first), reader);
}

// A number where text may stand is told with the repair that makes it text.
function readUnfit(
  node: SpecNode,
  variants: readonly JsonSchema[],
  read: ReadVariant,
  reader: Reader,
): undefined {
  const textual =
    node.kind === "scalar" && typeof node.value !== "string" ? variants.find(isTextual) : undefined;
  if (textual !== undefined) {
    read(textual, reader);
    return;
  }
  const wanted = variants.map(describeSchema).join(" or ");
  const choices = variants.flatMap((variant) => choicesOf(variant) ?? []).map(String);
  const near = node.kind === "scalar" ? didYouMean(node.text, choices) : undefined;
  const [first] = variants;
  const repair = first === undefined ? undefined : writeInstead(node, exampleValue(first));
  const message = `\`${labelOf(node)}\` is ${wanted}; it is ${shownValue(node)}`;
  reader.context.diagnostics.error("LW-VALUE-TYPE", node, message, near ?? repair);
}

function isTextual(schema: JsonSchema): boolean {
  const kind = markerOf(schema)?.kind;
  const isPlain = kind === undefined || kind === "template" || kind === "secret" || kind === "path";
  return schema["type"] === "string" && isPlain;
}
