import type { Json } from "../contracts/json.ts";
import { labelForms, type ReactLabel } from "./react-labels.ts";

/** A step that a model wrote as one JSON object. */
export interface ReactBlob {
  readonly thought?: string;
  readonly action?: string;
  /** The input as JSON; nothing if the object has none. */
  readonly input?: Json;
  readonly answer?: string;
}

type Fields = { readonly [key: string]: Json };

/** The keys of an action with those of its input, without spaces, `_` and `-`. */
const actionKeys: readonly (readonly [string, readonly string[]])[] = [
  ["action", ["actioninput", "input", "args", "arguments"]],
  ["name", ["arguments", "args", "parameters", "input"]],
  ["toolname", ["toolinput", "input", "arguments", "args", "parameters"]],
  ["functionname", ["arguments", "args", "parameters", "input"]],
  ["function", ["arguments", "args", "parameters", "input"]],
  ["tool", ["toolinput", "input", "arguments", "args", "parameters"]],
];
const wrappingKeys: readonly string[] = [
  "toolcall",
  "functioncall",
  "function",
  "action",
  "call",
  "toolcalls",
];

/** Reads a step out of JSON; "ambiguous" if it holds several, nothing if it holds none. */
export function readBlob(value: Json | undefined, depth = 0): ReactBlob | "ambiguous" | undefined {
  if (depth > 4 || typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return readList(value as readonly Json[], depth);
  const fields = plainKeys(value as Fields);
  const thought = textOf(fieldOf(fields, "thought"));
  const answer = answerOf(stepAnswer(fields));
  const call = readCall(fields) ?? readWrapped(fields, depth);
  if (call === "ambiguous") return call;
  const own: ReactBlob = {
    ...(thought !== undefined && { thought }),
    ...(answer !== undefined && { answer }),
  };
  if (call === undefined && answer === undefined) return undefined;
  return { ...call, ...own };
}

/** The answer of a step: a lone `answer` is any object with an answer. */
function stepAnswer(fields: Fields): Json | undefined {
  const isStep = fieldOf(fields, "thought") !== undefined || fields["action"] !== undefined;
  const answer = fieldOf(fields, "answer");
  return isStep || fields["answer"] !== answer ? answer : undefined;
}

function readList(values: readonly Json[], depth: number): ReactBlob | "ambiguous" | undefined {
  const blobs = values.slice(0, 8).map((value) => readBlob(value, depth + 1));
  const [first] = blobs;
  if (first === undefined || values.length > 1)
    return first === undefined ? undefined : "ambiguous";
  return first;
}

function readCall(fields: Fields): ReactBlob | undefined {
  const chinese = fieldOf(fields, "action");
  for (const [key, inputs] of actionKeys) {
    const action = fields[key] ?? (key === "action" ? chinese : undefined);
    if (typeof action !== "string") continue;
    const inputKey = inputs.find((name) => fields[name] !== undefined);
    const input = inputKey === undefined ? fieldOf(fields, "input") : fields[inputKey];
    // A lone `name` is any object with a name; with an input it is a call.
    if (key === "name" && input === undefined) continue;
    return { action, ...(input !== undefined && { input }) };
  }
  return undefined;
}

function readWrapped(fields: Fields, depth: number): ReactBlob | "ambiguous" | undefined {
  for (const key of wrappingKeys) {
    const inner = readBlob(fields[key], depth + 1);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The keys in small letters without spaces, `_` and `-`. */
function plainKeys(value: Fields): Fields {
  const plain: Record<string, Json> = Object.create(null) as Record<string, Json>;
  for (const [key, field] of Object.entries(value)) {
    plain[key.toLowerCase().replaceAll(/[\s_-]/g, "")] ??= field;
  }
  return plain;
}

/** The field that one of a label's names names. */
function fieldOf(fields: Fields, label: ReactLabel): Json | undefined {
  for (const forms of labelForms.values()) {
    for (const form of forms) {
      const field = form.label === label ? fields[form.words.join("")] : undefined;
      if (field !== undefined && field !== null) return field;
    }
  }
  return undefined;
}

function textOf(value: Json | undefined): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

/** The text of an answer: a string as it is, other values as JSON. */
export function answerOf(value: Json | undefined): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" ? textOf(value) : JSON.stringify(value);
}
