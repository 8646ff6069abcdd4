import type { OutputDeclaration } from "../program/program.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { AnswerDraft } from "../contracts/state.ts";

/** The fields that core adds around the declared ones; a declared field of the same name takes its place. */
const WAY_OUT: Readonly<Record<string, JsonSchema>> = {
  evidence: {
    type: "array",
    items: { type: "string" },
    description:
      "ids of the observations that the answer rests on, e.g. observation-1; empty when there are none",
    examples: [[]],
  },
  solvable: {
    type: "boolean",
    description: "false when the task can't be done with what is known",
  },
  unsolvableReason: {
    type: ["string", "null"],
    description: "why it can't be done; null when it can",
    examples: [null],
  },
};

const REASONING: JsonSchema = {
  type: "string",
  description: "your reasoning, step by step, before the other fields",
};

/** The schema that an answering model must fit: the declared fields, and the way out. */
export function envelopeSchema(output: OutputDeclaration, withReasoning: boolean): JsonSchema {
  const declared = propertiesOf(output.schema);
  const properties: Record<string, Json> = {};
  if (withReasoning && declared["reasoning"] === undefined) properties["reasoning"] = REASONING;
  Object.assign(properties, declared);
  for (const [name, schema] of Object.entries(WAY_OUT)) {
    if (declared[name] === undefined) properties[name] = schema;
  }
  const { properties: _, required, ...rest } = output.schema;
  // A field with a default is asked for too: nobody fills it in.
  const isOptional = (name: string): boolean =>
    Array.isArray(required) && !required.includes(name) && !hasDefault(declared[name]);
  const asked = Object.keys(properties).filter(
    (name) => declared[name] === undefined || !isOptional(name),
  );
  return { ...rest, properties, required: asked };
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
    ([name]) => declared[name] === undefined && !Object.hasOwn(value, name),
  );
  return missing.length === 0
    ? value
    : { ...(value as JsonObject), ...Object.fromEntries(missing) };
}

/** Takes an envelope apart: the typed value, and what belongs to the answer around it. */
export function openEnvelope(envelope: JsonObject, output: OutputDeclaration): AnswerDraft {
  const declared = propertiesOf(output.schema);
  const own = (name: string): Json | undefined =>
    declared[name] === undefined ? envelope[name] : undefined;
  const value = Object.fromEntries(
    Object.entries(envelope).filter(([name]) => declared[name] !== undefined),
  );
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
  if (propertiesOf(output.schema)["solvable"] !== undefined || envelope["solvable"] !== false)
    return undefined;
  const reason = textOf(envelope["unsolvableReason"]);
  if (reason === "") return undefined;
  return { text: reason, value: null, solvable: false, unsolvableReason: reason };
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, Json>> {
  return (schema["properties"] ?? {}) as Readonly<Record<string, Json>>;
}

function hasDefault(schema: Json | undefined): boolean {
  return typeof schema === "object" && schema !== null && Object.hasOwn(schema, "default");
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
