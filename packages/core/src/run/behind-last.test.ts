import { describe, expect, it } from "vitest";
import type { Message } from "../contracts/message.ts";
import { behindLast } from "./behind-last.ts";

const asked: Message = { role: "user", text: "Count." };
const said: Message = { role: "assistant", text: "", reasoning: "", toolCalls: [] };
const result: Message = { role: "tool", callId: "c", name: "stock", text: "<4>", ok: true };

describe("words behind a conversation", () => {
  it("join what a user said, or stand behind a result", () => {
    expect(behindLast([asked], "Step 2")).toEqual([{ role: "user", text: "Count.\n\nStep 2" }]);
    expect(behindLast([asked, said, result], "Step 2").at(-1)).toEqual({
      ...result,
      text: "<4>\n\nStep 2",
    });
  });

  it("leave a message of a person after a result to that person", () => {
    expect(behindLast([said, result, asked], "Step 2")).toEqual([
      said,
      { ...result, text: "<4>\n\nStep 2" },
      asked,
    ]);
  });

  it("are a message of the user where nothing or the model spoke last", () => {
    const words: Message = { role: "user", text: "Step 2" };
    expect(behindLast([asked, said], "Step 2")).toEqual([asked, said, words]);
    expect(behindLast([], "Step 2")).toEqual([words]);
  });

  it("leave the conversation as it is where there are none", () => {
    expect(behindLast([asked], "")).toEqual([asked]);
    expect(behindLast([asked])).toEqual([asked]);
  });
});
