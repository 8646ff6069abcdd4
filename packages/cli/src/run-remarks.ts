import type { Json, Run, RunOutcome } from "@loopwright/core";
import { neutralize, neutralizeName } from "./neutralize.ts";

/** Characters of a reason that are printed. */
const MAX_REASON = 300;

/** What happened in a run that its answer does not show. */
export interface RunRemarks {
  /** Questions that nobody answered. */
  readonly unanswered: readonly string[];
  /** Items of lists that failed while others went on, a text for each stage. */
  readonly failedItems: readonly string[];
}

/** Collects the remarks on a run; the lists grow while it goes on. */
export function runRemarks(run: Pick<Run, "on">): RunRemarks {
  const questions = new Map<string, string>();
  const unanswered: string[] = [];
  const failedItems: string[] = [];
  run.on("question.asked", ({ data }) => {
    questions.set(data.id, data.question);
  });
  run.on("question.answered", ({ data }) => {
    const question = questions.get(data.id);
    if (!data.answered && question !== undefined) unanswered.push(question);
  });
  run.on("fact.told", ({ stage, data: { fact, data } }) => {
    const text = fact === "items.failed" ? failedText(stage, data) : undefined;
    if (text !== undefined && !failedItems.includes(text)) failedItems.push(text);
  });
  return { unanswered, failedItems };
}

/** True where a run ended at a question that nobody answered. */
export function isStoppedByQuestion(
  { outcome, reason }: Pick<RunOutcome, "outcome" | "reason">,
  remarks: RunRemarks | undefined,
): boolean {
  if (outcome !== "done" || reason === undefined) return false;
  return remarks?.unanswered.some((question) => reason.includes(question)) === true;
}

/** Where nothing ended well the run itself says so. */
function failedText(stage: string, data: Json): string | undefined {
  if (!isMap(data) || !Array.isArray(data["failed"])) return undefined;
  const { failed, of } = data;
  if (failed.length === of) return undefined;
  const why = failed.map((one: Json) =>
    isMap(one) ? `${said(one["key"])}: ${said(one["reason"])}` : said(one),
  );
  return `${failed.length} of ${said(of)} items of ${neutralizeName(stage)} failed: ${why.join("; ")}`;
}

function isMap(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function said(value: Json | undefined): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "");
  const line = neutralize(text).replaceAll(/\s+/gu, " ").trim();
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON)}…` : line;
}
