import type {
  Json,
  PendingApproval,
  PendingQuestion,
  PendingRequest,
  PersonReply,
} from "@loopwright/core";
import { argumentRows } from "./argument-rows.ts";
import { neutralize, neutralizeJson } from "./neutralize.ts";
import { screenRows, shortenedRows } from "./screen-rows.ts";

/** Characters of a question that are shown. */
const MAX_QUESTION = 10_000;
/** Characters of the arguments that can be changed in place. */
const MAX_EDITED = 4_000;

/** What a person reads before the prompt; `others` more requests wait behind this one. */
export function requestText(
  request: PendingRequest,
  { others = 0, columns }: { readonly others?: number; readonly columns?: number | undefined } = {},
): string {
  const rest = others === 0 ? "" : `${others} more ${others === 1 ? "waits" : "wait"}\n`;
  const text =
    request.kind === "approval" ? approvalText(request, columns) : questionText(request, columns);
  return `\n${text}\n${rest}`;
}

function approvalText(request: PendingApproval, columns: number | undefined): string {
  const { tool, input, reason, schema, effect, expiresAt } = request;
  const facts = [
    EFFECTS[effect],
    ...placeOf(request),
    ...(expiresAt === undefined ? [] : [`no after ${timeText(new Date(expiresAt))}`]),
  ];
  return [
    screenRows(`${oneLine(tool)} asks to be called with`, columns, ""),
    argumentRows(input, schema, columns),
    screenRows(oneLine(reason), columns, ""),
    screenRows(`(${facts.join(" · ")})`, columns, ""),
  ].join("\n");
}

/** A model may have written the question: it must not pass for words of the program. */
function questionText(request: PendingQuestion, columns: number | undefined): string {
  const { question, options } = request;
  return [
    screenRows(`The agent asks (${placeOf(request).join(" · ")}):`, columns, ""),
    shortenedRows(question, columns, { first: "  │ ", maxChars: MAX_QUESTION }),
    ...options.map((option, index) =>
      screenRows(`${index + 1}. ${oneLine(option)}`, columns, "  "),
    ),
  ].join("\n");
}

function placeOf({ stage, branch }: PendingRequest): readonly string[] {
  const place = [`stage ${oneLine(stage)}`];
  return branch === "" ? place : [...place, `branch ${oneLine(branch)}`];
}

const EFFECTS = {
  read: "reads",
  idempotent: "acts; once more would change nothing",
  once: "acts, and can't be taken back",
};

/** The prompt itself. */
export function promptOf(request: PendingRequest): string {
  if (request.kind === "approval") return `approve ${oneLine(request.tool)}? [y/N/e/?] `;
  return request.options.length > 0 ? `1-${request.options.length}? ` : "> ";
}

/** What the keys of an approval do. */
const APPROVAL_HELP: string = `  y            make the call
  n, Enter     do not make it
  n REASON     do not make it, and tell the model why
  e            change the arguments, then make it
  { … }        make it with these arguments instead
  Ctrl-C       end the run
`;

/** What a typed line means: a reply, to be asked again (with help, or with what was wrong), or the wish to edit. */
export type TypedLine =
  | { readonly reply: PersonReply }
  | { readonly again: string }
  | { readonly edits: true };

/** Reads a typed line. Of an approval anything that is no key refuses, and is the reason. */
export function readLine(request: PendingRequest, line: string): TypedLine {
  const text = line.trim();
  if (request.kind === "approval") return readApproval(text);
  const { options } = request;
  if (options.length === 0) return text === "" ? { again: "" } : { reply: { reply: text } };
  const chosen = /^\d+$/u.test(text) ? options[Number(text) - 1] : undefined;
  const named = options.find((option) => option.toLowerCase() === text.toLowerCase());
  const reply = chosen ?? named;
  return reply === undefined ? { again: "" } : { reply: { reply } };
}

function readApproval(text: string): TypedLine {
  if (/^y(?:es)?$/iu.test(text)) return { reply: { approved: true } };
  if (/^e(?:dit)?$/iu.test(text)) return { edits: true };
  if (/^(?:\?|h|help)$/iu.test(text)) return { again: APPROVAL_HELP };
  if (text.startsWith("{")) return readEdit(text);
  const reason = text.replace(/^no?(?:$|[\s,.:]+)/iu, "");
  return { reply: { approved: false, ...(reason === "" ? {} : { reason }) } };
}

/** Reads arguments that a person typed. */
export function readEdit(text: string): TypedLine {
  try {
    return { reply: { approved: true, input: JSON.parse(text) as Json } };
  } catch (fault) {
    return { again: `  that is not JSON: ${neutralize((fault as Error).message)}\n` };
  }
}

/** The arguments on one line that can be changed in place; empty where they are too long for that. */
export function editedLine(input: Json): string {
  const line = neutralizeJson(JSON.stringify(input));
  return line.length > MAX_EDITED ? "" : line;
}

function oneLine(text: string): string {
  return neutralize(text).replaceAll("\n", " ");
}

/** A time of day here; with its date where that is not today's. */
function timeText(date: Date): string {
  const two = (part: number): string => String(part).padStart(2, "0");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":");
  if (date.toDateString() === new Date().toDateString()) return time;
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`;
}
