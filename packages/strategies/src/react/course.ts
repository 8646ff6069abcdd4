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
import { behindLast, heardIn } from "./tail.ts";
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
    const { thought, considered, calls, fault } = move;
    if (thought !== "") this.context.fact("thought.given", { text: thought, isEvidence: false });
    if (considered.length > 0) {
      const chosen = calls.length === 0 ? "answer" : calls.map(({ name }) => name).join(", ");
      const others = considered.map(({ option, reason }) => ({ option, reason }));
      this.context.fact("choice.made", { chosen, considered: others });
    }
    this.guide.judgeThought(thought);
    if (fault === undefined) this.#faults = 0;
    return move;
  }

  /** What goes to the model for the last step; its words are a message of the user, wherever they stand. */
  lastTalk(step: number, words: string): Talk {
    const parts = [...this.guide.wordsFor(step, this.messages), words];
    return say({ ...this.#talk, messages: this.#view() }, parts.join("\n"));
  }

  /** Takes into the conversation what was sent and what was said back. */
  keep(asked: Talk, { sent, message }: Pick<Move, "sent" | "message">): void {
    const heard = heardIn(this.messages, asked, sent);
    this.#talk = { messages: message === undefined ? heard : [...heard, message] };
  }

  /** Adds what the model reads next. */
  tell(messages: readonly Message[]): void {
    this.#talk = { messages: [...this.messages, ...messages] };
  }

  /** Says back why a reply is no step; after the second in a row the loop ends. */
  reject(fault: Fault): void {
    const { reason, isFinal = false } = fault;
    this.#faults = isFinal ? maxFaults : this.#faults + 1;
    const count = this.#faults;
    this.context.fact("format.rejected", { mode: this.mode.id, count, reason });
    if (count >= maxFaults) this.ending = `${count} replies in a row could not be used: ${reason}`;
    this.#talk = { messages: sayTo(this.messages, this.mode.faultText(fault)) };
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
    this.tell([{ role: "user", text: request }]);
    return true;
  }

  /** What goes to the model for a step: the conversation, and behind it what this step alone is told. */
  #shown(step: number): Talk {
    const tail = this.guide.wordsFor(step, this.messages).join("\n");
    const messages = this.#view();
    const { prompt } = this.#talk;
    if (prompt === undefined) return { messages: behindLast(messages, tail) };
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
      ...(withoutThought === undefined ? {} : { withoutThought }),
    });
  }
}

const BUDGET: Prompt<"max"> = definePrompt({
  en: "You have at most {{max}} steps; the last one is for the answer.",
  zh: "你最多有 {{max}} 步，最后一步用来给出答案。",
});
