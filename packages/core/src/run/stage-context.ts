import type { TSchema } from "@sinclair/typebox";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { ToolCall } from "../contracts/message.ts";
import { type Language, type Prompt, type PromptValues, wordsIn } from "../contracts/prompt.ts";
import type { CheckReference } from "../contracts/schema.ts";
import type {
  AnswerDraft,
  Lesson,
  Observation,
  Plan,
  RunState,
  StateChange,
} from "../contracts/state.ts";
import type { SlotDeclaration } from "../contracts/slots.ts";
import type {
  BriefField,
  Branch,
  ChecksResult,
  GenerateRequest,
  ModelAbilities,
  ReplanRequest,
  Reply,
  Result,
  SlotResult,
  StageTool,
  StrategyContext,
} from "../contracts/strategy-context.ts";
import { InternalError, isLoopwrightError, messageOf } from "../errors/loopwright-error.ts";
import { callTools } from "../tools/call-tools.ts";
import { callsThatFit } from "../tools/calls-that-fit.ts";
import { actingChecks } from "./acting-checks.ts";
import { adopt } from "./adopt.ts";
import { askPerson, type Question } from "./ask-person.ts";
import { brief } from "./brief.ts";
import { evaluateIn } from "./compute.ts";
import { abilitiesOf, describeTools } from "./described-tools.ts";
import { type BranchWork, fanOut, type FanOutSettings } from "./fan-out.ts";
import { answerForm, fitAnswer } from "./fit-answer.ts";
import { generate } from "./generate.ts";
import { openStep } from "./open-step.ts";
import { offerReplan, replan } from "./replan.ts";
import { recallLessons, rememberLesson } from "./lessons.ts";
import { languageOf } from "./language-of.ts";
import { renderOption } from "./render-options.ts";
import { runAgent } from "./run-agent.ts";
import { runChecks } from "./run-checks.ts";
import {
  endsMore,
  keepChange,
  runSlot,
  slotBranch,
  slotNames,
  startOf,
  tryRunSlot,
} from "./run-slot.ts";
import { type Replanner, type Frame, StopSignal } from "./run-scope.ts";
import { saveChange } from "./save-change.ts";
import { tellFact } from "./tell-fact.ts";
import { verb } from "./verb.ts";

type AnySlots = Readonly<Record<string, SlotDeclaration>>;

/** The verbs of a strategy, bound to the frame of its stage. */
export function stageContext(frame: Frame): StrategyContext<AnySlots> {
  return new StageContext(frame) as unknown as StrategyContext<AnySlots>;
}

class StageContext {
  readonly #frame: Frame;
  #tools: readonly StageTool[] | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  get state(): RunState {
    return this.#frame.state;
  }

  get signal(): AbortSignal {
    return this.#frame.signal;
  }

  get tools(): readonly StageTool[] {
    this.#tools ??= describeTools(this.#frame);
    return this.#tools;
  }

  get language(): Language {
    return languageOf(this.#frame);
  }

  words<P extends string>(prompt: Prompt<P>, ...values: PromptValues<P>): string {
    return wordsIn(this.language, prompt, ...values);
  }

  abilities(voice = "default"): ModelAbilities {
    return abilitiesOf(this.#frame, voice);
  }

  answerForm(): string {
    return answerForm(this.#frame);
  }

  outputSchema(): JsonSchema | undefined {
    return this.#frame.run.linked.program.output?.schema;
  }

  fitAnswer(text: string): Promise<Result<AnswerDraft>> {
    return verb(this.#frame, "fitAnswer", (key) => fitAnswer(this.#frame, key, text));
  }

  offerReplan(max: number, make: Replanner["replan"]): void {
    offerReplan(this.#frame, max, make);
  }

  replan(request: ReplanRequest): Promise<Result<Plan>> {
    return verb(this.#frame, "replan", (key) => replan(this.#frame, key, request, stageContext));
  }

  hasSlot(slot: string): boolean {
    const isGiven = this.#frame.stage?.slots[slot] !== undefined;
    return isGiven || this.slotNames(slot).length > 0;
  }

  slotNames(slot: string): readonly string[] {
    return slotNames(this.#frame, slot);
  }

  render(option: string, bind: JsonObject = {}): Json {
    return renderOption(this.#frame, option, bind);
  }

  runAgent(inputs: JsonObject, task?: string): Promise<AnswerDraft> {
    return verb(this.#frame, "runAgent", (key) => runAgent(this.#frame, key, inputs, task));
  }

  hasModel(voice = "default"): boolean {
    const models = this.#frame.stage?.models ?? {};
    return models[voice] !== undefined || models["default"] !== undefined;
  }

  save(change: StateChange): void {
    saveChange(this.#frame, change);
  }

  step(index: number, max: number): void {
    openStep(this.#frame, index, max);
  }

  generate(
    request: GenerateRequest & { readonly schema?: TSchema },
  ): Promise<Reply & { value?: Json }> {
    return verb(this.#frame, "generate", (key) => generate(this.#frame, key, request, this.tools));
  }

  tryGenerate(request: GenerateRequest & { readonly schema?: TSchema }): Promise<Result<Reply>> {
    return verb(this.#frame, "generate", async (key) => {
      try {
        return { ok: true, value: await generate(this.#frame, key, request, this.tools) };
      } catch (thrown) {
        if (endsMore(thrown)) throw thrown;
        const code = isLoopwrightError(thrown) ? { code: thrown.code } : {};
        return { ok: false, reason: messageOf(thrown), ...code };
      }
    });
  }

  callTools(calls: readonly ToolCall[]): Promise<readonly Observation[]> {
    return verb(this.#frame, "callTools", (key) => callTools(this.#frame, key, calls));
  }

  callsThatFit(names: readonly string[]): readonly boolean[] {
    return callsThatFit(this.#frame, names);
  }

  runSlot(slot: string, change: { readonly with?: StateChange } = {}): Promise<void> {
    return verb(this.#frame, "runSlot", async () => {
      if (change.with !== undefined) saveChange(this.#frame, change.with);
      await runSlot(this.#frame, slot);
    });
  }

  tryRunSlot(slot: string): Promise<SlotResult> {
    return verb(this.#frame, "runSlot", (key) => tryRunSlot(this.#frame, key, slot));
  }

  fanOut(
    branches: readonly Branch<AnySlots>[],
    settings: FanOutSettings = {},
  ): Promise<readonly SlotResult[]> {
    const work = branches.map((branch) => branchWork(branch));
    return verb(this.#frame, "fanOut", (key) => fanOut(this.#frame, key, work, settings));
  }

  adopt(results: readonly SlotResult[], pick?: SlotResult): void {
    adopt(this.#frame, results, pick);
  }

  brief(fields: readonly BriefField[]): string {
    return brief(this.#frame.state, fields, this.language);
  }

  runChecks(references: readonly CheckReference[]): Promise<ChecksResult> {
    const frame = this.#frame;
    return verb(frame, "runChecks", (key) =>
      runChecks(frame, references, actingChecks(frame, key)),
    );
  }

  recall(memory: string, max: number): Promise<readonly Lesson[]> {
    return verb(this.#frame, "recall", (key) => recallLessons(this.#frame, key, memory, max));
  }

  remember(
    memory: string,
    lesson: Pick<Lesson, "trigger" | "failurePattern" | "lesson" | "avoid">,
  ): Promise<boolean> {
    return verb(this.#frame, "remember", (key) => rememberLesson(this.#frame, key, memory, lesson));
  }

  askPerson(question: Question): Promise<{ readonly answered: boolean; readonly reply: string }> {
    return verb(this.#frame, "askPerson", (key) => askPerson(this.#frame, key, question));
  }

  stop(reason: string): never {
    throw new StopSignal(reason);
  }

  evaluate(source: string): Json {
    const expression = this.#frame.stage?.expressions.get(source);
    if (expression === undefined)
      throw new InternalError(
        "contract-broken",
        `the expression \`${source}\` is not an option of the stage`,
      );
    return evaluateIn(this.#frame, expression);
  }

  conclude(): boolean {
    const { ledger, run, toolsOff } = this.#frame;
    return toolsOff !== undefined || ledger.isNearLimit() || run.isTimeNear();
  }

  refuseCalls(): void {
    const refusal = this.#frame.ledger.refuseToolCall();
    if (refusal !== undefined) throw refusal;
  }

  fact(name: string, data: Json): void {
    tellFact(this.#frame, name, data);
  }
}

function branchWork(branch: Branch<AnySlots>): BranchWork {
  const { run, slot } = branch;
  if (slot !== undefined) return slotBranch(branch, slot);
  return {
    ...startOf(branch),
    work: async (frame) => keepChange(frame, await run?.(stageContext(frame))),
  };
}
