import type { Message } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { heardIn } from "./tail.ts";

const asked: Message = { role: "user", text: "Count." };
const said: Message = { role: "assistant", text: "", reasoning: "", toolCalls: [] };
const result: Message = { role: "tool", callId: "c", name: "stock", text: "<4>", ok: true };

describe("what is kept of what was sent", () => {
  const all = [asked, said, result];

  it("is the first prompt as it was sent, or as it was to be sent", () => {
    const system: Message = { role: "system", text: "Rules." };
    const sent: Message = { role: "user", text: "Count the nuts." };
    expect(heardIn([], { messages: [], prompt: "Count." }, [system, sent])).toEqual([sent]);
    expect(heardIn([], { messages: [], prompt: "Count." }, [])).toEqual([asked]);
  });

  it("is nothing where nobody said anything", () => {
    expect(heardIn(all, { messages: all }, all)).toEqual(all);
    expect(heardIn([asked], { messages: [asked] }, [asked])).toEqual([asked]);
  });

  it("is what people said meanwhile, behind a result or joined to a user's words", () => {
    const heard: Message = { role: "user", text: "Stop." };
    expect(heardIn(all, { messages: all }, [...all, heard])).toEqual([...all, heard]);
    const sent: Message = { role: "user", text: "Count.\n\nStop." };
    expect(heardIn([asked], { messages: [asked] }, [sent])).toEqual([sent]);
  });

  it("joins the whole conversation, of which a part was shown", () => {
    const shown: Message = { role: "user", text: "Short." };
    const sent: Message = { role: "user", text: "Short.\n\nStop." };
    expect(heardIn([asked], { messages: [shown] }, [sent])).toEqual([
      { role: "user", text: "Count.\n\nStop." },
    ]);
  });
});
