import { isDraftObject } from "./draft.ts";
import { DraftReader } from "./draft-reader.ts";
import { defaultParseLimits } from "./parse-limits.ts";
import { ReadFault } from "./read-fault.ts";
import { ReplyCursor } from "./reply-cursor.ts";
import { settleDraft } from "./settle-draft.ts";
import { StepBudget } from "./step-budget.ts";
import { type CallText, type FoundCall, taggedCallAt } from "./text-calls.ts";

/** Tool calls that stood in a text, and what the text says beside them. */
export interface FoundTextCalls {
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly rest: string;
}

/** The plain form: a tag around an object with a name and arguments. */
const PLAIN = /<(tool_call|function_call)>\s*(?=\{)/iy;
const OPENER =
  /(?:<(?:tool_calls?|function_calls?|minimax:tool_call)>|<\|tool_calls_section_begin\|>|<｜tool▁calls▁begin｜>)$/i;
const CLOSERS =
  /^(?:\s*(?:<\/(?:tool_calls?|function_calls?|minimax:tool_call|function|invoke|tool|call)>|<\|tool_calls?(?:_section)?_end\|>|<｜tool▁calls?▁end｜>|<\|im_end\|>))+/i;
const FENCE = /[ \t]*(?:`{3,}|~{3,})/y;
const QUOTED_LINE = /[ \t]*>/y;
const MARKS = "\"'`“‘«";

/**
 * Finds the tool calls that a model wrote into its text, in the tags and tokens that models are trained on.
 *
 * Nothing is found where a name is not one of the tools, where a call can't be read whole, or where it stands in a quotation
 * or between fences. Thinking must be taken off before.
 */
export function findTextCalls(text: string, tools: readonly string[]): FoundTextCalls | undefined {
  if (!text.includes("<") || text.length > defaultParseLimits.maxChars) return undefined;
  try {
    return collect(text, new Set(tools));
  } catch (fault) {
    if (fault instanceof ReadFault) return undefined;
    throw fault;
  }
}

function collect(text: string, tools: ReadonlySet<string>): FoundTextCalls | undefined {
  const { maxDepth, maxSteps } = defaultParseLimits;
  const source: CallText = { text, budget: new StepBudget(maxSteps), maxDepth };
  const calls: { name: string; arguments: string }[] = [];
  const pieces: string[] = [];
  const quotation = new Quotation(text);
  let start = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    const found = quotation.holds(at)
      ? undefined
      : (plainCallAt(source, at) ?? taggedCallAt(source, at));
    if (found === undefined) {
      at += 1;
      continue;
    }
    const value = settleDraft(found.call.arguments);
    if (!tools.has(found.call.name) || value === undefined) return undefined;
    calls.push({ name: found.call.name, arguments: JSON.stringify(value) });
    pieces.push(text.slice(start, at));
    start = found.end;
    at = found.end;
    quotation.skipTo(at);
  }
  if (calls.length === 0) return undefined;
  pieces.push(text.slice(start));
  return { calls, rest: joined(pieces) };
}

/** What stands between the calls, without the tags around them. */
function joined(pieces: readonly string[]): string {
  return pieces
    .map((piece, index) => (index === 0 ? piece : piece.replace(CLOSERS, "")))
    .map((piece) => withoutOpeners(piece).trim())
    .filter((piece) => piece !== "")
    .join("\n");
}

function withoutOpeners(piece: string): string {
  let kept = piece.trimEnd();
  while (OPENER.test(kept)) kept = kept.replace(OPENER, "").trimEnd();
  return kept;
}

function plainCallAt({ text, budget, maxDepth }: CallText, at: number): FoundCall | undefined {
  PLAIN.lastIndex = at;
  if (!PLAIN.test(text)) return undefined;
  const reader = new DraftReader(new ReplyCursor(text, PLAIN.lastIndex, budget, false), maxDepth);
  const draft = reader.value("whole");
  const { name, arguments: given = {}, parameters = given } = isDraftObject(draft) ? draft : {};
  if (typeof name !== "string" || !isDraftObject(parameters))
    throw new ReadFault("syntax", "a call has no name, or no arguments");
  const { at: end, repairs } = reader.cursor;
  return { call: { name, arguments: parameters }, end, repairs };
}

/** Tells, going over a text once, what is quoted: behind a mark, in code on a line, in a quoted line, between fences. */
class Quotation {
  readonly #text: string;
  #at = 0;
  #isFenced = false;
  #isQuotedLine = false;
  #tickCount = 0;

  constructor(text: string) {
    this.#text = text;
    this.#startLine(0);
  }

  /** Whether a place behind the last one is quoted. */
  holds(at: number): boolean {
    for (; this.#at < at; this.#at++) {
      const character = this.#text[this.#at];
      if (character === "`") this.#tickCount += 1;
      if (character === "\n") this.#startLine(this.#at + 1);
    }
    const isBehindMark = MARKS.includes(this.#text[at - 1] ?? " ");
    return isBehindMark || this.#isFenced || this.#isQuotedLine || this.#tickCount % 2 === 1;
  }

  /** Goes on behind a call, whose own text quotes nothing. */
  skipTo(at: number): void {
    this.#at = at;
  }

  #startLine(at: number): void {
    this.#tickCount = 0;
    QUOTED_LINE.lastIndex = at;
    this.#isQuotedLine = QUOTED_LINE.test(this.#text);
    FENCE.lastIndex = at;
    if (FENCE.test(this.#text)) this.#isFenced = !this.#isFenced;
  }
}
