import type { Readable, Writable } from "node:stream";
import type * as clack from "@clack/prompts";
import type { AgentAnswers } from "./agent-files.ts";

/** The keyboard and the screen; left out, those of the process. */
export interface Screen {
  readonly input?: Readable;
  readonly output?: Writable;
}

/** What can be chosen. */
export interface Choices {
  readonly models: readonly string[];
  readonly tools: readonly string[];
  readonly strategies: readonly { readonly id: string; readonly summary: string }[];
  /** What is wrong with a task; undefined for nothing. */
  readonly taskFault: (task: string) => Promise<string | undefined>;
}

/** Asks for every answer that `given` lacks, with those of `defaults` filled in; undefined after Ctrl-C. */
export async function askAnswers(
  given: Partial<AgentAnswers>,
  defaults: AgentAnswers,
  choices: Choices,
  screen: Screen = {},
): Promise<AgentAnswers | undefined> {
  const prompts = await import("@clack/prompts");
  const questions = questionsOf(prompts, defaults, choices, screen);
  const ask = async (key: keyof AgentAnswers): Promise<unknown> => {
    const said = await questions[key]();
    const fault = key === "task" ? await faultIn(said, choices) : undefined;
    if (fault === undefined) return said;
    prompts.log.error(fault, screen);
    return ask(key);
  };
  const answers: Partial<Record<keyof AgentAnswers, unknown>> = { ...given };
  for (const key of Object.keys(questions) as (keyof AgentAnswers)[]) {
    if (answers[key] !== undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- a person answers one question after the other
    const said = await ask(key);
    if (prompts.isCancel(said)) return undefined;
    answers[key] = said;
  }
  return answers as AgentAnswers;
}

async function faultIn(task: unknown, { taskFault }: Choices): Promise<string | undefined> {
  return typeof task === "string" && task !== "" ? taskFault(task) : undefined;
}

/** The questions, in the order in which they are asked. */
function questionsOf(
  { select, multiselect, text }: typeof clack,
  defaults: AgentAnswers,
  { models, tools, strategies }: Choices,
  screen: Screen,
): { readonly [K in keyof AgentAnswers]: () => Promise<AgentAnswers[K] | symbol> } {
  return {
    name: () =>
      text({
        ...screen,
        message: "What is the agent called?",
        initialValue: defaults.name,
        validate: (said) => nameFault(said ?? ""),
      }),
    model: () =>
      text({
        ...screen,
        message: `Which model? (${models.join(", ")}, followed by /NAME)`,
        initialValue: defaults.model,
        validate: (said) => modelFault(said ?? ""),
      }),
    task: () =>
      text({
        ...screen,
        message: "What does it do? (empty: each run says it)",
        defaultValue: defaults.task,
        placeholder: "Answer the customer.",
      }),
    tools: () =>
      multiselect({
        ...screen,
        message: "Which tools may it call?",
        options: tools.map((value) => ({ value })),
        initialValues: [...defaults.tools],
        required: false,
      }),
    strategy: () =>
      select({
        ...screen,
        message: "How does it work?",
        options: strategies.map(({ id, summary }) => ({ value: id, hint: summary })),
        initialValue: defaults.strategy,
      }),
  };
}

/** What is wrong with a name; undefined for nothing. */
export function nameFault(name: string): string | undefined {
  return /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/u.test(name)
    ? undefined
    : "a name is kebab-case, like order-desk";
}

/** What is wrong with a model; undefined for nothing. */
export function modelFault(model: string): string | undefined {
  if (model.startsWith("replay/")) {
    return "replay repeats a run from its log, which init does not have; scripted/NAME runs offline too";
  }
  return /^[^/\s]+\/\S+$/u.test(model)
    ? undefined
    : "a model is written provider/name, like deepseek/deepseek-v4-flash";
}
