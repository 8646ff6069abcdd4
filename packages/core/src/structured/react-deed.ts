import { readBlob, type ReactBlob, answerOf } from "./react-blob.ts";
import { readReactCall, type ReactCall } from "./react-call.ts";
import { readFenced } from "./react-fences.ts";
import { isAnswering } from "./react-labels.ts";
import {
  looksLikeJson,
  readJson,
  readReactInput,
  type ReactInput,
  withoutQuotes,
} from "./react-input.ts";
import { type Tally, trimEdges } from "./react-text.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** What a step says to do: one action, or the answer. */
export type ReactDeed =
  | {
      readonly ok: true;
      readonly action: string;
      readonly input: ReactInput;
      readonly thought?: string;
    }
  | { readonly ok: true; readonly answer: string; readonly thought?: string };

/** What is needed to read an action. */
export interface DeedSettings {
  readonly isTool: (name: string) => boolean;
  /** Whether a name at the end of the text is no tool, but the start of one's name. */
  readonly isCutName: (name: string) => boolean;
  readonly tally: Tally;
}

/** Reads the value of Action with that of Action Input, if there is one. */
export function readDeed(
  action: string,
  input: string | undefined,
  settings: DeedSettings,
): ReactDeed | StructuredFailure {
  const text = readFenced(action)?.inside ?? action;
  const labelled = input === undefined || input === "" ? undefined : input;
  if (looksLikeJson(text) && (text.startsWith("{") || /^\[\s*\{/.test(text))) {
    const read = readJson(text);
    if (!read.ok) return read;
    const blob = readBlob(read.input);
    if (blob === undefined) return fail("no-step", "the JSON of Action names no action");
    return labelled === undefined || (blob !== "ambiguous" && blob.input === undefined)
      ? deedOfBlob(blob, settings, labelled)
      : fail("ambiguous", "there are two inputs: in the JSON of Action and in Action Input");
  }
  const call = readReactCall(text, settings.isTool, settings.tally);
  return call.ok ? deedOfCall(call, labelled, settings) : call;
}

/** Turns a step that was one JSON object into what it says to do. */
export function deedOfBlob(
  blob: ReactBlob | "ambiguous",
  settings: DeedSettings,
  labelled?: string,
): ReactDeed | StructuredFailure {
  if (blob === "ambiguous") return fail("ambiguous", "the JSON holds more than one action");
  const thought = blob.thought === undefined ? {} : { thought: blob.thought };
  const name =
    blob.action === undefined || trimEdges(blob.action) === "" ? undefined : trimEdges(blob.action);
  const isEnd = name !== undefined && isAnswering(name) && !settings.isTool(name);
  const isNone = name === undefined || /^(?:none|null|n\/a)$/i.test(name);
  if (isNone || isEnd) {
    const given = isEnd ? answerOf(blob.input) : undefined;
    if (given !== undefined && blob.answer !== undefined) return both();
    const answer = given ?? blob.answer ?? (isEnd ? labelled : undefined);
    return answer === undefined ? noStep() : { ok: true, answer, ...thought };
  }
  if (blob.answer !== undefined) return both();
  if (labelled !== undefined) return withInput(name, labelled, thought);
  if (typeof blob.input !== "string")
    return { ok: true, action: name, input: asInput(blob.input), ...thought };
  // A string is no text of a fence or quotes any more, but it may be JSON written as a string.
  const text = trimEdges(blob.input);
  if (looksLikeJson(text)) return withInput(name, text, thought);
  return { ok: true, action: name, input: blob.input === "" ? null : blob.input, ...thought };
}

function asInput(value: ReactBlob["input"]): ReactInput {
  if (value === undefined || value === null) return null;
  return typeof value === "object" ? value : String(value);
}

function deedOfCall(
  call: ReactCall,
  given: string | undefined,
  settings: DeedSettings,
): ReactDeed | StructuredFailure {
  const argument = call.argument === "" ? undefined : call.argument;
  if (argument !== undefined && given !== undefined && /^(?:none|null)$/i.test(given)) {
    return deedOfCall(call, undefined, settings);
  }
  const labelled = given;
  if (labelled !== undefined && argument !== undefined && argument !== labelled) {
    return fail("ambiguous", "there are two inputs: behind the action's name and in Action Input");
  }
  if (isAnswering(call.name) && !settings.isTool(call.name)) {
    return readAnswer(argument ?? call.note ?? labelled ?? "");
  }
  const input = labelled ?? argument;
  if (input !== undefined) return withInput(call.name, input, {});
  if (call.rest === "lines") {
    return fail("truncated", "lines follow the name of the action, but no Action Input");
  }
  if (call.note !== undefined && /^[\w$]+\s*=/.test(call.note)) {
    return fail("ambiguous", "the input is written like code; give a JSON object as Action Input");
  }
  if (call.rest === "none" && call.note === undefined && settings.isCutName(call.name)) {
    return fail("truncated", `the text ends inside the name of a tool: "${call.name}"`);
  }
  return withInput(call.name, call.note ?? "", {});
}

function readAnswer(value: string): ReactDeed | StructuredFailure {
  const text = readFenced(value)?.inside ?? value;
  const answer = withoutQuotes(text) ?? text;
  return answer === "" ? noStep() : { ok: true, answer };
}

function withInput(
  action: string,
  value: string,
  rest: { readonly thought?: string },
): ReactDeed | StructuredFailure {
  const read = readReactInput(value);
  return read.ok ? { ok: true, action, input: read.input, ...rest } : read;
}

function both(): StructuredFailure {
  return fail("ambiguous", "the step has an action and a final answer; give one of them");
}

/** The failure of a text without an action and an answer. */
export function noStep(
  message = "the reply has no Action and no Final Answer; begin a line with one of them",
): StructuredFailure {
  return fail("no-step", message);
}

function fail(code: StructuredFailure["code"], message: string): StructuredFailure {
  return { ok: false, code, message };
}
