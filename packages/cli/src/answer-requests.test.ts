import type { EventName, PendingRequest, PersonReply, Run, RunEvent } from "@loopwright/core";
import { expect, test, vi } from "vitest";
import { answerRequests, type Replier } from "./answer-requests.ts";

/** A run that does nothing but wait for replies. */
function fakeRun() {
  const listeners: (readonly [string, (event: RunEvent) => void])[] = [];
  const waiting = new Map<string, PendingRequest>();
  const replies: (readonly [string, PersonReply])[] = [];
  const emit = (name: EventName, data: object): void => {
    const event = { name, data } as unknown as RunEvent;
    for (const [wanted, listener] of listeners) {
      if (wanted === name || wanted === "*") listener(event);
    }
  };
  const abort = vi.fn<Run["abort"]>();
  const run = {
    id: "run-1",
    on: (name: string, listener: (event: RunEvent) => void) => listeners.push([name, listener]),
    pending: () => [...waiting.values()],
    respond: (id: string, reply: PersonReply) => {
      waiting.delete(id);
      replies.push([id, reply]);
      return true;
    },
    problemsWith: () => [],
    abort,
  } as unknown as Run;
  const approval = (id: string): void => {
    emit("approval.requested", { id });
    waiting.set(id, {
      id,
      kind: "approval",
      tool: `tool-${id}`,
      input: {},
      reason: "",
      effect: "once",
      schema: {},
      stage: "react",
      branch: "",
    });
  };
  const question = (id: string): void => {
    emit("question.asked", { id });
    waiting.set(id, {
      id,
      kind: "question",
      question: "Which?",
      options: [],
      stage: "ask",
      branch: "",
    });
  };
  return { run, emit, approval, question, replies, abort };
}

function replier(own: Partial<Replier>): Replier & { readonly told: string[] } {
  const told: string[] = [];
  return { approveAll: false, tell: (text) => told.push(text), ...own, told };
}

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250));

test("asks one after the other, in the order of the requests", async () => {
  const { run, approval, replies } = fakeRun();
  let open = 0;
  const others: number[] = [];
  const ask = vi.fn<NonNullable<Replier["ask"]>>(async (asked) => {
    others.push(asked.others);
    open += 1;
    expect(open).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 10));
    open -= 1;
    return { approved: true };
  });
  answerRequests(run, replier({ ask }));
  for (const id of ["a", "b", "c"]) approval(id);
  await settled();
  expect(replies.map(([id]) => id)).toEqual(["a", "b", "c"]);
  expect(others).toEqual([2, 1, 0]);
});

test("takes a prompt back when its request is settled elsewhere", async () => {
  const { run, emit, approval, replies } = fakeRun();
  const ask = vi.fn<NonNullable<Replier["ask"]>>(
    ({ signal }) =>
      new Promise<undefined>((resolve) => {
        signal.addEventListener("abort", () => resolve(undefined));
      }),
  );
  answerRequests(run, replier({ ask }));
  approval("a");
  await settled();
  emit("approval.given", { id: "a", approved: false, by: "person" });
  await settled();
  expect(ask).toHaveBeenCalledOnce();
  expect(replies).toEqual([]);
});

test("a closed keyboard refuses an approval and ends a run that asks a question", async () => {
  const { run, approval, question, replies, abort } = fakeRun();
  answerRequests(run, replier({ ask: async () => undefined }));
  approval("a");
  question("b");
  await settled();
  expect(replies).toEqual([["a", { approved: false, reason: "no reply" }]]);
  expect(abort).toHaveBeenCalledWith("the keyboard was closed at a question");
});

test("--yes approves and says so, but answers no question", async () => {
  const { run, approval, question, replies, abort } = fakeRun();
  const attending = replier({ approveAll: true });
  answerRequests(run, attending);
  approval("a");
  question("b");
  await settled();
  expect(replies).toEqual([
    ["a", { approved: true, reason: "--yes", by: "policy" }],
    ["b", { answered: false }],
  ]);
  expect(attending.told).toEqual(["approved tool-a without asking (--yes)"]);
  expect(abort).not.toHaveBeenCalled();
});

test("says in one line each what nobody could be asked", () => {
  const { run, emit } = fakeRun();
  const attending = replier({});
  answerRequests(run, attending);
  emit("approval.given", { id: "a", tool: "mail\u001B[2J", approved: false, by: "no-terminal" });
  emit("question.answered", { id: "b", answered: false, reply: "", by: "no-terminal" });
  emit("approval.given", { id: "c", tool: "x", approved: true, by: "person" });
  emit("approval.given", { id: "d", tool: "ship", approved: false, by: "timeout" });
  expect(attending.told).toHaveLength(3);
  expect(attending.told[2]).toBe("ship was denied: nobody replied in time");
  expect(attending.told[0]).toMatch(/^mail\\u001b\[2J was denied: nobody is there/u);
});
