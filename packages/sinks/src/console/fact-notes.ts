import type { EventData, EventEnvelope, Json } from "@loopwright/core/plugin";
import { compact, isRecord } from "./compact.ts";
import {
  extractedNote,
  leftOutNote,
  refusedNote,
  stoodInNote,
  uncheckedNote,
  unreadNote,
} from "./incident-notes.ts";
import { aside, type Item, type Note, warning } from "./note.ts";
import { planFactNote } from "./plan-notes.ts";

/** The most items of a list that are shown. */
const MAX_ITEMS = 8;
/** The most characters that are shown of one of them. */
const MAX_ITEM = 300;

type Fields = { readonly [name: string]: Json };

/** What a strategy tells of its own work; undefined where that is for a curious reader alone. */
export function factToldNote({ fact, data }: EventData["fact.told"]): Note | undefined {
  const note = INCIDENTS.get(fact)?.(data) ?? planFactNote(fact, data);
  if (note !== undefined) return note;
  if (!isRecord(data) || INCIDENTS.has(fact)) return undefined;
  return WORK.get(fact)?.(data) ?? listNote(fact, data);
}

/** What the end of a run says of items that failed while others went on; undefined of any other fact. */
export function failedItemsText({
  stage,
  data: { fact, data },
}: EventEnvelope<"fact.told">): string | undefined {
  if (fact !== "items.failed" || !isRecord(data) || !Array.isArray(data["failed"]))
    return undefined;
  const { failed, of } = data;
  // Where nothing ended well the run itself says so.
  if (failed.length === of) return undefined;
  const reasons = failed.map((one: Json) => cut(reasonText(one))).join("; ");
  return `${failed.length} of ${wordsOf(of)} items of ${stage} failed: ${reasons}`;
}

/** What a model chose to do, and what it did not choose. */
export function choiceNote({ chosen, considered }: EventData["choice.made"]): Note {
  const items = itemsOf(
    considered.map(({ option, reason }) => `not ${option}: ${reason}`),
    "·",
    "quiet",
  );
  return { label: "chose", tone: "act", text: chosen, maxLines: 2, items };
}

/** What was not done, or not as it should have been. */
const INCIDENTS: ReadonlyMap<string, (data: Json) => Note | undefined> = new Map([
  ["calls.refused", refusedNote],
  ["items.left-out", leftOutNote],
  ["fields.extracted", extractedNote],
  ["text.unread", unreadNote],
  ["answer.unchecked", uncheckedNote],
  ["reply.stood-in", stoodInNote],
]);

/** What strategies did: the layers of their work. */
const WORK: ReadonlyMap<string, (data: Fields) => Note | undefined> = new Map([
  ["items.failed", failedNote],
  ["tool-plan.made", ({ steps }: Fields) => headed("plan", steps, "calls at once", toolStepText)],
  [
    "tool-steps.left-out",
    ({ steps }: Fields) => headed("left out", steps, "steps", reasonText, "warning"),
  ],
  ["tool-step.said", ({ step, text }: Fields) => said("said", `${wordsOf(step)}: `, text)],
  ["tasks.joined", ({ action, because }: Fields) => said("joined", "", action, because)],
  [
    "hypotheses.proposed",
    ({ hypotheses }: Fields) => headed("causes", hypotheses, "hypotheses", wordsOf),
  ],
  ["hypothesis.marked", markNote],
  ["hypotheses.ranked", ({ ranking }: Fields) => headed("ranked", ranking, "hypotheses", rankText)],
  [
    "checks.passed-over",
    ({ considered }: Fields) => headed("no check", considered, "considered", reasonText),
  ],
  [
    "subquestions.planned",
    ({ questions }: Fields) => headed("plan", questions, "subquestions", wordsOf),
  ],
  [
    "principle.found",
    ({ principle, question }: Fields) => said("principle", "", principle, question),
  ],
  ["skeleton.made", ({ points }: Fields) => headed("skeleton", points, "points", wordsOf)],
  ["outline.made", ({ sections }: Fields) => headed("outline", sections, "sections", wordsOf)],
  [
    "program.written",
    ({ language, lines }: Fields) =>
      said("program", "", wordsOf(language), lines === undefined ? "" : `${wordsOf(lines)} lines`),
  ],
  ["case.picked", ({ case: picked }: Fields) => said("case", "", picked)],
  ["try.failed", tryNote],
  ["plan.kept", ({ reason }: Fields) => warned("plan", "stays as it is: ", reason)],
  ["thought.rule-broken", ruleNote],
  ["format.rejected", formatNote],
  ["near-repeat", repeatNote],
  ["question.unanswered", unansweredNote],
]);

function failedNote({ failed, of }: Fields): Note | undefined {
  if (!Array.isArray(failed)) return undefined;
  const head = `${failed.length} of ${wordsOf(of)} items failed`;
  return { ...warning("failed", head, 1), items: itemsOf(failed.map(reasonText), "·", "warning") };
}

function markNote({ hypothesis, mark, because, evidence }: Fields): Note {
  const rests = evidence === undefined ? "" : ` [${wordsOf(evidence)}]`;
  const text = `${wordsOf(hypothesis)} ${wordsOf(mark)}${behind(": ", because)}${rests}`;
  return { label: "mark", tone: "act", text: cut(text), maxLines: 2 };
}

function tryNote({ try: count, of, reason }: Fields): Note {
  return warning("failed", `try ${wordsOf(count)} of ${wordsOf(of)}${behind(": ", reason)}`, 2);
}

function ruleNote({ rule, detail }: Fields): Note {
  return warning("thought", `against the rule ${wordsOf(rule)}${behind(": ", detail)}`, 2);
}

function formatNote({ reason, mode }: Fields): Note {
  const form = mode === undefined ? "" : ` of mode ${wordsOf(mode)}`;
  return warning("misfit", `no step in the form${form}${behind(": ", reason)}`, 2);
}

function repeatNote({ times, measure }: Fields): Note {
  const then = measure === "tools-off" ? "; the loop goes on without tools" : "";
  return warning("repeat", `near-equal thoughts, the same calls, ${wordsOf(times)} times${then}`);
}

function unansweredNote({ question, reason }: Fields): Note {
  return warning("open", `${wordsOf(question)}${behind(": ", reason)}`, 2);
}

/** A fact of any strategy with a list in it: its name, what else it says, and the first items. */
function listNote(fact: string, data: Fields): Note | undefined {
  const lists = Object.entries(data).filter(
    ([, value]) => Array.isArray(value) && value.length > 0,
  );
  if (lists.length === 0) return undefined;
  const others = Object.entries(data).filter(([, value]) => !Array.isArray(value));
  const rest = compact(Object.fromEntries(others));
  const values = lists.flatMap(([, value]) => (Array.isArray(value) ? value : []));
  return {
    ...aside("told", `${fact}${behind("  ", rest)}`, 1),
    items: itemsOf(values.map(anyText), "·", "quiet"),
  };
}

function headed(
  label: string,
  list: Json | undefined,
  noun: string,
  textOf: (item: Json) => string,
  tone: Note["tone"] = "heading",
): Note | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = itemsOf(list.map(textOf), "·", undefined);
  return { label, tone, text: `${list.length} ${noun}`, maxLines: 1, items };
}

function said(label: string, head: string, text: Json | undefined, more?: Json): Note | undefined {
  if (text === undefined) return undefined;
  const words = `${head}${wordsOf(text)}${behind(": ", more)}`;
  return { label, tone: "act", text: words, maxLines: 3 };
}

function warned(label: string, head: string, text: Json | undefined): Note | undefined {
  return text === undefined ? undefined : warning(label, head + wordsOf(text), 2);
}

function itemsOf(texts: readonly string[], mark: string, tone: Item["tone"]): readonly Item[] {
  const colour = tone === undefined ? {} : { tone };
  const shown = texts.slice(0, MAX_ITEMS).map((text) => ({ mark, text: cut(text), ...colour }));
  const missing = texts.length - shown.length;
  const rest = { mark: "…", text: `and ${missing} more`, tone: "quiet" as const };
  return missing > 0 ? [...shown, rest] : shown;
}

function toolStepText(step: Json): string {
  if (!isRecord(step)) return wordsOf(step);
  const { id, tool, plan, dependsOn } = step;
  const after = Array.isArray(dependsOn)
    ? behind(" after ", dependsOn.map(wordsOf).join(", "))
    : "";
  return `${wordsOf(id)} ${wordsOf(tool)}${after}${behind(": ", plan)}`;
}

function rankText(one: Json): string {
  if (!isRecord(one)) return wordsOf(one);
  const { hypothesis, text, status } = one;
  return `${wordsOf(hypothesis)} ${wordsOf(status)}${behind(": ", text)}`;
}

/** Whatever names it, and why. */
function reasonText(one: Json): string {
  if (!isRecord(one)) return wordsOf(one);
  const { reason, ...name } = one;
  return `${Object.values(name).map(wordsOf).join(" ")}${behind(": ", reason)}`;
}

function anyText(item: Json): string {
  return wordsOf(item);
}

function wordsOf(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value.trim() : compact(value);
}

function behind(mark: string, value: Json | undefined): string {
  const text = wordsOf(value);
  return text === "" ? "" : mark + text;
}

function cut(text: string): string {
  return text.length > MAX_ITEM ? `${text.slice(0, MAX_ITEM)}…` : text;
}
