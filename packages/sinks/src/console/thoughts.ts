import type { EventData } from "@loopwright/core/plugin";

type Reply = EventData["model-call.end"];

/** Where a text reply turns from thinking to acting. */
const ACTION = /^[ \t*#]*(?:action|final answer|行动)[^\n]*:/imu;
const THOUGHT = /^[\s*#]*(?:thought|思考)[^\n:：]{0,12}[:：][ \t*]*/iu;
const THOUGHT_FIELDS = ["thought", "reasoning", "rationale"];

/** What a model thought before it acted or answered: the text before its tool calls, else its reasoning; `all` gives both. */
export function thoughtsIn({ toolCalls, text, reasoning }: Reply, all: boolean): readonly string[] {
  const said = toolCalls.length > 0 ? text : "";
  const thoughts = [reasoning, said].filter((thought) => thought.trim() !== "");
  return all ? thoughts : thoughts.slice(-1);
}

/** What a model thought in a reply whose text turned out to call a tool (the text and structured modes of acting). */
export function thoughtBeforeAction(text: string): string {
  const start = text.trimStart();
  if (start.startsWith("{") && start.length < 20_000) return thoughtInJson(start);
  const end = text.search(ACTION);
  return (end < 0 ? text : text.slice(0, end)).replace(THOUGHT, "").trim();
}

function thoughtInJson(text: string): string {
  try {
    const members = new Map<string, unknown>(Object.entries(JSON.parse(text) as object));
    const thought = THOUGHT_FIELDS.map((field) => members.get(field)).find(Boolean);
    return typeof thought === "string" ? thought : "";
  } catch {
    // Not JSON after all: nothing that reads as a thought.
    return "";
  }
}
