import { isDraftObject } from "./draft.ts";
import { DraftReader } from "./draft-reader.ts";
import { defaultParseLimits } from "./parse-limits.ts";
import { ReadFault } from "./read-fault.ts";
import { ReplyCursor } from "./reply-cursor.ts";
import { settleDraft } from "./settle-draft.ts";
import { StepBudget } from "./step-budget.ts";
import { type CallText, type FoundCall, taggedCallAt } from "./text-calls.ts";
import { UnquotedAngles } from "./unquoted-angles.ts";

/** Tool calls that stood in a text, and what the text says beside them. */
export interface FoundTextCalls {
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
  readonly rest: string;
}

/** The plain form: a tag around an object with a name and arguments. */
const PLAIN = /<(tool_call|function_call)>\s*(?=\{)/iy;
/** Tags around calls, and tokens that end a turn. */
const OPENER =
  /<(?:tool_calls?|function_calls?|minimax:tool_call)>|<\|tool_calls_section_begin\|>|<｜tool▁calls▁begin｜>/iy;
const CLOSER =
  /<\/(?:tool_calls?|function_calls?|minimax:tool_call|function|invoke|tool|call|s)>|<\|tool_calls?(?:_section)?_end\|>|(?:```\s{0,9})?<｜tool▁calls?▁end｜>|<｜end▁of▁sentence｜>|<\|(?:im_end|end|eot_id|eom_id|call|endoftext)\|>/iy;
const BLANKS = /\s*/y;

/**
 * Finds the tool calls that a model wrote at the end of its text, in the tags and tokens that models are trained on.
 *
 * Nothing is found where a name is not one of the tools, where a call can't be read whole, where it stands in code, a quotation,
 * a comment or thinking, or where anything but calls follows the first one: a call that is only talked about must not be made.
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

type Calls = FoundTextCalls["calls"];

function collect(text: string, tools: ReadonlySet<string>): FoundTextCalls | undefined {
  const { maxDepth, maxSteps } = defaultParseLimits;
  const source: CallText = { text, budget: new StepBudget(maxSteps), maxDepth };
  const angles = new UnquotedAngles(text);
  const openers = new OpenerRun(text);
  let isSpoiled = false;
  for (let angle = angles.next(); angle !== undefined; angle = angles.next()) {
    if (angle.isThinkingEnd) isSpoiled = false;
    if (angle.isThinkingEnd || isSpoiled) continue;
    const calls = callsFrom(source, angle.at, tools);
    if (calls === undefined) openers.see(angle.at);
    else if (calls.length > 0)
      return { calls, rest: text.slice(0, openers.startBefore(angle.at)).trim() };
    else isSpoiled = true;
  }
  return undefined;
}

/** The calls from a place to the end of the text; none where something else stands there too, nothing where no call begins. */
function callsFrom(source: CallText, from: number, tools: ReadonlySet<string>): Calls | undefined {
  const calls: { name: string; arguments: string }[] = [];
  let at = from;
  try {
    for (;;) {
      const found = plainCallAt(source, at) ?? taggedCallAt(source, at);
      if (found === undefined) {
        const end = at === from ? at : endOf(OPENER, source.text, at);
        if (end === at) return at === from ? undefined : [];
        at = endOf(BLANKS, source.text, end);
        continue;
      }
      const value = settleDraft(found.call.arguments);
      if (!tools.has(found.call.name) || value === undefined) return [];
      calls.push({ name: found.call.name, arguments: JSON.stringify(value) });
      at = behindClosers(source.text, found.end);
      if (at === source.text.length) return calls;
    }
  } catch (fault) {
    if (fault instanceof ReadFault && !fault.isFinal) return [];
    throw fault;
  }
}

function behindClosers(text: string, from: number): number {
  let at = endOf(BLANKS, text, from);
  for (let end = endOf(CLOSER, text, at); end > at; end = endOf(CLOSER, text, at))
    at = endOf(BLANKS, text, end);
  return at;
}

/** Where what fits a pattern at a place ends; the place itself where nothing does. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The last tags that opened calls, with nothing but blanks between them. */
class OpenerRun {
  readonly #text: string;
  #start = 0;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  see(at: number): void {
    const end = endOf(OPENER, this.#text, at);
    if (end === at) return;
    this.#start = this.startBefore(at);
    this.#end = end;
  }

  /** Where the tags before a place begin; the place itself where there are none. */
  startBefore(at: number): number {
    return this.#end >= 0 && endOf(BLANKS, this.#text, this.#end) === at ? this.#start : at;
  }
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
