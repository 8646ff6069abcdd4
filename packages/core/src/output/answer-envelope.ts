import type { OutputDeclaration } from "../program/program.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import type { AnswerDraft } from "../contracts/state.ts";
import { withMovedRoot } from "./moved-root.ts";

/** The fields that core adds around the declared ones; a declared field of the same name takes its place. */
function wayOut(language: Language): Readonly<Record<string, JsonSchema>> {
  return {
    evidence: {
      type: "array",
      items: { type: "string" },
      description: wordsIn(language, EVIDENCE),
      examples: [[]],
    },
    solvable: { type: "boolean", description: wordsIn(language, SOLVABLE) },
    unsolvableReason: {
      type: ["string", "null"],
      description: wordsIn(language, UNSOLVABLE_REASON),
      examples: [null],
    },
  };
}

const WAY_OUT: readonly string[] = ["evidence", "solvable", "unsolvableReason"];

const EVIDENCE = definePrompt({
  en: "ids of the observations that the answer rests on, e.g. observation-1; empty when there are none",
  zh: "答案所依据的观察结果的 id，例如 observation-1；没有时为空",
});

const SOLVABLE = definePrompt({
  en: "false when the task can't be done with what is known",
  zh: "根据已知内容无法完成任务时为 false",
});

const UNSOLVABLE_REASON = definePrompt({
  en: "why it can't be done; null when it can",
  zh: "无法完成的原因；可以完成时为 null",
});

const REASONING = definePrompt({
  en: "your reasoning, step by step, before the other fields",
  zh: "你的逐步推理，写在其他字段之前",
});

/** What a root says of all its fields together: that is meant for the declared value and not for the envelope around it. */
const OF_THE_VALUE: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "minProperties",
  "maxProperties",
  "propertyNames",
]);

/** The schema that an answering model must fit: the declared fields, and the way out. */
export function envelopeSchema(
  output: OutputDeclaration,
  withReasoning: boolean,
  language: Language = "en",
): JsonSchema {
  const whole = withMovedRoot(output.schema);
  const declared = propertiesOf(whole);
  const properties: Record<string, Json> = {};
  if (withReasoning && !Object.hasOwn(declared, "reasoning"))
    properties["reasoning"] = { type: "string", description: wordsIn(language, REASONING) };
  Object.assign(properties, declared);
  for (const [name, schema] of Object.entries(wayOut(language))) {
    if (!Object.hasOwn(declared, name)) properties[name] = schema;
  }
  const { required } = whole;
  // A field with a default is asked for too: nobody fills it in.
  const isOptional = (name: string): boolean =>
    Array.isArray(required) && !required.includes(name) && !hasDefault(declared[name]);
  const asked = Object.keys(properties).filter(
    (name) => !Object.hasOwn(declared, name) || !isOptional(name),
  );
  const rest = Object.entries(whole).filter(([keyword]) => !OF_THE_VALUE.has(keyword));
  return {
    ...Object.fromEntries(rest),
    ...(isPatternForAdded(whole, declared) ? ANY_OTHERS : {}),
    properties,
    required: asked,
  };
}

const ANY_OTHERS: JsonSchema = { patternProperties: {}, additionalProperties: true };

/** True where the names that a schema describes by patterns take in one that core adds. */
function isPatternForAdded(whole: JsonSchema, declared: JsonObject): boolean {
  const patterns = Object.keys((whole["patternProperties"] ?? {}) as JsonObject);
  const added = ["reasoning", ...WAY_OUT].filter((name) => !Object.hasOwn(declared, name));
  return patterns.some((pattern) => added.some((name) => new RegExp(pattern, "u").test(name)));
}

/** Fills in what a model left out of the way out, so that only the declared fields can be missing. */
export function completeEnvelope(
  value: Json,
  output: OutputDeclaration,
  withReasoning: boolean,
): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const declared = propertiesOf(output.schema);
  const neutral: Record<string, Json> = { evidence: [], solvable: true, unsolvableReason: null };
  if (withReasoning) neutral["reasoning"] = "";
  const missing = Object.entries(neutral).filter(
    ([name]) => !Object.hasOwn(declared, name) && !Object.hasOwn(value, name),
  );
  return missing.length === 0
    ? value
    : { ...(value as JsonObject), ...Object.fromEntries(missing) };
}

/** The declared value in an envelope: all of it but the fields that core adds. */
export function valueIn(envelope: JsonObject, output: OutputDeclaration): JsonObject {
  const declared = propertiesOf(output.schema);
  return Object.fromEntries(
    Object.entries(envelope).filter(([name]) => Object.hasOwn(declared, name) || !isAdded(name)),
  );
}

/** Takes an envelope apart: the typed value, and what belongs to the answer around it. */
export function openEnvelope(envelope: JsonObject, output: OutputDeclaration): AnswerDraft {
  const declared = propertiesOf(output.schema);
  const own = (name: string): Json | undefined =>
    Object.hasOwn(declared, name) ? undefined : envelope[name];
  const value = valueIn(envelope, output);
  const evidence = own("evidence");
  return {
    text: JSON.stringify(value),
    value,
    reasoning: textOf(own("reasoning")),
    evidence: Array.isArray(evidence) ? evidence.map(String) : [],
    solvable: own("solvable") !== false,
    unsolvableReason: textOf(own("unsolvableReason")),
  };
}

/** An envelope whose model says that the task can't be done: its declared fields need not fit. */
export function unsolvableAnswer(value: Json, output: OutputDeclaration): AnswerDraft | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const envelope = value as JsonObject;
  if (Object.hasOwn(propertiesOf(output.schema), "solvable") || envelope["solvable"] !== false)
    return undefined;
  const reason = textOf(envelope["unsolvableReason"]);
  if (reason === "") return undefined;
  return { text: reason, value: null, solvable: false, unsolvableReason: reason };
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, Json>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, Json>>;
}

function isAdded(name: string): boolean {
  return name === "reasoning" || WAY_OUT.includes(name);
}

function hasDefault(schema: Json | undefined): boolean {
  return typeof schema === "object" && schema !== null && Object.hasOwn(schema, "default");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
