import type { Answer, Issue, Message, RunState, Thread, Verdict } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { openIssues, openTalk, say } from "./thread.ts";

const lookUp: Issue = {
  kind: "unsupported-claim",
  detail: "The date has no source.",
  requiredAction: "Look the date up.",
  needs: "evidence",
};
const reword: Issue = { ...lookUp, detail: "The tone is off.", needs: "rewrite" };

const spoken: readonly Message[] = [
  { role: "user", text: "old" },
  { role: "assistant", text: "draft", reasoning: "", toolCalls: [] },
];

interface Given {
  readonly answer?: number;
  readonly judged?: number;
  readonly plan?: number;
  readonly seen?: Thread["seen"];
}

function stateOf({ answer = 0, judged = 0, plan = 0, seen }: Given): RunState {
  const neutralAnswer: Answer = {
    text: "draft",
    value: null,
    reasoning: "",
    evidence: [],
    solvable: true,
    unsolvableReason: "",
    revision: answer,
    by: "",
  };
  const verdict: Verdict = {
    outcome: judged === 0 ? "none" : "revise",
    issues: judged === 0 ? [] : [lookUp, reword],
    supportedEvidence: [],
    answerRevision: judged,
    revised: false,
  };
  return {
    task: { text: "t", inputs: {}, mission: "", deliverable: "", constraints: [] },
    plan: { goal: "", constraints: [], conflicts: [], steps: [] },
    planRevision: plan,
    observations: [],
    answer: neutralAnswer,
    verdict,
    candidates: [],
    lessons: [],
    results: {},
    ...(seen && {
      thread: { by: "react", model: "m", messages: spoken, seen },
    }),
  };
}

const talkOf = (given: Given) => openTalk(stateOf(given), (fields) => `<${fields.join(" ")}>`);

describe("openTalk", () => {
  it("tells a new thread all that is known", () => {
    const talk = talkOf({ plan: 1 });
    expect(talk.messages).toEqual([]);
    expect(talk.prompt).toMatch(/^<task plan evidence answer lessons>\n\nDo the task/);
  });

  it("tells a new thread the issues of a draft that it has not written", () => {
    expect(talkOf({ answer: 1, judged: 1 }).prompt).toContain("Look the date up.");
  });

  it("tells a thread that goes on only what is newer", () => {
    const seen = { answerRevision: 1, verdictRevision: 0, planRevision: 1 };
    const talk = talkOf({ answer: 2, judged: 1, plan: 2, seen });
    expect(talk.messages).toEqual(spoken);
    expect(talk.prompt).toMatch(/^<plan>\n\n<answer>\n\nOpen issues/);
  });

  it("tells a thread that goes on again what the work is held to", () => {
    const seen = { answerRevision: 0, verdictRevision: 0, planRevision: 0 };
    const { task, ...rest } = stateOf({ seen });
    const held = { ...rest, task: { ...task, mission: "Be exact." } };
    const talk = openTalk(held, (fields) => `<${fields.join(" ")}>`, "zh");
    expect(talk.prompt).toMatch(/^<task>\n\n继续完成任务。/);
  });

  it("says a user message that had no reply again, together with what is newer", () => {
    const seen = { answerRevision: 1, verdictRevision: 0, planRevision: 0 };
    const state = stateOf({ answer: 1, seen });
    const unheard = { ...state, thread: { ...state.thread, messages: spoken.slice(0, 1) } };
    const talk = openTalk(unheard as RunState, () => "");
    expect(talk.messages).toEqual([]);
    expect(talk.prompt).toMatch(/^old\n\nGo on with the task/);
  });

  it("tells nothing twice", () => {
    const seen = { answerRevision: 2, verdictRevision: 1, planRevision: 2 };
    expect(talkOf({ answer: 2, judged: 1, plan: 2, seen }).prompt).toMatch(/^Go on with the task/);
  });
});

describe("openIssues", () => {
  it("leaves only the need for evidence once the answer was rewritten", () => {
    expect(openIssues(stateOf({ answer: 2, judged: 1 }), 0)).toEqual([lookUp]);
  });

  it("holds every issue of the draft as it stands", () => {
    expect(openIssues(stateOf({ answer: 1, judged: 1 }), 0)).toEqual([lookUp, reword]);
  });
});

describe("say", () => {
  it("joins the message that is still to be sent", () => {
    expect(say({ messages: [], prompt: "a" }, "b")).toEqual({ messages: [], prompt: "a\n\nb" });
  });

  it("keeps the roles alternating", () => {
    expect(say({ messages: [{ role: "user", text: "a" }] }, "b").messages).toEqual([
      { role: "user", text: "a\n\nb" },
    ]);
  });
});
