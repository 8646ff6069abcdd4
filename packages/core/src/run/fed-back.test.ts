import { describe, expect, it } from "vitest";
import type { AssistantMessage, Message } from "../contracts/message.ts";
import { cutText } from "./cut-text.ts";
import { fedBack } from "./fed-back.ts";

const asked: Message = { role: "user", text: "How many?" };
const toolCalls = [{ id: "1", name: "stock", arguments: "{}" }];
const reply: AssistantMessage = {
  role: "assistant",
  text: "four",
  reasoning: "",
  toolCalls,
  opaque: { reasoning_content: "two and two" },
};

describe("a fault that is fed back", () => {
  it("follows the reply, whose own fields go back and whose calls do not", () => {
    const [, said, told] = fedBack([asked], reply, "it is no JSON");
    expect(said).toEqual({ ...reply, toolCalls: [] });
    expect(told).toMatchObject({ role: "user", text: expect.stringContaining("it is no JSON") });
  });

  it("joins the question after an empty reply", () => {
    const messages = fedBack([asked], { ...reply, text: " " }, "it is empty");
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toMatch(/^How many\?\n\n.*it is empty/);
  });
});

describe("a text that is cut", () => {
  it("says how much is gone, and never ends in half a character", () => {
    expect(cutText("abcdef", 6)).toBe("abcdef");
    expect(cutText("abcdef", 4)).toBe("abcd\n[… 2 more characters were cut here]");
    expect(cutText("abc😀f", 4)).toBe("abc\n[… 3 more characters were cut here]");
  });
});
