import type { Draft, DraftObject } from "./draft.ts";
import { DraftReader } from "./draft-reader.ts";
import { ReadFault } from "./read-fault.ts";
import { ReplyCursor } from "./reply-cursor.ts";
import type { StepBudget } from "./step-budget.ts";
import type { TextCall } from "./reply-part.ts";

const NAMED_TAGS: readonly RegExp[] = [
  /<function=["']?([\w.:-]+)["']?>/iy,
  /<(?:function|invoke|tool_call|tool|call)\s+name=["']?([\w.:-]+)["']?\s*>/iy,
];
const TOKENS: readonly RegExp[] = [
  /<\|tool_call_begin\|>\s*(?:functions?\.)?([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>/iy,
  /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?([\w.-]+)\s*(?:<｜tool▁sep｜>)?\s*(?:```(?:json)?)?/y,
  /<\|channel\|>commentary to=functions\.([\w.-]+)[^{<]{0,40}(?:<\|constrain\|>\w+)?<\|message\|>/y,
];
const PAIRED = /<tool_call>\s*([\w.-]+)\s*(?=<arg_key>)/iy;
const PAIR = /\s*<arg_key>([^<]{1,200})<\/arg_key>\s*<arg_value>/iy;
const PARAMETER = /\s*<(?:parameter|param|arg)(?:=|\s+name=)["']?([\w.-]+)["']?[^<>]{0,80}>/iy;
const VALUE_END =
  /<\/(?:parameter|param|arg)\s*>|<(?:parameter|param|arg)(?:=|\s+name=)|<\/(?:function|invoke|tool_call|tool|call)\s*>/gi;
const CODE_CALL = /([A-Za-z_][\w.]{0,100})\(/y;
const CODE_END = /[ \t]*(?:$|[\n,;\]<`])/y;
const KEYWORD = /([A-Za-z_]\w{0,100})\s*=(?!=)/y;

/** A call found in a text, and where it ends. */
export interface FoundCall {
  readonly call: TextCall;
  readonly end: number;
  readonly repairs: ReadonlyMap<string, number>;
}

/** What reading a call needs to know. */
export interface CallText {
  readonly text: string;
  readonly budget: StepBudget;
  readonly maxDepth: number;
}

/** Reads the call whose known tags or tokens begin at a place. */
export function taggedCallAt(source: CallText, at: number): FoundCall | undefined {
  if (source.text[at] !== "<") return undefined;
  const paired = matchAt(PAIRED, source.text, at);
  if (paired !== undefined) return pairedCall(source, nameOf(paired), PAIRED.lastIndex);
  for (const pattern of TOKENS) {
    const match = matchAt(pattern, source.text, at);
    if (match !== undefined) return jsonCall(source, nameOf(match), pattern.lastIndex);
  }
  for (const pattern of NAMED_TAGS) {
    const match = matchAt(pattern, source.text, at);
    if (match === undefined) continue;
    const inside = pattern.lastIndex;
    const isJson = /^\s*[{｛]/.test(source.text.slice(inside, inside + 40));
    return isJson
      ? jsonCall(source, nameOf(match), inside)
      : parameterCall(source, nameOf(match), inside);
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function nameOf(match: RegExpExecArray): string {
  return (match[1] ?? "").replace(/^functions?\./, "");
}

function jsonCall(source: CallText, name: string, at: number): FoundCall {
  const reader = readerAt(source, at);
  reader.cursor.skip();
  if (reader.cursor.here !== "{")
    throw new ReadFault("syntax", `the call of \`${name}\` holds no JSON object`);
  const draft = reader.value("whole");
  return {
    call: { name, arguments: draft },
    end: reader.cursor.at,
    repairs: reader.cursor.repairs,
  };
}

function readerAt({ text, budget, maxDepth }: CallText, at: number): DraftReader {
  return new DraftReader(new ReplyCursor(text, at, budget, false), maxDepth);
}

function pairedCall({ text, budget }: CallText, name: string, from: number): FoundCall {
  const values: DraftObject = {};
  let at = from;
  for (;;) {
    const match = matchAt(PAIR, text, at);
    if (match === undefined) break;
    const start = PAIR.lastIndex;
    const end = text.indexOf("</arg_value>", start);
    if (end < 0) throw new ReadFault("truncated", `the call of \`${name}\` was cut`);
    setParameter(values, (match[1] ?? "").trim(), text.slice(start, end).trim());
    at = end + "</arg_value>".length;
    budget.spend(at - start);
  }
  return { call: { name, arguments: values }, end: at, repairs: new Map() };
}

function parameterCall({ text, budget }: CallText, name: string, from: number): FoundCall {
  const values: DraftObject = {};
  let at = from;
  for (;;) {
    const match = matchAt(PARAMETER, text, at);
    if (match === undefined) break;
    const start = PARAMETER.lastIndex;
    VALUE_END.lastIndex = start;
    const ending = VALUE_END.exec(text);
    if (ending === null) throw new ReadFault("truncated", `the call of \`${name}\` was cut`);
    setParameter(values, match[1] ?? "", text.slice(start, ending.index).trim());
    at =
      ending[0].startsWith("</p") || ending[0].startsWith("</a")
        ? VALUE_END.lastIndex
        : ending.index;
    budget.spend(at - start);
  }
  return { call: { name, arguments: values }, end: at, repairs: new Map() };
}

function setParameter(values: DraftObject, key: string, value: Draft): void {
  if (key === "__proto__")
    throw new ReadFault("forbidden-key", "the key `__proto__` is not allowed");
  if (Object.hasOwn(values, key) && values[key] !== value)
    throw new ReadFault(
      "duplicate-key",
      `the parameter \`${key}\` stands twice with different values`,
    );
  values[key] = value;
}

/** Reads a call in the form `name(key=value)` or `name({…})` that stands alone on its line; nothing where it is something else. */
export function codeCallAt(source: CallText, at: number): FoundCall | undefined {
  const match = matchAt(CODE_CALL, source.text, at);
  if (match === undefined) return undefined;
  const reader = readerAt(source, CODE_CALL.lastIndex);
  try {
    const values = codeArguments(reader);
    CODE_END.lastIndex = reader.cursor.at;
    if (!CODE_END.test(source.text)) return undefined;
    return {
      call: { name: nameOf(match), arguments: values },
      end: reader.cursor.at,
      repairs: reader.cursor.repairs,
    };
  } catch (fault) {
    if (fault instanceof ReadFault && !fault.isFinal) return undefined;
    throw fault;
  }
}

function codeArguments(reader: DraftReader): Draft {
  const { cursor } = reader;
  cursor.skip();
  if (cursor.here === "{") {
    const only = reader.value("tuple");
    cursor.skip();
    return closed(reader, only);
  }
  const values: DraftObject = {};
  while (cursor.here !== ")") {
    const match = matchAt(KEYWORD, cursor.text, cursor.at);
    if (match === undefined) throw new ReadFault("syntax", "an argument has no name");
    cursor.at = KEYWORD.lastIndex;
    cursor.skip();
    setParameter(values, match[1] ?? "", reader.value("tuple"));
    cursor.skip();
    if (cursor.here === ",") cursor.take();
    else if (cursor.here !== ")") throw new ReadFault("syntax", "a call is not closed");
    cursor.skip();
  }
  return closed(reader, values);
}

function closed(reader: DraftReader, values: Draft): Draft {
  if (reader.cursor.here !== ")") throw new ReadFault("syntax", "a call is not closed");
  reader.cursor.take();
  return values;
}
