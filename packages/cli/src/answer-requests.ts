import type { PendingRequest, PersonReply, Run, RunEvent } from "@loopwright/core";
import { neutralize, neutralizeName } from "./neutralize.ts";
import type { Asked } from "./person-prompt.ts";
import { shortenedRows } from "./screen-rows.ts";

/** Sinks get this long to tell what led to a question before it is asked. */
const SETTLE_MS = 60;
/** Characters of a question that are printed. */
const MAX_QUESTION = 4_000;

/** Who replies to what a run asks. */
export interface Replier {
  /** Asks the person at the terminal; missing where there is none. */
  readonly ask?: (asked: Asked) => Promise<PersonReply | undefined>;
  /** Approve without asking. */
  readonly approveAll: boolean;
  /** Tells on standard error. */
  readonly tell: (text: string) => void;
  /** How wide standard error is; missing where it does not say it. */
  readonly columns?: number | undefined;
}

/** Replies to what a run asks, one request after the other, and tells where nobody could be asked. */
export function answerRequests(run: Run, replier: Replier): void {
  const open = new Map<string, AbortController>();
  const questions = new Map<string, string>();
  let queue: Promise<void> = Promise.resolve();
  const onAsked = (event: RunEvent): void => {
    if (event.name !== "approval.requested" && event.name !== "question.asked") return;
    const { id } = event.data;
    if (event.name === "question.asked") questions.set(id, event.data.question);
    const aborter = new AbortController();
    open.set(id, aborter);
    queue = queue.then(() => answerOne(run, id, replier, aborter.signal));
  };
  const onSettled = (event: RunEvent): void => {
    if (event.name === "approval.given" || event.name === "question.answered") {
      open.get(event.data.id)?.abort();
      open.delete(event.data.id);
      tellSilence(event, questions.get(event.data.id) ?? "", replier);
      questions.delete(event.data.id);
    } else if (event.name === "run.end") for (const aborter of open.values()) aborter.abort();
  };
  run.on("*", onSettled);
  run.on("approval.requested", onAsked);
  run.on("question.asked", onAsked);
}

async function answerOne(
  run: Run,
  id: string,
  replier: Replier,
  signal: AbortSignal,
): Promise<void> {
  const request = await pendingRequest(run, id, replier.approveAll ? 0 : SETTLE_MS);
  if (request === undefined || signal.aborted) return;
  if (request.kind === "approval" && replier.approveAll) {
    replier.tell(`approved ${request.tool} without asking (--yes)`);
    run.respond(id, { approved: true, reason: "--yes", by: "policy" });
  } else if (replier.ask === undefined) {
    // Only with --yes: it answers no questions, and nobody else is there.
    run.respond(id, { answered: false });
  } else {
    const others = run.pending().length - 1;
    const problemsWith = (given: PersonReply): readonly string[] => run.problemsWith(id, given);
    const reply = await replier.ask({ request, others, signal, problemsWith });
    if (signal.aborted) return;
    if (reply !== undefined) run.respond(id, reply);
    else if (request.kind === "approval") run.respond(id, { approved: false, reason: "no reply" });
    else run.abort("the keyboard was closed at a question");
  }
}

/** The request, once the run waits for it and the sinks have caught up. */
async function pendingRequest(
  run: Run,
  id: string,
  settleMs: number,
): Promise<PendingRequest | undefined> {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return run.pending().find((request) => request.id === id);
}

function tellSilence(event: RunEvent, question: string, { tell, columns }: Replier): void {
  if (event.name === "approval.given" && event.data.by === "no-terminal") {
    const hint = "run it in a terminal to be asked, or with --yes";
    tell(`${neutralize(event.data.tool)} was denied: nobody is there to approve it; ${hint}`);
  }
  if (event.name === "approval.given" && event.data.by === "timeout")
    tell(`${neutralize(event.data.tool)} was denied: nobody replied in time`);
  if (event.name === "question.answered" && event.data.by === "no-terminal") {
    const rows = shortenedRows(question.trim(), columns, { first: "  │ ", maxChars: MAX_QUESTION });
    const now =
      "run it in a terminal to answer; what its spec says for no answer (`onTimeout`) holds";
    tell(`nobody is there to answer the question of ${stageText(event.stage)}:\n${rows}\n  ${now}`);
  }
}

function stageText(stage: string | undefined): string {
  return stage === undefined || stage === "" ? "the run" : `the stage ${neutralizeName(stage)}`;
}
