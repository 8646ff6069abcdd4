import type { JsonObject } from "@loopwright/core";
import { fixtureLines } from "./read-fixture.ts";
import type { RecordedRun, RecordedStep } from "./recorded-run.ts";

/** A message of a published conversation, as the vendor writes it. */
interface LoggedMessage {
  readonly role: "user" | "assistant" | "tool";
  readonly content: string | null;
  readonly tool_calls?: readonly LoggedCall[];
  readonly tool_call_id?: string;
  readonly name?: string;
}

interface LoggedCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

interface LoggedEpisode {
  readonly task_id: number;
  readonly reward: number;
  readonly traj: readonly LoggedMessage[];
}

/** One of the 50 published conversations with a simulated customer. */
export interface AirlineEpisode extends RecordedRun {
  readonly reward: number;
  readonly messages: readonly LoggedMessage[];
}

/** The tool by which the model speaks to the customer: the benchmark's own name for what is not a call. */
export const RESPOND = "respond";

/** What the simulated customer writes when all is done; it is no word to the model. */
const STOP = "###STOP###";

/** What the last message of a run is called where the conversation ends with a call. */
const HANDED_OVER = "You are handed over to a person.";

/** The 50 episodes: words to the customer become calls of `respond`, and the customer's words what it returns. */
export function airlineEpisodes(): readonly AirlineEpisode[] {
  const episodes = fixtureLines(
    "tau-bench/gpt-4o-airline-trial0.jsonl.gz",
  ) as readonly LoggedEpisode[];
  return episodes.map(({ task_id: id, reward, traj }) => {
    const [first, ...rest] = traj;
    const ending = rest.at(-1)?.content?.includes(STOP) === true ? rest.at(-2) : undefined;
    const said = ending === undefined ? rest : rest.slice(0, -2);
    return {
      name: `airline-${id}`,
      reward,
      messages: traj,
      task: first?.content ?? "",
      steps: said.flatMap((message, index) => toSteps(message, said[index + 1])),
      answer: ending?.content ?? HANDED_OVER,
    };
  });
}

function toSteps(message: LoggedMessage, next: LoggedMessage | undefined): readonly RecordedStep[] {
  if (message.role !== "assistant") return [];
  const observation = next?.content ?? "";
  const [call] = message.tool_calls ?? [];
  if (call === undefined)
    return [{ tool: RESPOND, input: { content: message.content ?? "" }, observation }];
  const { name, arguments: text } = call.function;
  return [{ tool: name, input: JSON.parse(text) as JsonObject, observation, id: call.id }];
}
