import {
  definePrompt,
  type Message,
  type Prompt,
  type RunState,
  type StrategyContext,
  type ToolDescription,
} from "@loopwright/core/plugin";
import { sayTo } from "../shared/conversation.ts";
import { openTalk, say, type Talk } from "../shared/thread.ts";
import type { CourseOptions } from "./course-options.ts";
import { Guide } from "./guide.ts";
import { historyOf } from "./history.ts";
import { modeOf } from "./mode-of.ts";
import type { Fault, Mode, Move } from "./mode.ts";
import { actionsOf } from "./plan-action.ts";
import { heardIn } from "./tail.ts";
import { thoughtPrompt } from "./thought-rules.ts";

/** So many steps are always shown whole. */
const keepSteps = 3;
/** So many replies in a row that are no step end the loop. */
const maxFaults = 2;

/** One acting stage on its way: the conversation, how it is spoken, and why it has to end. */
export class Course {
  readonly context: StrategyContext;
  readonly options: CourseOptions;
  readonly mode: Mode;
  readonly guide: Guide;
  readonly actions: readonly ToolDescription[];
  /** Why the loop has to end before its last step; the run says so. */
  ending: string | undefined;
  /** An answer that waits for a reflection. */
  draft: Move["answer"];
  #talk: Talk;
  #faults = 0;
  /** What the next step alone is told before anything else. */
  #nudge = "";
  /** What the model is told of its reply beside the results of the step. */
  #leftOut = "";
  readonly #opensAt: number;

  constructor(state: RunState, context: StrategyContext, options: CourseOptions) {
    this.context = context;
    this.options = options;
    this.guide = new Guide(context, options);
    const actions = actionsOf(context);
    this.actions = actions;
    const { mode, maxCallsPerStep } = options;
    const rules = thoughtPrompt(options.thoughts, context.language);
    this.mode = modeOf(mode, { context, actions, maxCallsPerStep, rules });
    const talk = openTalk(state, (fields) => context.brief(fields), context.language);
    const { maxSteps: max } = options;
    const told = max === 1 ? talk : say(talk, context.words(BUDGET, { max }));
    this.#talk = { ...told, bind: { maxSteps: max } };
    this.#opensAt = this.#talk.messages.length;
  }

  /** All that was said so far, without the words that were for one step alone. */
  get messages(): readonly Message[] {
    return this.#talk.messages;
  }

  /** Asks for a step, and tells what was thought and weighed. */
  async ask(step: number): Promise<Move> {
    this.guide.askForReflection(step);
    const asked = this.#shown(step);
    const move = await this.mode.ask(asked, step);
    this.keep(asked, move);
    const { thought, considered, calls, answer, fault, dropped = [] } = move;
    if (dropped.length > 0) this.context.fact("format.dropped", { mode: this.mode.id, dropped });
    this.#leftOut = move.leftOut ?? "";
    if (thought !== "") this.context.fact("thought.given", { text: thought, isEvidence: false });
    if (considered.length > 0) {
      const isAnswer = answer !== undefined || calls.length === 0;
      const chosen = isAnswer ? "answer" : calls.map(({ name }) => name).join(", ");
      const others = considered.map(({ option, reason }) => ({ option, reason }));
      this.context.fact("choice.made", { chosen, considered: others });
    }
    this.guide.judgeThought(thought);
    if (fault === undefined) this.#faults = 0;
    return move;
  }

  /** What goes to the model for the last step: as for any other, and the words that ask for the answer. */
  lastTalk(step: number, words: string): Talk {
    return this.#shown(step, words);
  }

  /** Takes into the conversation what was sent and what was said back. */
  keep(asked: Talk, { sent, message }: Pick<Move, "sent" | "message">): void {
    const heard = heardIn(this.messages, asked, sent);
    this.#talk = { messages: [...heard, ...this.#kept(message)] };
  }

  /** A message that says nothing is none; and calls that a mode does not take would stay without results. */
  #kept(message: Move["message"]): readonly Message[] {
    if (message === undefined) return [];
    const toolCalls = this.mode.id === "native" ? message.toolCalls : [];
    const isEmpty = message.text.trim() === "" && toolCalls.length === 0;
    return isEmpty ? [] : [{ ...message, toolCalls }];
  }

  /** Adds what the model reads next, and what of its reply was left out. */
  tell(messages: readonly Message[]): void {
    const all = [...this.messages, ...messages];
    this.#talk = { messages: this.#leftOut === "" ? all : sayTo(all, this.#leftOut) };
    this.#leftOut = "";
  }

  /**
   * Says back why a reply is no step; after the second in a row, or one that was asked for again already, the loop ends. Where
   * the reply left no message, only the next step is told.
   */
  reject(fault: Fault): void {
    const { reason, isFinal = false } = fault;
    this.#faults += 1;
    const count = this.#faults;
    this.context.fact("format.rejected", { mode: this.mode.id, count, reason });
    if (isFinal) this.ending = `the step could not be read, also after repair: ${reason}`;
    else if (count >= maxFaults)
      this.ending = `${count} replies in a row could not be used: ${reason}`;
    const text = this.mode.faultText(fault);
    if (this.messages.at(-1)?.role === "assistant")
      this.#talk = { messages: sayTo(this.messages, text) };
    else if (!isFinal) this.#nudge = text;
  }

  /** True for a silent reply right after one that was no step either. */
  isSilentAgain({ isSilent = false }: Fault): boolean {
    return isSilent && this.#faults > 0;
  }

  /** True where the model has to reflect before its answer counts; the answer is kept for the end. */
  reflectsFirst(step: number, answer: NonNullable<Move["answer"]>): boolean {
    if (this.draft !== undefined) return false;
    const request = this.guide.reflectionRequest(step, true);
    if (request === undefined) return false;
    this.draft = answer;
    this.#talk = { messages: sayTo(this.messages, request) };
    return true;
  }

  /** What goes to the model for a step: the conversation, and behind it what this step alone is told. */
  #shown(step: number, ...words: readonly string[]): Talk {
    const callsPerStep = this.mode.id === "text" ? 1 : this.options.maxCallsPerStep;
    const of = { callsPerStep, isLast: words.length > 0 };
    const told = [...this.guide.wordsFor(step, this.messages, of), ...words].join("\n");
    const tail = [this.#nudge, told].filter((text) => text !== "").join("\n\n");
    this.#nudge = "";
    const messages = this.#view();
    const { prompt } = this.#talk;
    if (prompt === undefined) return { messages, tail };
    return { ...this.#talk, messages, prompt: tail === "" ? prompt : `${prompt}\n\n${tail}` };
  }

  /** The conversation as the option `history` shows it. */
  #view(): readonly Message[] {
    const { context, options, mode, messages } = this;
    const { withoutThought } = mode;
    return historyOf(messages, {
      mode: options.history,
      keepSteps,
      opensAt: this.#opensAt,
      language: context.language,
      observations: context.state.observations,
      plan: this.guide.newerPlan(),
      ...(withoutThought === undefined ? {} : { withoutThought }),
    });
  }
}

const BUDGET: Prompt<"max"> = definePrompt({
  en: "You have at most {{max}} steps; the last one is for the answer.",
  zh: "你最多有 {{max}} 步，最后一步用来给出答案。",
});
