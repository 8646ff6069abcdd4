import {
  Clock,
  createApp,
  type ExplainTree,
  explainProgram,
  type ProvidedService,
  provide,
  type Run,
  type RunEvent,
  type RunOutcome,
} from "@loopwright/core";
import type {
  Flow,
  Json,
  Language,
  PluginPackage,
  SlotDeclaration,
  StateField,
  StrategyDefinition,
  ToolDefinition,
} from "@loopwright/core/plugin";
import { testClock } from "../test-clock.ts";
import { withDefaults } from "./json-schema.ts";
import {
  answering,
  lookUp,
  oneLesson,
  standInModel,
  type StandInReplies,
  thinking,
  writing,
} from "./stand-ins.ts";

/** What a strategy is tried with. */
export interface StrategyConformance {
  /** Its options, as a spec gives them. Slots are filled by the suite. */
  readonly options?: Readonly<Record<string, Json>>;
  /** The project, for options that name a file in it. */
  readonly root?: string;
  /** Optional slots that it has no use for with these options; the suite leaves them out. */
  readonly unusedSlots?: readonly string[];
  /** What the model says; the smallest fitting reply where left out. */
  readonly replies?: StandInReplies;
  /** Tools that it may call beside the suite's own. */
  readonly tools?: readonly ToolDefinition[];
  /** Services that it asks for beyond core's own. */
  readonly services?: readonly ProvidedService[];
}

/** How one run of the suite is set up. */
export interface StageSetting {
  readonly replies: StandInReplies;
  /** The fields written before the stage. */
  readonly before: readonly StateField[];
  readonly slots: "required" | "all";
  /** Without the stage itself, to see the state before it. */
  readonly isLeftOut?: boolean;
  readonly onRun?: (run: Run) => void;
  /** That of the spec; English where left out. */
  readonly language?: Language;
}

/** One run of a strategy in a spec of its own. */
export interface StageRun {
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
  readonly explained: ExplainTree["stages"][number] | undefined;
}

/** Compiles a spec made for the strategy, runs it through core with a stand-in model, and answers every question. */
export async function runStage(
  definition: StrategyDefinition,
  given: StrategyConformance,
  setting: StageSetting,
): Promise<StageRun> {
  const app = await createApp({
    ...(given.root === undefined ? {} : { root: given.root }),
    plugins: [packageOf(definition, given, setting)],
    // A clock that stands still: equal runs have equal times.
    services: [provide(Clock, testClock()), ...(given.services ?? [])],
    discovery: false,
    env: {},
  });
  try {
    const program = await app.compile({ text: JSON.stringify(specOf(definition, given, setting)) });
    const explained = explainProgram(program.program).stages.find(({ id }) => id === "subject");
    const run = app.start(program, {});
    const events: RunEvent[] = [];
    run.on("*", (event) => {
      events.push(event);
      if (event.name === "question.asked")
        run.respond(event.data.id, { reply: event.data.options[0] ?? "Yes." });
    });
    setting.onRun?.(run);
    return { outcome: await run.outcome, events, explained };
  } finally {
    await app.close();
  }
}

/** The flow of the strategy under the options given, with the slots that it can't do without. */
export function flowOf(definition: StrategyDefinition, given: StrategyConformance): Flow {
  const slots = Object.keys(definition.slots).filter((name) => !definition.slots[name]?.optional);
  return definition.flow(withDefaults(definition.options, given.options) as never, slots);
}

function packageOf(
  definition: StrategyDefinition,
  given: StrategyConformance,
  setting: StageSetting,
): PluginPackage {
  const model = standInModel(setting.replies);
  const before = writing(setting.before);
  const own = [definition, answering, thinking, before].map((strategy) => ({
    kind: "strategy" as const,
    id: strategy.id,
    load: async () => strategy,
  }));
  return {
    name: "@loopwright/testkit",
    entries: [
      ...own,
      { kind: "provider", id: model.id, load: async () => model },
      ...[lookUp, ...(given.tools ?? [])].map((tool) => ({
        kind: "tool" as const,
        id: tool.id,
        load: async () => tool,
      })),
      { kind: "memory", id: oneLesson.id, load: async () => oneLesson },
    ],
  };
}

function specOf(
  definition: StrategyDefinition,
  given: StrategyConformance,
  setting: StageSetting,
): Json {
  const slots = Object.entries(definition.slots)
    .filter(([, slot]) => setting.slots === "all" || !slot.optional)
    .filter(([name]) => given.unusedSlots?.includes(name) !== true)
    .map(([name, slot]) => [name, slotFill(name, slot)] as const);
  const subject = { id: "subject", ...given.options, ...Object.fromEntries(slots) };
  return {
    apiVersion: "loopwright/v1",
    name: "conformance",
    ...(setting.language === undefined ? {} : { language: setting.language }),
    task: { text: "How many are 2 and 2?" },
    model: { use: "testkit-model/any" },
    tools: ["testkit/look-up", ...(given.tools ?? []).map(({ id }) => id)],
    memory: { lessons: { use: "testkit/one-lesson" } },
    strategy: [
      { "testkit/write": { id: "before" } },
      ...(setting.isLeftOut === true ? [] : [{ [definition.id]: subject }]),
    ],
  };
}

/** A stage for a slot; two for one that takes several, of which one answers where they run beside each other. */
function slotFill(name: string, { form, order, under }: SlotDeclaration): Json {
  const answer = (id: string): Json => ({ "testkit/answer": { id } });
  if (form === "one") return answer(`in-${name}`);
  const second = order === "beside" ? "testkit/think" : "testkit/answer";
  const two = [
    ["first", answer(`in-${name}-first`)],
    ["second", { [second]: { id: `in-${name}-second` } }],
  ] as const;
  if (form === "listed") return two.map(([, stage]) => stage);
  if (under === undefined) return Object.fromEntries(two);
  return Object.fromEntries(
    two.map(([child, stage]) => [child, { description: `The ${child} of two.`, [under]: stage }]),
  );
}
