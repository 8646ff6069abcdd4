import type { AssistantMessage, Message } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { profileOf, profiles } from "./profiles.ts";
import { toWireMessages } from "./to-messages.ts";

const call = { id: "c1", name: "find", arguments: "{}" };
const said = (changes: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: "assistant",
  text: "",
  reasoning: "hm",
  toolCalls: [call],
  ...changes,
});
const sent = (id: string, message: Message, overrides = {}): object =>
  toWireMessages([message], profileOf(id, overrides))[0] ?? {};

describe("reasoning goes back", () => {
  const own = said({ opaque: { reasoning_content: "hm" } });
  const empty = said({ opaque: { reasoning_content: "" } });

  it.each([
    ["deepseek", own, "hm"],
    ["deepseek", empty, ""],
    ["deepseek", said(), ""],
    ["kimi", own, "hm"],
    ["kimi", empty, " "],
    ["kimi", said(), " "],
    ["glm", own, "hm"],
  ])("beside calls: %s", (id, message, expected) => {
    expect(sent(id, message)).toMatchObject({ content: null, reasoning_content: expected });
    expect(sent(id, JSON.parse(JSON.stringify(message)))).toMatchObject({
      reasoning_content: expected,
    });
  });

  it("never where the profile says so, and not without calls", () => {
    for (const id of ["openai", "qwen", "ollama", "gemini-compat", "openrouter"])
      expect(sent(id, own)).not.toHaveProperty("reasoning_content");
    expect(sent("glm", said())).not.toHaveProperty("reasoning_content");
    const plain = said({ toolCalls: [], text: "done", opaque: { reasoning_content: "hm" } });
    expect(sent("deepseek", plain)).toEqual({ role: "assistant", content: "done" });
    expect(sent("deepseek", plain, { echo: "always" })).toMatchObject({ reasoning_content: "hm" });
  });

  it("in the field that the profile names, and in no other", () => {
    const other = said({ opaque: { reasoning: "hm", reasoning_content: "no" } });
    const message = sent("deepseek", other, { echoField: "reasoning" });
    expect(message).toMatchObject({ reasoning: "hm" });
    expect(message).not.toHaveProperty("reasoning_content");
  });

  it("each time as the profile of that request says", () => {
    for (const id of ["deepseek", "openai", "kimi", "openai", "deepseek"])
      expect("reasoning_content" in sent(id, own)).toBe(id !== "openai");
  });
});

describe("a vendor's own fields", () => {
  it("go back verbatim, those of a call beside it", () => {
    const signature = { google: { thought_signature: "abc=" } };
    const details = [{ type: "reasoning.encrypted", data: "xyz" }];
    const message = said({
      opaque: { reasoning_details: details, tool_calls: { c1: { extra_content: signature } } },
    });
    expect(sent("gemini-compat", message)).toEqual({
      role: "assistant",
      content: null,
      reasoning_details: details,
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "find", arguments: "{}" },
          extra_content: signature,
        },
      ],
    });
  });
});

describe("ids of calls", () => {
  const odd = ["functions.find:0", "functions.find:1", "käse", "x".repeat(80)];
  const idsOf = (id: string, overrides = {}): readonly string[][] => {
    const calls = odd.map((one) => ({ ...call, id: one }));
    const results = odd.map(
      (callId): Message => ({ role: "tool", callId, name: "find", text: "", ok: true }),
    );
    const [first, ...rest] = toWireMessages(
      [said({ toolCalls: calls }), ...results],
      profileOf(id, overrides),
    ) as { tool_calls?: { id: string }[]; tool_call_id?: string }[];
    return [
      first?.tool_calls?.map((one) => one.id) ?? [],
      rest.map(({ tool_call_id }) => tool_call_id ?? ""),
    ];
  };

  it.each(Object.keys(profiles))("fit %s, one to one, and results follow", (id) => {
    const [calls, results] = idsOf(id);
    expect(results).toEqual(calls);
    expect(new Set(calls).size).toBe(odd.length);
    expect(idsOf(id)).toEqual([calls, results]);
    const pattern = new RegExp(profileOf(id).callIdPattern ?? "");
    for (const [index, one] of (calls ?? []).entries()) {
      expect(one).toMatch(pattern);
      expect(one === odd[index]).toBe(pattern.test(odd[index] ?? ""));
    }
  });

  it("have the length that a profile wants", () => {
    const [calls] = idsOf("custom", { callIdPattern: "^[a-zA-Z0-9]{9}$", callIdLength: 9 });
    for (const one of calls ?? []) expect(one).toMatch(/^[a-zA-Z0-9]{9}$/);
  });
});
