import type { TSchema } from "@sinclair/typebox";
import type { JsonSchema } from "../contracts/json.ts";
import type { Language } from "../contracts/prompt.ts";
import type { GenerateRequest } from "../contracts/strategy-context.ts";
import { envelopeSchema } from "../output/answer-envelope.ts";
import type { ReplyTarget } from "../output/read-typed-reply.ts";
import type { OutputDeclaration } from "../program/program.ts";
import { languageOf } from "./language-of.ts";
import type { Frame } from "./run-scope.ts";

/**
 * How the value of a reply is got: as the whole reply; in a call of its own, after one in free text; or behind free text in
 * the same reply.
 */
type AnswerForm = "whole" | "separate" | "free";

/** What a reply must be, and how it is asked for. */
export interface AnswerTarget extends ReplyTarget {
  readonly form: AnswerForm;
}

/** What a generation must come to; undefined where any text will do. */
export function targetOf(
  frame: Frame,
  request: GenerateRequest & { readonly schema?: TSchema },
): AnswerTarget | undefined {
  const language = languageOf(frame);
  if (request.schema !== undefined)
    return {
      name: "reply",
      schema: closed(request.schema),
      withReasoning: false,
      form: "whole",
      language,
    };
  const { output } = frame.run.linked.program;
  if (request.answer !== true || output === undefined) return undefined;
  const form = formOf(frame, output);
  const isFirst = request.reasoning === "first" || output.reasoning === "first";
  // A conclusion has one call: there a field stands in for the call before it.
  const isShort = output.reasoning === "separate" && form === "whole";
  const withReasoning = form === "whole" && (isFirst || isShort);
  return {
    name: "answer",
    schema: envelopeOf(output, withReasoning, language),
    output,
    withReasoning,
    form,
    language,
  };
}

function formOf(frame: Frame, { reasoning }: OutputDeclaration): AnswerForm {
  if (reasoning === "free") return "free";
  return reasoning === "separate" && frame.purpose !== "conclusion" ? "separate" : "whole";
}

const closedSchemas = new WeakMap<object, JsonSchema>();
const envelopes = new WeakMap<object, Map<boolean, JsonSchema>>();

/** Schemas are made once, so that their validators are compiled once. */
function envelopeOf(
  output: OutputDeclaration,
  withReasoning: boolean,
  language: Language,
): JsonSchema {
  const made = envelopes.get(output) ?? new Map<boolean, JsonSchema>();
  envelopes.set(output, made);
  const schema = made.get(withReasoning) ?? envelopeSchema(output, withReasoning, language);
  made.set(withReasoning, schema);
  return schema;
}

/** A strategy's schema as plain JSON. */
function closed(schema: JsonSchema): JsonSchema {
  const made = closedSchemas.get(schema) ?? (JSON.parse(JSON.stringify(schema)) as JsonSchema);
  closedSchemas.set(schema, made);
  return made;
}
