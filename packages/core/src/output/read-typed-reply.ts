import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { Language } from "../contracts/prompt.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import type { OutputDeclaration } from "../program/program.ts";
import { describeRepair } from "../structured/describe-repair.ts";
import { parseStructured } from "../structured/parse-structured.ts";
import { misfits } from "../validation/json-validator.ts";
import { describeMisfits, type Misfit } from "../validation/misfit-words.ts";
import { completeEnvelope, unsolvableAnswer, valueIn } from "./answer-envelope.ts";

/** What the text of a reply must be, beside being text. */
export interface ReplyTarget {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly output?: OutputDeclaration;
  readonly withReasoning: boolean;
  /** That of the words in which a fault is told; English where it is left out. */
  readonly language?: Language;
}

/** The value of a typed reply with its repairs in words; or why there is none. */
export type TypedReply =
  | {
      readonly ok: true;
      readonly value: Json;
      readonly repairs: readonly string[];
      /** Where the model says that the task can't be done, and its fields need not fit. */
      readonly unsolvable?: AnswerDraft;
    }
  | { readonly ok: false; readonly code: string; readonly message: string };

/**
 * Reads the value of a reply: mended where its text has one reading, completed by what a model may leave out. `undo` gives
 * a value the form of the schema where an endpoint was asked for another.
 */
export function readTypedReply(
  text: string,
  target: ReplyTarget,
  undo?: (answer: Json) => Json,
): TypedReply {
  const { output, withReasoning, language = "en" } = target;
  const parsed = parseStructured(text, {
    schema: withoutWayOut(target),
    language,
    ...(undo === undefined ? {} : { undo }),
  });
  if (!parsed.ok) {
    if (parsed.code !== "schema") return parsed;
    return (
      readUnsolvable(text, target) ?? { ok: false, code: "output-invalid", message: parsed.message }
    );
  }
  const value =
    output === undefined ? parsed.value : completeEnvelope(parsed.value, output, withReasoning);
  const list = misfitsIn(value, target, language);
  if (list.length > 0)
    return { ok: false, code: "output-invalid", message: describeMisfits(list, language) };
  return { ok: true, value, repairs: parsed.repairs.map(describeRepair) };
}

/** Where an envelope does not fit, and where the value in it does not: its schema can say more than that of the envelope. */
function misfitsIn(
  value: Json,
  { schema, output }: ReplyTarget,
  language: Language,
): readonly Misfit[] {
  const list = misfits(value, schema, language);
  if (list.length > 0 || output === undefined) return list;
  return misfits(valueIn(value as JsonObject, output), output.schema, language);
}

function readUnsolvable(
  text: string,
  { output, withReasoning }: ReplyTarget,
): TypedReply | undefined {
  const parsed = output === undefined ? undefined : parseStructured(text);
  if (output === undefined || parsed?.ok !== true) return undefined;
  const value = completeEnvelope(parsed.value, output, withReasoning);
  const unsolvable = unsolvableAnswer(value, output);
  if (unsolvable === undefined) return undefined;
  return { ok: true, value, repairs: parsed.repairs.map(describeRepair), unsolvable };
}

const lenient = new WeakMap<JsonSchema, JsonSchema>();

/** The schema of an envelope that asks for the declared fields alone; made once, so that its validator is compiled once. */
function withoutWayOut({ schema, output, withReasoning }: ReplyTarget): JsonSchema {
  if (output === undefined) return schema;
  const made = lenient.get(schema) ?? {
    ...schema,
    required: declaredOnly(schema["required"], output, withReasoning),
  };
  lenient.set(schema, made);
  return made;
}

function declaredOnly(
  required: Json | undefined,
  output: OutputDeclaration,
  withReasoning: boolean,
): Json {
  const added = Object.keys(completeEnvelope({}, output, withReasoning) as object);
  return Array.isArray(required) ? required.filter((name) => !added.includes(String(name))) : [];
}
