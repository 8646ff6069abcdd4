import {
  definePrompt,
  type Language,
  type Message,
  type Observation,
  observationText,
  wordsIn,
} from "@loopwright/core/plugin";
import { sayTo } from "../shared/conversation.ts";
import { observationChars, shorten } from "./observation-size.ts";
import { SHOWN_OBSERVATION, trailOf } from "./step-trail.ts";

/** How much of the conversation a model is shown: all of it, older steps shortened, or older steps as one line each. */
export type HistoryMode = "full" | "compact" | "latest";

/** How to show a conversation. */
export interface HistoryOptions {
  readonly mode: HistoryMode;
  /** So many of the last steps are shown whole, at least. */
  readonly keepSteps: number;
  /** Which message opened this stage, in a conversation that goes on: it is always shown whole. */
  readonly opensAt?: number;
  readonly language: Language;
  /** The plan where it may be newer than the one in the first messages; empty or left out where it is not. */
  readonly plan?: string;
  /** Where a line of a dropped step finds what a tool was asked, if the conversation does not hold it as a call. */
  readonly observations?: readonly Observation[];
  /** What is left of a model's own words once their thought is dropped; words beside calls are dropped where it is missing. */
  readonly withoutThought?: (text: string) => string;
}

/**
 * What a model is shown of a conversation; `messages` is all of it, without the words that one step alone is told.
 *
 * Contract: a pure function of its arguments. The first user messages and the one that opened the stage stay, calls stay
 * with their results, and older steps are shortened in blocks, so that from one step to the next the text before the last
 * results is nearly always the same and a prefix cache holds.
 */
export function historyOf(
  messages: readonly Message[],
  options: HistoryOptions,
): readonly Message[] {
  if (options.mode === "full") return messages;
  const { head, steps } = splitSteps(messages);
  const count = olderCount(steps.length, options.keepSteps);
  if (count === 0) return messages;
  const older = steps.slice(0, count);
  const recent = steps.slice(count).flat();
  if (options.mode === "compact")
    return [...head, ...older.flatMap((step) => compactStep(step, messages, options)), ...recent];
  const trailed = withTrail(head, older, messages, options);
  const { plan = "", language } = options;
  const isShown = plan === "" || [...trailed, ...recent].some(({ text }) => holds(text, plan));
  return [...(isShown ? trailed : sayTo(trailed, wordsIn(language, PLAN, { plan }))), ...recent];
}

/** The characters of a conversation: texts, and the names and arguments of calls. */
export function charsOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + message.text.length + callChars(message), 0);
}

function callChars(message: Message): number {
  if (message.role !== "assistant") return 0;
  return message.toolCalls.reduce(
    (sum, { name, arguments: text }) => sum + name.length + text.length,
    0,
  );
}

/** A message of the model with all that came before its next one. */
type HistoryStep = readonly Message[];

function splitSteps(messages: readonly Message[]): {
  readonly head: readonly Message[];
  readonly steps: readonly HistoryStep[];
} {
  const starts = messages.flatMap(({ role }, index) => (role === "assistant" ? [index] : []));
  const steps = starts.map((start, index) => messages.slice(start, starts[index + 1]));
  return { head: messages.slice(0, starts[0]), steps };
}

/** Steps grow old in blocks of at least so many. */
const minBlock = 3;

/** How many steps are old: none until a whole block of them is. */
function olderCount(steps: number, keepSteps: number): number {
  const block = Math.max(minBlock, keepSteps);
  return Math.max(0, Math.floor((steps - keepSteps) / block) * block);
}

/** A step with its thought dropped and its results short. */
function compactStep(
  step: HistoryStep,
  messages: readonly Message[],
  { opensAt, withoutThought }: HistoryOptions,
): HistoryStep {
  return step.map((message) => {
    if (message.role === "assistant") {
      const { text, toolCalls } = message;
      const kept = withoutThought?.(text) ?? (toolCalls.length > 0 ? "" : text);
      return { ...message, text: kept, reasoning: "" };
    }
    if (opensAt !== undefined && message === messages[opensAt]) return message;
    return { ...message, text: withShortResults(message.text) };
  });
}

/** A text whose observations show the short size of their content, each in a whole fence. */
function withShortResults(text: string): string {
  return text.replaceAll(
    SHOWN_OBSERVATION,
    (shown, id: string, tool: string, status: string | undefined, content: string) => {
      if (content.length <= observationChars.short) return shown;
      return observationText({
        id,
        tool,
        input: null,
        content: shorten(content, observationChars.short),
        ok: status !== "failed",
        degraded: status === "degraded",
      });
    },
  );
}

/** The first user messages, with a line for every old step behind them, and the message that opened the stage. */
function withTrail(
  head: readonly Message[],
  older: readonly HistoryStep[],
  messages: readonly Message[],
  { opensAt, language, observations }: HistoryOptions,
): readonly Message[] {
  const opening = opensAt === undefined ? undefined : messages[opensAt];
  const opens = opening === undefined ? -1 : older.findIndex((step) => step.includes(opening));
  const known = observations ?? [];
  const before = trailOf(older.slice(0, opens + 1), known, language);
  const after = trailOf(older.slice(opens + 1), known, language);
  const middle = opens === -1 || opening === undefined ? "" : opening.text;
  return [before, middle, after].reduce(
    (shown, text) => (text === "" ? shown : sayTo(shown, text)),
    head,
  );
}

/** True where a text says a plan, and not a longer one that begins as it does. */
function holds(text: string, plan: string): boolean {
  const at = text.indexOf(plan);
  return at !== -1 && /^(?:$|\n(?!\d+\. ))/u.test(text.slice(at + plan.length));
}

const PLAN = definePrompt({
  en: "This plan replaces any plan above:\n{{plan}}",
  zh: "以下计划取代上文中的任何计划：\n{{plan}}",
});
