import type { ProviderRequest } from "@loopwright/core/plugin";
import { beforeAll, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { orphansIn } from "./paired-calls.ts";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll } from "./replay.ts";
import { type AirlineEpisode, airlineEpisodes, RESPOND } from "./tau-bench-episodes.ts";

/**
 * Replayed: every call with its arguments and result, in order, and what model and customer say between. Not replayed: the
 * airline's data, the customer's model, the policy (it is kept for reading), and the customer's closing "###STOP###".
 */
describe("50 published airline conversations (GPT-4o, sierra-research/tau-bench, trial 0)", () => {
  const episodes = airlineEpisodes();
  let replays: readonly Replay<AirlineEpisode>[] = [];

  beforeAll(async () => {
    replays = await replayAll(episodes, {
      tools: toolsIn(episodes),
      react: "{ maxSteps: 40 }",
    });
  }, 120_000);

  it("hold 282 tool messages, each the answer to the call before it, with objects as arguments", () => {
    let answered = 0;
    for (const { messages } of episodes) {
      for (const [index, message] of messages.entries()) {
        const calls = message.tool_calls ?? [];
        for (const call of calls) expect(call.function.arguments).toSatisfy(isJsonObject);
        if (message.role !== "tool") continue;
        const asked = messages[index - 1]?.tool_calls?.map(({ id }) => id);
        expect(asked).toEqual([message.tool_call_id]);
        answered += 1;
      }
    }
    expect(answered).toBe(282);
  });

  it("earned 21 of 50 rewards", () => {
    expect(episodes.filter(({ reward }) => reward === 1)).toHaveLength(21);
  });

  it("make the same calls with the same results in the same order", () => {
    const calls = replays.flatMap(({ executed }) =>
      executed.filter(({ tool }) => tool !== RESPOND),
    );
    expect(calls).toHaveLength(282);
    for (const { run, outcome } of replays) {
      const made = outcome.state.observations.map(({ tool, input, content }) => [
        tool,
        input,
        content,
      ]);
      expect(made).toEqual(
        run.steps.map(({ tool, input, observation }) => [tool, input, observation || "no result"]),
      );
    }
  });

  it("end with the model's last words to the customer, in one outcome", () => {
    for (const { run, outcome, events } of replays) {
      expect([run.name, outcome.outcome, outcome.reason]).toEqual([run.name, "done", undefined]);
      expect(outcome.answer.text).toBe(run.answer);
      expect(unbalanced(events)).toEqual([]);
    }
  });

  it("never part a call from its result in what the model is sent", () => {
    const requests: readonly ProviderRequest[] = replays.flatMap((replay) => replay.requests);
    expect(requests.flatMap(({ messages }) => orphansIn(messages))).toEqual([]);
    const last = replays.map((replay) => replay.requests.at(-1)?.messages ?? []);
    const results = last.flat().filter(({ role }) => role === "tool");
    expect(results).toHaveLength(replays.flatMap(({ executed }) => executed).length);
  });
});

function isJsonObject(text: string): boolean {
  const value = JSON.parse(text) as unknown;
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
