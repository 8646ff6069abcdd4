import type { Message } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { orphanLinesIn, orphansIn } from "./paired-calls.ts";

const user: Message = { role: "user", text: "Find it." };

function asking(...ids: readonly string[]): Message {
  const toolCalls = ids.map((id) => ({ id, name: "search", arguments: "{}" }));
  return { role: "assistant", text: "", reasoning: "", toolCalls };
}

function result(callId: string): Message {
  return { role: "tool", callId, name: "search", text: "found", ok: true };
}

function line(text: string): Message {
  return { role: "assistant", text, reasoning: "", toolCalls: [] };
}

function said(text: string): Message {
  return { role: "user", text };
}

describe("calls and their results", () => {
  it.each<[readonly Message[], readonly string[]]>([
    [[user, asking("a", "b"), result("b"), result("a"), asking("a"), result("a")], []],
    [[user, asking("a", "b"), result("a")], ["call b"]],
    [
      [user, asking("a"), user, result("a")],
      ["call a", "result a"],
    ],
    [[user, result("a")], ["result a"]],
  ])("are told apart where one stands without the other", (messages, orphans) => {
    expect(orphansIn(messages)).toEqual(orphans);
  });

  it("are told apart in the text protocol too", () => {
    const action = line("Thought: it is near\nAction: search");
    const observation = said('Observation:\n<observation id="observation-1" tool="search">\nx');
    expect(orphanLinesIn([user, action, observation, line("Final Answer: x")])).toEqual([]);
    expect(orphanLinesIn([user, action])).toEqual(["action Thought: it is near\nAction: search"]);
    expect(orphanLinesIn([user, action, said("go on")])).toHaveLength(1);
    expect(orphanLinesIn([user, observation])).toHaveLength(1);
  });
});
