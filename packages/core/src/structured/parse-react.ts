import type { Language } from "../contracts/prompt.ts";
import { reactFaultText } from "./fault-words.ts";
import { blobIn, preambleText } from "./react-blob-text.ts";
import { type CollectedStep, collectStep, type ReactDropped } from "./react-collect.ts";
import { readFenced, skipQuote } from "./react-fences.ts";
import { gateFailure } from "./react-gate.ts";
import type { ReactInput } from "./react-input.ts";
import { labelAt } from "./react-label-at.ts";
import { labelForms } from "./react-labels.ts";
import { type LabelPlaces, labelInFence, type ReactScan, scanReact } from "./react-scan.ts";
import { type ReactSections, sectionsOf } from "./react-sections.ts";
import { type DeedSettings, noStep, type ReactDeed, readDeed } from "./react-deed.ts";
import { lineEndFrom, nextLine, type Tally, trimEdges } from "./react-text.ts";
import { afterThinking } from "./react-thinking.ts";
import type { StructuredFailure } from "./structured-result.ts";

/** What is known about a reply besides its text. */
export interface ReactOptions {
  /** Why the provider says that the reply ended; `length` is an error, whatever the text. */
  readonly finishReason?: string;
  /** The names of the tools: one that reads like `None`, `Finish` or `name (note)` is taken for the tool. */
  readonly toolNames?: readonly string[];
  /** That of the words in which a fault is told; English where it is left out. */
  readonly language?: Language;
}

/** One step in the ReAct text protocol: an action with its input, or the final answer. */
export interface ReactStep {
  readonly ok: true;
  readonly thought: string | null;
  readonly action: string | null;
  readonly input: ReactInput;
  readonly finalAnswer: string | null;
  /** What was left out, like an `observation` that the model made up. */
  readonly dropped: readonly ReactDropped[];
}

/**
 * Reads one step of the ReAct text protocol (`Thought`, `Action`, `Action Input`, `Final Answer`, in English and
 * Chinese) from a model's text. It never throws and never guesses: what can be read in two ways is a failure.
 */
export function parseReact(
  text: string,
  options: ReactOptions = {},
): ReactStep | StructuredFailure {
  const read = parseReactCounted(text, options, { steps: 0 });
  if (read.ok) return read;
  return { ...read, message: reactFaultText(read.code, read.message, options.language) };
}

/** As `parseReact`; counts the characters that it looks at. */
export function parseReactCounted(
  text: string,
  options: ReactOptions,
  tally: Tally,
): ReactStep | StructuredFailure {
  const gate = gateFailure(text, options.finishReason);
  if (gate !== undefined) return gate;
  const names = new Set(options.toolNames);
  const settings: DeedSettings = {
    isTool: (name) => names.has(name),
    isCutName: (name) =>
      text.trimEnd().endsWith(name) &&
      !names.has(name) &&
      [...names].some((other) => other.startsWith(name)),
    tally,
  };
  const source = withoutFence(withoutCutLabel(unquoted(text, tally)), tally);
  const plain = afterThinking(source, tally, (at) => startsWithLabel(source, at, tally));
  const end = scanReact(plain, "starts", tally).labels.find(({ label }) => label === "observation");
  const dropped = new Set<ReactDropped>();
  if (plain.length < source.length) dropped.add("thinking");
  if (end !== undefined) dropped.add("observation");
  return readBefore(end === undefined ? plain : plain.slice(0, end.at), settings, dropped);
}

/** Reads the step of a text that ends before its first observation. */
function readBefore(
  text: string,
  settings: DeedSettings,
  dropped: Set<ReactDropped>,
): ReactStep | StructuredFailure {
  for (const places of ["starts", "headings", "inline"] satisfies LabelPlaces[]) {
    const { scan, hasRest } = scanUnwrapped(text, places, settings.tally);
    const sections = sectionsOf(scan);
    const isStep = sections.sections.some(({ label }) => label === "action" || label === "answer");
    if (!isStep || !isDeliberate(scan)) continue;
    if (hasRest) dropped.add("text-after");
    if (sections.hasThinking) dropped.add("thinking");
    return readSections(sections, settings, dropped);
  }
  const { scan } = scanUnwrapped(text, "starts", settings.tally);
  const blob = blobIn(sectionsOf(scan), settings);
  if (blob === undefined) return noStep();
  if (!blob.ok) return blob;
  if (blob.thought !== undefined && blob.before !== "") dropped.add("text-before");
  return stepOf(blob, [], blob.before, dropped);
}

/** Where a label must end to be looked for behind a thinking block. */
const maxLabelChars = 100;

/** Whether labels that stand in prose alone mean a step: with an input, or as "Final Answer" in full. */
function isDeliberate({ text, labels }: ReactScan): boolean {
  if (labels.some(({ isAtStart }) => isAtStart)) return true;
  return labels.some(
    ({ label, at, valueAt }) =>
      label === "input" || (label === "answer" && !/^\P{L}*answer/iu.test(text.slice(at, valueAt))),
  );
}

/** The text without a last line that a stop sequence or limit cut: a label of an observation, a row of fence marks. */
function withoutCutLabel(text: string): string {
  const end = trimEdges(text).length === 0 ? 0 : text.trimEnd().length;
  const line = Math.max(text.lastIndexOf("\n", end - 1), text.lastIndexOf("\r", end - 1));
  if (line < 0 || end - line > 40) return text;
  const last = trimEdges(text.slice(line, end)).toLowerCase();
  const forms = labelForms.get(last.charAt(0)) ?? [];
  const isCut = forms.some(
    ({ label, words }) => label === "observation" && words.join("") === last,
  );
  return isCut || /^(?:`{1,2}|~{1,2})$/.test(last) ? text.slice(0, line) : text;
}

/** What stands in the fence around the whole text; a text whose first label follows the marks of a fence directly. */
function withoutFence(text: string, tally: Tally): string {
  const fenced = readFenced(text);
  if (fenced?.isClosed === true) return fenced.inside;
  const marks = /^\s*(?:`{3,8}|~{3,8})(?=[^`~\s])/.exec(text.slice(0, maxLabelChars))?.[0];
  return marks !== undefined && startsWithLabel(text, marks.length, tally)
    ? `${marks}\n${text.slice(marks.length)}`
    : text;
}

function startsWithLabel(text: string, at: number, tally: Tally): boolean {
  const end = Math.min(text.length, at + maxLabelChars);
  return labelAt({ text, end, tally, isAtStart: true, mayBeNumbered: true }, at) !== undefined;
}

/** Scans; labels in fences count where no others are. */
function scanUnwrapped(
  text: string,
  places: LabelPlaces,
  tally: Tally,
): { readonly scan: ReactScan; readonly hasRest: boolean } {
  let scan = scanReact(text, places, tally);
  let hasRest = false;
  for (let round = 0; round < 3; round += 1) {
    if (scan.labels.some(({ label }) => label !== "question")) break;
    const fences = scan.regions.filter(
      (region) => region.kind === "fence" && labelInFence(scan, region, tally),
    );
    if (fences.length === 0) break;
    let inside = "";
    let at = 0;
    for (const fence of fences) {
      inside += `${scan.text.slice(at, fence.start)}${scan.text.slice(fence.innerStart, fence.innerEnd)}`;
      at = fence.end;
    }
    // Text behind the last fence is no part of the step; rows of marks close a fence that was inside.
    const rest = scan.text.slice(at);
    const isRow = /^[\s`~]*$/.test(rest);
    hasRest ||= !isRow;
    scan = scanReact(isRow ? inside + rest : inside, places, tally);
  }
  return { scan, hasRest };
}

function readSections(
  sections: ReactSections,
  settings: DeedSettings,
  dropped: Set<ReactDropped>,
): ReactStep | StructuredFailure {
  const step = collectStep(sections, settings.isTool);
  if (!step.ok) return step;
  for (const part of step.dropped) dropped.add(part);
  const before = preambleText(sections.preamble);
  if (step.thoughts.length > 0 && before !== "") dropped.add("text-before");
  const deed = deedOf(step, settings);
  return deed.ok ? stepOf(deed, step.thoughts, before, dropped) : deed;
}

function deedOf(step: CollectedStep, settings: DeedSettings): ReactDeed | StructuredFailure {
  if (step.answer !== undefined) {
    if (step.hasOrphan) {
      return { ok: false, code: "ambiguous", message: "the step has a final answer and an input" };
    }
    return step.answer === ""
      ? noStep("the final answer is empty")
      : { ok: true, answer: step.answer };
  }
  if (step.action === undefined) {
    return noStep(step.hasOrphan ? "the reply has an Action Input, but no Action" : undefined);
  }
  if (step.hasOrphan) {
    return { ok: false, code: "ambiguous", message: "an Action Input stands before its Action" };
  }
  return readDeed(step.action, step.input, settings);
}

function stepOf(
  deed: ReactDeed,
  thoughts: readonly string[],
  before: string,
  dropped: ReadonlySet<ReactDropped>,
): ReactStep {
  const labelled = thoughts.filter((part) => part !== "").join("\n");
  const thought = thoughts.length > 0 ? labelled : (deed.thought ?? before);
  const isAnswer = "answer" in deed;
  return {
    ok: true,
    thought: thought === "" ? null : thought,
    action: isAnswer ? null : deed.action,
    input: isAnswer ? null : deed.input,
    finalAnswer: isAnswer ? deed.answer : null,
    dropped: [...dropped],
  };
}

/** The text without the `>` before each of its lines, if each has one. */
function unquoted(text: string, tally: Tally): string {
  let bare = "";
  for (let at = 0; at < text.length; ) {
    const end = lineEndFrom(text, at, tally);
    const next = nextLine(text, end);
    const start = skipQuote(text, at, end, tally);
    const mark = text.slice(at, start).lastIndexOf(">");
    if (mark < 0 && start < end) return text;
    const inner = mark < 0 ? start : at + mark + 1;
    bare += text.slice(inner < end && text[inner] === " " ? inner + 1 : inner, next);
    at = next;
  }
  return bare;
}
