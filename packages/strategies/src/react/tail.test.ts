import type { Message } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { behindLast, heardIn } from "./tail.ts";

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
    expect(behindLast([asked, said], "Step 2").at(-1)).toEqual({ role: "user", text: "Step 2" });
    expect(behindLast([asked], "")).toEqual([asked]);
  });
});

describe("what is kept of what was sent", () => {
  const all = [asked, said, result];
  const shown = behindLast(all, "Step 2");

  it("is the first prompt as it was sent, or as it was to be sent", () => {
    const system: Message = { role: "system", text: "Rules." };
    const sent: Message = { role: "user", text: "Count the nuts." };
    expect(heardIn([], { messages: [], prompt: "Count." }, [system, sent])).toEqual([sent]);
    expect(heardIn([], { messages: [], prompt: "Count." }, [])).toEqual([asked]);
  });

  it("is nothing of the words for one step", () => {
    expect(heardIn(all, { messages: shown }, shown)).toEqual(all);
    const spoken = behindLast([asked], "Step 2");
    expect(heardIn([asked], { messages: spoken }, spoken)).toEqual([asked]);
  });

  it("is what people said meanwhile, behind a result or joined to a user's words", () => {
    const heard: Message = { role: "user", text: "Stop." };
    expect(heardIn(all, { messages: shown }, [...shown, heard])).toEqual([...all, heard]);
    const spoken = behindLast([asked], "Step 2");
    const sent: Message = { role: "user", text: `${spoken[0]?.text}\n\nStop.` };
    expect(heardIn([asked], { messages: spoken }, [sent])).toEqual([
      { role: "user", text: "Count.\n\nStop." },
    ]);
  });
});
