import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { default as formats } from "ajv-formats";
import type { JsonSchema } from "../contracts/json.ts";
import { type Language, wordsIn } from "../contracts/prompt.ts";
import { MARKER } from "../contracts/schema.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { exceededLength, isBoundedPattern } from "../spec/text/longest-text.ts";
import {
  BudgetError,
  COUNTED,
  countedCopy,
  countReference,
  openBudget,
} from "./evaluation-budget.ts";
import {
  describeFault,
  type Misfit,
  NOT_COMPARABLE,
  shortJson,
  TOO_DEEP,
  TOO_LONG_TO_MATCH,
  TOO_MANY_STEPS,
} from "./misfit-words.ts";
import { UNIQUE_ITEMS } from "./unique-items.ts";

const maxMisfits = 10;
const compiled = new WeakMap<object, ValidateFunction>();
const engines = new Map<string, Ajv>();
const foreign = new WeakSet<object>();

/** The drafts that are read; a schema that names none is of the latest. */
type Draft = "2020-12" | "7";

const options: Options = {
  strict: true,
  allErrors: true,
  discriminator: true,
  ownProperties: true,
  allowUnionTypes: true,
  logger: false,
  verbose: true,
  code: { regExp: limited },
};

/** What a schema from outside holds beside its draft says nothing, as drafts want it. */
const lenient: Options = {
  ...options,
  strict: false,
  discriminator: false,
  // A long part that is referred to often would be written out as often.
  inlineRefs: false,
  code: { regExp: bounded },
};

/** Marks a schema that nobody here wrote: keywords and formats that its draft does not know are passed over. */
export function asForeign<S extends JsonSchema>(schema: S): S {
  foreign.add(schema);
  return schema;
}

function engineOf(schema: JsonSchema, text: string): Ajv {
  const draft = draftOf(schema);
  const isForeign = foreign.has(schema);
  // An engine knows each `$id` once, and two schemas may go by the same.
  if (text.includes('"$id"')) return engineFor(draft, isForeign);
  const key = `${draft} ${isForeign}`;
  const engine = engines.get(key) ?? engineFor(draft, isForeign);
  engines.set(key, engine);
  return engine;
}

function engineFor(draft: Draft, isForeign: boolean): Ajv {
  const own = isForeign ? lenient : options;
  const engine = draft === "7" ? new Ajv(own) : new Ajv2020(own);
  engine.addKeyword(MARKER);
  engine.removeKeyword("uniqueItems").addKeyword(UNIQUE_ITEMS);
  if (isForeign)
    engine.addKeyword({ keyword: COUNTED, schema: false, validate: countReference, errors: false });
  formats.default(engine, { mode: "fast" });
  return engine;
}

function draftOf(schema: JsonSchema): Draft {
  const named = typeof schema === "object" ? schema["$schema"] : undefined;
  if (named === undefined) return "2020-12";
  const address = typeof named === "string" ? named : "";
  if (address.includes("json-schema.org/draft/2020-12/")) return "2020-12";
  if (address.includes("json-schema.org/draft-07/")) return "7";
  const message = `\`$schema\` names ${shortJson(named)}; JSON Schema 2020-12 and draft-07 are read`;
  throw new TypeError(message);
}

// Filled while a value is checked, which is synchronous.
let unmatched: { readonly length: number; readonly pattern: string; readonly most: number }[] = [];

interface LimitedPattern {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** A pattern that fits no text which is too long for it, and notes that text. */
function limited(source: string, flags: string): LimitedPattern {
  const pattern = new RegExp(source, flags);
  return {
    // The engine tells patterns apart by it.
    toString: () => String(pattern),
    test(text) {
      const most = exceededLength(text, source);
      if (most === undefined) return pattern.test(text);
      unmatched.push({ length: text.length, pattern: source, most });
      return false;
    },
  };
}
limited.code = "limited";

/** The same for patterns from outside: one that could take unbounded time on a short text fits every text. */
function bounded(source: string, flags: string): LimitedPattern {
  const pattern = limited(source, flags);
  return isBoundedPattern(source) ? pattern : { ...pattern, test: () => true };
}
bounded.code = "bounded";

/** Tells why a schema can't be used, or nothing when it can. */
export function schemaFault(schema: JsonSchema): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (fault) {
    return messageOf(fault);
  }
}

/** Lists where a value does not fit its schema, ten places at most; empty when it fits. The schema must be usable. */
export function misfits(
  value: unknown,
  schema: JsonSchema,
  language: Language = "en",
): readonly Misfit[] {
  const validate = validatorOf(schema);
  unmatched = [];
  openBudget(value);
  const isFit = judged(validate, value, language);
  if (typeof isFit === "string") return [{ path: "", message: isFit }];
  // Inside `not`, a text that was not matched would count as one that fits.
  if (unmatched.length > 0) return tooLong(language);
  if (isFit) return [];
  const faults = (validate.errors ?? []).filter((fault) => fault.keyword !== "if");
  return faults
    .slice(0, maxMisfits)
    .map((fault) => ({ path: pathOf(fault), message: describeFault(fault, value, language) }));
}

function tooLong(language: Language): readonly Misfit[] {
  const messages = unmatched.map((text) => wordsIn(language, TOO_LONG_TO_MATCH, text));
  return [...new Set(messages)].slice(0, maxMisfits).map((message) => ({ path: "", message }));
}

/** Whether a value fits; a text tells why that can't be judged. */
function judged(validate: ValidateFunction, value: unknown, language: Language): boolean | string {
  try {
    return validate(value);
  } catch (fault) {
    // Where a schema compares values with each other, the engine calls these two of any object.
    if (fault instanceof TypeError) return wordsIn(language, NOT_COMPARABLE);
    if (fault instanceof BudgetError) return wordsIn(language, TOO_MANY_STEPS);
    if (fault instanceof RangeError) return wordsIn(language, TOO_DEEP);
    throw fault;
  }
}

function validatorOf(schema: JsonSchema): ValidateFunction {
  const isKept = typeof schema === "object";
  const known = isKept ? compiled.get(schema) : undefined;
  if (known !== undefined) return known;
  const text = JSON.stringify(schema) ?? "";
  // The engine judges some of them wrongly.
  if (text.includes('"$dynamicRef"')) throw new TypeError("`$dynamicRef` is not read; use `$ref`");
  const engine = engineOf(schema, text);
  const made = foreign.has(schema) ? compiledForeign(engine, text) : engine.compile(schema);
  if (isKept) compiled.set(schema, made);
  return made;
}

/** Engines live as long as the process, and sources outside list new schemas without end: they are forgotten. */
function compiledForeign(engine: Ajv, text: string): ValidateFunction {
  const copy = countedCopy(text);
  const made = engine.compile(copy);
  engine.removeSchema(copy);
  return made;
}

function pathOf(fault: ErrorObject): string {
  return fault.instancePath.replaceAll("/", ".").replace(/^\./, "");
}
