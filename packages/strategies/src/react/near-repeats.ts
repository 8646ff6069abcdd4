import {
  definePrompt,
  type Json,
  type Language,
  parseStructured,
  wordsIn,
} from "@loopwright/core/plugin";

/** A call of a step and what it came to. */
export interface NearCall {
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
  readonly result: string;
  /** True for thoughts through a tool, and for tools that are asked again on purpose: neither is ever a circle. */
  readonly isExempt?: boolean;
}

/** What a step thought and did. */
export interface NearStep {
  readonly thought: string;
  readonly calls: readonly NearCall[];
}

/** A circle of thoughts, and what is to be done about it. */
export interface NearRepeat {
  readonly times: number;
  readonly measure: "hint" | "tools-off";
}

/** The second time is told, the fourth one ends it: the model has read two hints by then. */
const hintAt = 2;
const offAt = 4;
/** The share of words that near-equal thoughts have in common. */
const nearShare = 0.9;

/**
 * Tells whether the last step thinks nearly the same as earlier ones, does the same in other spelling, and gets the same.
 *
 * Calls that are equal to the letter with equal results are left to core's own guard, thoughts through a tool are no calls,
 * and whatever a call brings for the first time is something learned: it begins the count anew.
 */
export function nearRepeat(steps: readonly NearStep[]): NearRepeat | undefined {
  const last = steps.at(-1);
  if (last === undefined || formOf(last).actions === "") return undefined;
  const similar = sinceNews(steps.slice(0, -1), last).filter((step) => isNear(step, last));
  if (similar.every((step) => formOf(step).exact === formOf(last).exact)) return undefined;
  const times = similar.length + 1;
  if (times < hintAt) return undefined;
  return { times, measure: times >= offAt ? "tools-off" : "hint" };
}

/** The steps after the last one that brought what no step before it had, other than the steps that are like `last`. */
function sinceNews(steps: readonly NearStep[], last: NearStep): readonly NearStep[] {
  const { actions, results } = formOf(last);
  const seen = new Set<string>();
  let from = 0;
  for (const [index, step] of steps.entries()) {
    const form = formOf(step);
    const key = `${form.actions}\n${form.results}`;
    if (form.actions !== "" && key !== `${actions}\n${results}` && !seen.has(key)) from = index + 1;
    seen.add(key);
  }
  return steps.slice(from);
}

function isNear(one: NearStep, other: NearStep): boolean {
  const [mine, theirs] = [formOf(one), formOf(other)];
  return (
    mine.actions === theirs.actions &&
    mine.results === theirs.results &&
    overlap(one.thought, other.thought) >= nearShare
  );
}

/** What a step does and gets, whatever its spelling, and to the letter. */
interface Form {
  readonly actions: string;
  readonly results: string;
  readonly exact: string;
}

const forms = new WeakMap<NearStep, Form>();

/** Each step is read once, however many come after it. */
function formOf(step: NearStep): Form {
  const known = forms.get(step);
  if (known !== undefined) return known;
  const form = { actions: actionsOf(step), results: resultsOf(step), exact: exactOf(step) };
  forms.set(step, form);
  return form;
}

function callsOf({ calls }: NearStep): readonly NearCall[] {
  return calls.filter(({ isExempt }) => isExempt !== true);
}

function exactOf(step: NearStep): string {
  const calls = callsOf(step).map((call) => [call.name, call.arguments, call.result]);
  return JSON.stringify(calls);
}

/** What a step does, whatever its spelling: order of the calls and of their fields, case, spaces and widths. */
function actionsOf(step: NearStep): string {
  const calls = callsOf(step).map((call) => `${call.name} ${plainArguments(call.arguments)}`);
  return calls.toSorted().join("\n");
}

function resultsOf(step: NearStep): string {
  return callsOf(step)
    .map(({ name, result }) => `${name} ${plain(result)}`)
    .toSorted()
    .join("\n");
}

/** Written JSON as what it says, with its fields in one order; anything else as its words. */
function plainArguments(text: string): string {
  if (text.length > maxReadChars) return plain(text);
  const read = parseStructured(text, { limits: { maxSteps: 20 * maxReadChars } });
  const isWhole = read.ok && read.repairs.every(({ rule }) => rule !== "removed-text");
  return isWhole ? JSON.stringify(plainValue(read.value)) : plain(text);
}

/** Longer arguments are compared as their words alone. */
const maxReadChars = 100_000;

function plainValue(value: Json): Json {
  if (typeof value === "string") return plain(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  const fields = Object.entries(value).map(
    ([name, part]) => [plain(name), plainValue(part)] as const,
  );
  return Object.fromEntries(fields.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ ?([:,"]) ?/gu, "$1")
    .trim();
}

/** The share of words that two texts have in common, each counted as often as it stands: 1 for equal texts, two empty ones too. */
export function overlap(one: string, other: string): number {
  const words = wordsOf(one);
  const others = wordsOf(other);
  if (words.length + others.length === 0) return 1;
  const left = new Map<string, number>();
  for (const word of words) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of others) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(word, count - 1);
  }
  return (2 * common) / (words.length + others.length);
}

/** So much of a thought is compared. */
const maxThoughtChars = 8_000;

/** Words; of scripts without spaces between them, each two letters that follow each other. */
function wordsOf(text: string): readonly string[] {
  const runs = text.slice(0, maxThoughtChars).normalize("NFKC").toLowerCase().match(RUN) ?? [];
  return runs.flatMap((run) => (UNSPACED.test(run) ? pairsOf(run) : [run]));
}

const RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|\p{N}+/gu;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function pairsOf(run: string): readonly string[] {
  const letters = Array.from(run);
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index] ?? ""}${letter}`);
}

/** The hint for the model. */
export function nearRepeatText(times: number, language: Language): string {
  return wordsIn(language, HINT, { times });
}

const HINT = definePrompt({
  en: "You have thought and done nearly the same {{times}} times, with the same results. Do something else, or answer with what is known.",
  zh: "你已经 {{times}} 次用几乎相同的想法做了相同的事，结果也相同。请换一种做法，或根据已知内容作答。",
});
