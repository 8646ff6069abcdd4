import { createApp, type RunEvent, type RunOutcome } from "@loopwright/core";
import {
  defineTool,
  type ProviderRequest,
  type ToolContext,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { builtIn, packageOf } from "../promises/run-scripted.ts";
import type { RecordedRun, RecordedStep } from "./recorded-run.ts";
import type { RecordedTool } from "./recorded-tools.ts";

/** A published run that was run again: the model says what it said, the tools return what they returned. */
export interface Replay<R extends RecordedRun = RecordedRun> {
  readonly run: R;
  readonly outcome: RunOutcome;
  readonly events: readonly RunEvent[];
  readonly requests: readonly ProviderRequest[];
  /** The steps whose call reached its tool, in order. */
  readonly executed: readonly RecordedStep[];
}

/** How published runs are run again. */
export interface ReplaySettings {
  readonly tools: readonly RecordedTool[];
  /** The options of the `react` stage, in YAML flow style. */
  readonly react: string;
  /** The policies of each tool beside its size, as in `repeat: 9`. */
  readonly policy?: string;
  /** How the model says a step; native calls unless told. */
  readonly say?: (step: RecordedStep) => ScriptedReply | string;
  /** How the model says its last words. */
  readonly sayAnswer?: (answer: string, request: ProviderRequest) => ScriptedReply | string;
  /** Whether a request takes further calls; by its tools unless told. */
  readonly mayCall?: (request: ProviderRequest) => boolean;
}

/** Where one run stands. */
class Cursor {
  said = 0;
  readonly requests: ProviderRequest[] = [];
  readonly executed: RecordedStep[] = [];
  readonly run: RecordedRun;

  constructor(run: RecordedRun) {
    this.run = run;
  }

  /** The result of the call that the model made last; another call than the recorded one is a fault. */
  execute(tool: string, input: unknown): string {
    const step = this.run.steps[this.said - 1];
    const asked = JSON.stringify([tool, input]);
    if (step === undefined || asked !== JSON.stringify([step.tool, step.input]))
      throw new Error(`${this.run.name}: step ${this.said} is not ${asked}`);
    this.executed.push(step);
    return step.observation;
  }
}

/** Runs published runs again, each through one `react` stage, one after the other in one app. */
export async function replayAll<R extends RecordedRun>(
  runs: readonly R[],
  settings: ReplaySettings,
): Promise<readonly Replay<R>[]> {
  const cursors = new Map<string, Cursor>();
  const cursorOf = (id: string): Cursor => {
    const cursor = cursors.get(id);
    if (cursor === undefined) throw new Error(`no recorded run has the id ${id}`);
    return cursor;
  };
  const model = scriptedProvider("stub", (request) =>
    nextReply(cursorOf(request.runId), request, settings),
  );
  const tools = settings.tools.map((tool) => definitionOf(tool, cursorOf));
  const app = await createApp({
    plugins: [...builtIn, packageOf([model, ...tools])],
    discovery: false,
    env: {},
  });
  try {
    const program = await app.compile({ text: specText(settings) });
    const replays: Replay<R>[] = [];
    for (const run of runs) {
      const cursor = new Cursor(run);
      cursors.set(run.name, cursor);
      const started = app.start(program, { task: run.task }, { id: run.name });
      const events: RunEvent[] = [];
      started.on("*", (event) => events.push(event));
      const outcome = await started.outcome;
      const { requests, executed } = cursor;
      replays.push({ run, outcome, events, requests, executed });
    }
    return replays;
  } finally {
    await app.close();
  }
}

function nextReply(
  cursor: Cursor,
  request: ProviderRequest,
  { say = sayNative, sayAnswer = (answer) => answer, mayCall = hasTools }: ReplaySettings,
): ScriptedReply | string {
  cursor.requests.push(request);
  const step = mayCall(request) ? cursor.run.steps[cursor.said] : undefined;
  if (step === undefined) return sayAnswer(cursor.run.answer, request);
  cursor.said += 1;
  return say(step);
}

function hasTools({ tools }: ProviderRequest): boolean {
  return tools.length > 0;
}

function sayNative({ tool, input, thought = "", id }: RecordedStep): ScriptedReply {
  return {
    text: thought,
    calls: [{ name: tool, arguments: input, ...(id === undefined ? {} : { id }) }],
  };
}

function definitionOf(
  { name, isThought, input }: RecordedTool,
  cursorOf: (runId: string) => Cursor,
): ToolDefinition {
  return defineTool({
    id: name,
    description: `What ${name} returned in the published run.`,
    options: Type.Object({}),
    input: () => input,
    effect: "idempotent",
    thought: isThought,
    create: () => (given: unknown, call: ToolContext) => cursorOf(call.runId).execute(name, given),
  });
}

/** No result is cut: what the log holds is what the model is told. */
function specText({ tools, react, policy }: ReplaySettings): string {
  const policies = ["maxResult: 100000", ...(policy === undefined ? [] : [policy])].join(", ");
  const entries = tools.map(({ name }) => `  ${name}: { ${policies} }`);
  return `apiVersion: loopwright/v1
name: replay
model: stub/model
tools:
${entries.join("\n")}
strategy: { react: ${react} }
`;
}
