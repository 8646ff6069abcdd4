import type { Message, Observation, StrategyContext } from "@loopwright/core/plugin";
import type { CourseOptions } from "./course-options.ts";
import { charsOf } from "./history.ts";
import { type NearStep, nearRepeat, nearRepeatText } from "./near-repeats.ts";
import { progressNote } from "./progress-note.ts";
import { reflectionMoment, reflectionRequest, type ReflectionView } from "./reflection-moments.ts";
import { breachText, thoughtBreaches } from "./thought-rules.ts";

/** From so many characters on the hard constraints are far away, and said once more. */
const maxCharsBefore = 6_000;

/** What the words of a step depend on beside the state. */
interface StepWords {
  readonly callsPerStep: number;
  /** True where the step has to answer. */
  readonly isLast?: boolean;
}

/** Looks at how the steps of a stage go, and keeps what the next one has to be told beside the conversation. */
export class Guide {
  /** True while a step of the plan has ended since the last reflection. */
  hasEndedStep = false;
  /** True where near-equal thoughts lead to the same calls, after hints too. */
  isCircling = false;
  readonly #context: StrategyContext;
  readonly #options: CourseOptions;
  readonly #observedBefore: number;
  readonly #steps: NearStep[] = [];
  #hints: string[] = [];
  #hasBreached = false;
  /** How many observations there were when a reflection was asked for last. */
  #askedAt: number | undefined;
  /** The revision of the plan in the first message; of a thread that goes on, nobody knows. */
  readonly #toldPlan: number | undefined;
  #newerPlan: { readonly planRevision: number; readonly text: string } | undefined;

  constructor(context: StrategyContext, options: CourseOptions) {
    this.#context = context;
    this.#options = options;
    const { observations, thread, planRevision } = context.state;
    this.#observedBefore = observations.length;
    this.#toldPlan = thread === undefined ? planRevision : undefined;
  }

  /** What this stage has observed. */
  get observations(): readonly Observation[] {
    return this.#context.state.observations.slice(this.#observedBefore);
  }

  /** What the step is told, and it alone; the first one reads all of that in its prompt. */
  wordsFor(
    step: number,
    messages: readonly Message[],
    { callsPerStep, isLast = false }: StepWords,
  ): readonly string[] {
    const hints = this.#hints;
    this.#hints = [];
    if (step === 1) return hints;
    const { maxSteps: max } = this.#options;
    const context = this.#context;
    const saysConstraints = charsOf(messages) > maxCharsBefore;
    const progress = { step, max, callsPerStep, isLast, saysConstraints };
    return [progressNote(context.state, progress, context.language), ...hints];
  }

  /** The plan where it is not the one that the conversation began with, as it stood when it was first looked at. */
  newerPlan(): string {
    const { planRevision } = this.#context.state;
    if (planRevision === this.#toldPlan) return "";
    if (this.#newerPlan?.planRevision !== planRevision)
      this.#newerPlan = { planRevision, text: this.#context.brief(["plan"]) };
    return this.#newerPlan.text;
  }

  /** Asks the next step for a reflection where its moment has come. */
  askForReflection(step: number): void {
    const request = step === 1 ? undefined : this.reflectionRequest(step, false);
    if (request !== undefined) this.#hints.push(request);
  }

  /** The words that ask for a reflection, where its moment has come. */
  reflectionRequest(step: number, isAnswering: boolean): string | undefined {
    const { tools, language } = this.#context;
    const { hasEndedStep, observations } = this;
    const stepsLeft = this.#options.maxSteps - step;
    const asked = this.#askedAt === undefined ? {} : { askedAt: this.#askedAt };
    const view: ReflectionView = {
      tools,
      observations,
      hasEndedStep,
      isAnswering,
      stepsLeft,
      ...asked,
    };
    const moment = reflectionMoment(view, this.#options);
    if (moment === undefined) return undefined;
    this.#askedAt = observations.length;
    this.hasEndedStep = false;
    this.#context.fact("reflection.asked", { moment });
    return reflectionRequest(view, moment, language);
  }

  /** A thought that breaks a rule is told, and answered once. */
  judgeThought(thought: string): void {
    const { state, language } = this.#context;
    const breaches = thoughtBreaches(thought, this.#options.thoughts, state);
    for (const { rule, detail } of breaches)
      this.#context.fact("thought.rule-broken", { rule, detail });
    if (breaches.length === 0 || this.#hasBreached) return;
    this.#hasBreached = true;
    this.#hints.push(breachText(breaches, language));
  }

  /** Why the loop has to end, where near-equal thoughts have led to equal calls after a hint too. */
  faultOfStep(step: NearStep): string | undefined {
    this.#steps.push(step);
    const near = nearRepeat(this.#steps);
    if (near === undefined) return undefined;
    const { times, measure } = near;
    this.#context.fact("near-repeat", { times, measure });
    if (measure === "tools-off") {
      this.isCircling = true;
      return `near-equal thoughts led to the same calls ${times} times, with the same results`;
    }
    this.#hints.push(nearRepeatText(times, this.#context.language));
    return undefined;
  }
}
