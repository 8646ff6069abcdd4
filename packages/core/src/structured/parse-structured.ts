import type { Json, JsonSchema } from "../contracts/json.ts";
import type { Language } from "../contracts/prompt.ts";
import { schemaFault } from "../validation/json-validator.ts";
import { faultText } from "./fault-words.ts";
import { defaultParseLimits, type ParseLimits } from "./parse-limits.ts";
import type { ParseTask } from "./parse-task.ts";
import { ReadFault } from "./read-fault.ts";
import { readReply } from "./read-reply.ts";
import { isBlank } from "./reply-cursor.ts";
import { StepBudget } from "./step-budget.ts";
import type { StructuredFailure, StructuredFault, StructuredValue } from "./structured-result.ts";

/** What is known about a reply beside its text. */
export interface ParseOptions {
  /** The schema that the value must fit; without one, any object or list is taken. */
  readonly schema?: JsonSchema;
  /** Why the model stopped; a reply that was cut is an error even where it parses. */
  readonly finishReason?: string;
  /** The model's own words where it refused. */
  readonly refusal?: string;
  /** Gives a value the form of the schema where it was asked for in another, before it is held to the schema. */
  readonly undo?: (value: Json) => Json;
  readonly limits?: Partial<ParseLimits>;
  /** That of the words in which a fault is told; English where it is left out. */
  readonly language?: Language;
}

const CUT = new Set(["length", "max_tokens", "content-filter", "content_filter"]);

/**
 * Reads one JSON value from a model's text.
 *
 * Broken syntax is mended and values are fitted to the schema where the text has one reading only, and each repair is
 * told; what has two readings is an error, never a guess. It never throws, whatever the text or the schema, and its work
 * is bounded by the limits.
 */
export function parseStructured(
  text: string,
  options: ParseOptions = {},
): StructuredValue | StructuredFailure {
  const limits = { ...defaultParseLimits, ...options.limits };
  return parseWithin(text, options, limits, new StepBudget(limits.maxSteps));
}

/** The same with a budget of the caller's, who can see what was spent. */
export function parseWithin(
  text: string,
  options: ParseOptions,
  limits: ParseLimits,
  budget: StepBudget,
): StructuredValue | StructuredFailure {
  const { schema, undo, language = "en" } = options;
  const read =
    gateFault(text, options, limits) ??
    readWithin(text, { schema, undo, limits, budget, language });
  if (read.ok) return read;
  return { ...read, message: faultText(read.code, read.message, read.path, language) };
}

function readWithin(text: string, task: ParseTask): StructuredValue | StructuredFailure {
  try {
    const result = readReply(text, task);
    if (result instanceof ReadFault) return failure(result.code, result.message, result.path);
    return { ok: true, value: result.value, repairs: result.repairs };
  } catch (fault) {
    if (fault instanceof ReadFault) return failure(fault.code, fault.message, fault.path);
    if (fault instanceof RangeError)
      return failure("too-deep", "the text or the schema is nested too deep to read");
    throw fault;
  }
}

/** What makes a reply an error before its text is read. */
function gateFault(
  text: string,
  options: ParseOptions,
  limits: ParseLimits,
): StructuredFailure | undefined {
  const { refusal, finishReason, schema } = options;
  if (refusal !== undefined && refusal !== "")
    return failure("refusal", `the model refused: ${refusal}`);
  if (finishReason !== undefined && CUT.has(finishReason))
    return failure("truncated", `the reply was cut (${finishReason}); say the same in fewer words`);
  if (text.length > limits.maxChars)
    return failure(
      "too-large",
      `the reply has ${text.length} characters, more than ${limits.maxChars}`,
    );
  if (isAllBlank(text)) return failure("empty", "the reply is empty");
  const fault = schema === undefined ? undefined : schemaFault(schema);
  return fault === undefined ? undefined : failure("schema", `the schema can't be used: ${fault}`);
}

function isAllBlank(text: string): boolean {
  for (const character of text) if (!isBlank(character)) return false;
  return true;
}

function failure(code: StructuredFault, message: string, path?: string): StructuredFailure {
  return { ok: false, code, message, ...(path === undefined ? {} : { path }) };
}
