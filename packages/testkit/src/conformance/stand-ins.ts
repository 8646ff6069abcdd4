import {
  defineMemory,
  defineProvider,
  defineStrategy,
  defineTool,
  generations,
  type Lesson,
  type MemoryDefinition,
  NO_BOUNDS,
  NO_USAGE,
  type ProviderDefinition,
  type ProviderRequest,
  type StateField,
  type StrategyContext,
  type StrategyDefinition,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { sampleOf } from "./sample-of-schema.ts";

/** What a stand-in model says: plain text, or text with calls of tools by their names on the wire. */
export type StandInReply =
  | string
  | {
      readonly text?: string;
      readonly calls: readonly { readonly name: string; readonly arguments: string }[];
    };

/** What a stand-in model says to each request; what it throws is the provider's failure. */
export type StandInReplies = (request: ProviderRequest) => StandInReply;

/** The smallest reply that fits what is asked for. */
export function fittingReply(request: ProviderRequest): StandInReply {
  return request.output === undefined
    ? "It is 4."
    : JSON.stringify(sampleOf(request.output.schema));
}

/** A model that says what a test tells it to. */
export function standInModel(replies: StandInReplies): ProviderDefinition {
  return defineProvider({
    id: "testkit-model",
    description: "Says what a conformance suite tells it to.",
    options: Type.Object({}),
    free: ["testkit-model"],
    create: () => ({
      generate: async (request, { signal }) => {
        signal.throwIfAborted();
        const reply = replies(request);
        const { text = "", calls } = typeof reply === "string" ? { text: reply, calls: [] } : reply;
        const toolCalls = calls.map((call, index) => ({
          ...call,
          id: `call-${request.messages.length}-${index}`,
        }));
        return {
          message: { role: "assistant", text, reasoning: "", toolCalls },
          usage: NO_USAGE,
          finishReason: calls.length > 0 ? "tool-calls" : "stop",
        };
      },
      capabilities: () => ({
        tools: true,
        structured: "json-schema",
        price: { input: 0, output: 0 },
      }),
    }),
  });
}

/** A tool that finds something else for every question. */
export const lookUp: ToolDefinition = defineTool({
  id: "testkit/look-up",
  description: "Looks a word up, for conformance suites only.",
  options: Type.Object({}),
  input: Type.Object({ word: Type.String({ description: "Any word." }) }),
  effect: "read",
  create:
    () =>
    ({ word }) =>
      `${word} is found`,
});

const LESSON: Lesson = {
  id: "lesson-1",
  trigger: "a sum",
  failurePattern: "counted in the head",
  lesson: "write the sum down",
  avoid: "",
  source: "run-0",
  time: "2026-08-24T00:00:00.000Z",
  scope: "conformance",
  uses: 1,
};

/** A memory that always holds one lesson and takes every other. */
export const oneLesson: MemoryDefinition = defineMemory({
  id: "testkit/one-lesson",
  description: "Holds one lesson, for conformance suites only.",
  options: Type.Object({}),
  create: () => ({
    recall: async () => [LESSON],
    add: async (draft) => ({ added: true, lesson: { ...draft, id: "lesson-2", uses: 0 } }),
    list: async () => [LESSON],
    remove: async () => false,
    prune: async () => 0,
  }),
});

/** A stage for a slot: one call, one answer. */
export const answering: StrategyDefinition = defineStrategy({
  id: "testkit/answer",
  description: "Answers in one call, for conformance suites only.",
  options: Type.Object({}),
  flow: { sets: ["answer"] },
  bounds: () => generations(1),
  async run(_state, context) {
    const reply = await context.generate({ prompt: context.brief(["task"]), answer: true });
    return { answer: reply.answer ?? { text: reply.text } };
  },
});

/** A stage for a slot whose children run beside one that answers: one call, and nothing of it kept. */
export const thinking: StrategyDefinition = defineStrategy({
  id: "testkit/think",
  description: "Asks once and keeps nothing, for conformance suites only.",
  options: Type.Object({}),
  flow: {},
  bounds: () => generations(1),
  async run(_state, context) {
    await context.generate({ prompt: context.brief(["task"]) });
  },
});

/** A stage that writes fields without a model, for stages that read them. */
export function writing(fields: readonly StateField[]): StrategyDefinition {
  return defineStrategy({
    id: "testkit/write",
    description: "Writes parts of the state without a model, for conformance suites only.",
    options: Type.Object({}),
    flow: { sets: fields },
    bounds: () => ({ ...NO_BOUNDS, toolCalls: [0, 1] }),
    async run(_state, context) {
      for (const field of fields) await writers[field](context);
    },
  });
}

const writers: Readonly<Record<StateField, (context: StrategyContext) => void | Promise<unknown>>> =
  {
    plan: (context) =>
      context.save({
        plan: {
          goal: "Add two numbers.",
          constraints: [],
          conflicts: [],
          steps: [
            {
              id: "step-1",
              objective: "Add them.",
              needsExternalInfo: false,
              successCondition: "The sum is known.",
              dependsOn: [],
              status: "open",
              evidence: [],
            },
          ],
        },
      }),
    observations: (context) => {
      const call = { id: "call-0", name: "testkit_look-up", arguments: '{"word":"sum"}' };
      return context.callTools([call]);
    },
    answer: (context) => context.save({ answer: { text: "It is 5." } }),
    verdict: (context) =>
      context.save({
        verdict: {
          outcome: "revise",
          issues: [
            {
              kind: "contradiction",
              detail: "2 and 2 are not 5.",
              requiredAction: "Add again.",
              needs: "rewrite",
            },
          ],
        },
      }),
    candidates: (context) =>
      context.save({ candidates: [{ id: "candidate-1", text: "It is 5.", evidence: [] }] }),
    lessons: (context) =>
      context.remember("run", {
        trigger: "a sum",
        failurePattern: "",
        lesson: "count twice",
        avoid: "",
      }),
    thread: (context) =>
      context.save({
        thread: {
          messages: [
            { role: "user", text: "How many are 2 and 2?" },
            { role: "assistant", text: "It is 5.", reasoning: "", toolCalls: [] },
          ],
        },
      }),
  };
