import { callFormOf } from "./call-form.ts";
import { chooseValue, syntaxRepairs } from "./choose-value.ts";
import { decodeEscapes } from "./decode-escapes.ts";
import { type FitValue, fitDraft } from "./fit-draft.ts";
import type { ParseTask } from "./parse-task.ts";
import { readBlockText } from "./read-block-text.ts";
import { ReadFault } from "./read-fault.ts";
import { readWhole } from "./read-whole.ts";
import type { ScannedReply } from "./reply-part.ts";
import { scanReply } from "./scan-reply.ts";
import { typesOf } from "./schema-part.ts";
import type { Repair } from "./structured-result.ts";

const EDGE = /[\s\u200b-\u200f\u2060\ufeff]/;
const FENCE = /^(?:`{3,}|~{3,})[^\n]*$/;

/** Reads the one value of a reply: as it is, then out of what stands around it, then by its parts. */
export function readReply(text: string, task: ParseTask): FitValue | ReadFault {
  const bare = withoutEdges(text);
  const whole = readWhole(bare, task.budget, task.limits.maxDepth, true);
  if (whole !== undefined) {
    const edge = isInvisibleEdge(text, bare) ? [{ rule: "removed-invisible" }] : [];
    return withRepairs(edge, fitDraft(whole.draft, task));
  }
  return readDamaged(bare, task);
}

/** A pattern for the end of a text is tried at every blank within it, which takes a long text of blanks minutes. */
function withoutEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && EDGE.test(text.charAt(start))) start += 1;
  while (end > start && EDGE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

function isInvisibleEdge(text: string, bare: string): boolean {
  return text.trim() !== bare || /\ufeff/.test(text.replace(bare, ""));
}

function readDamaged(text: string, task: ParseTask): FitValue | ReadFault {
  const canCall = task.schema !== undefined && callFormOf(task.schema) !== undefined;
  const scanned = scanReply(text, task.budget, task.limits, canCall);
  if (scanned.isThinkingOpen)
    return new ReadFault("no-json", "the reply ends inside its thinking: there is no answer");
  const removed = [...scanned.removed].map((rule) => ({ rule }));
  const body = text.slice(scanned.bodyStart);
  const found = chooseValue(scanned.parts, task);
  if (!(found instanceof ReadFault)) return withRepairs(removed, found);
  const other = readOtherForm(body, scanned, task);
  if (other !== undefined) return other;
  return scanned.parts.length === 0 && unfenced(body).trim() === ""
    ? new ReadFault("empty", "the reply is empty but for its marks")
    : found;
}

/** Reads a reply that is written in another form than JSON, where it holds nothing that was meant as JSON. */
function readOtherForm(
  body: string,
  scanned: ScannedReply,
  task: ParseTask,
): FitValue | ReadFault | undefined {
  const unescaped = readEscaped(body, task);
  if (unescaped !== undefined) return unescaped;
  const { schema } = task;
  if (schema === undefined || scanned.parts.some((part) => part.fault !== undefined || part.isCall))
    return undefined;
  const inner = unfenced(body).trim();
  const quoted = inner.startsWith('"')
    ? readWhole(inner, task.budget, task.limits.maxDepth, true)
    : undefined;
  if (quoted !== undefined)
    return withRepairs(
      [...scanned.removed].map((rule) => ({ rule })),
      fitDraft(quoted.draft, task),
    );
  const scalar = readScalarReply(inner, task);
  if (scalar !== undefined) return scalar;
  if (inner.length > task.limits.maxBlockChars) return undefined;
  task.budget.spend(inner.length);
  const block = readBlockText(inner, schema);
  if (block === undefined) return undefined;
  const result = fitDraft(block, task);
  return result instanceof ReadFault
    ? undefined
    : withRepairs([{ rule: "read-block-text" }], result);
}

/** Reads JSON whose quotation marks are all escaped. */
function readEscaped(body: string, task: ParseTask): FitValue | ReadFault | undefined {
  const start = body.search(/[[{]/);
  if (start < 0 || !body.includes('\\"') || /(?:^|[^\\])"/.test(body)) return undefined;
  const end = Math.max(body.lastIndexOf("}"), body.lastIndexOf("]"));
  task.budget.spend(body.length);
  const { text, repairs } = decodeEscapes(body.slice(start, end + 1));
  if (repairs.length > 0) return undefined;
  const whole = readWhole(text, task.budget, task.limits.maxDepth, true);
  return whole === undefined
    ? undefined
    : withRepairs([{ rule: "unescaped-text" }], fitDraft(whole.draft, task));
}

/** Reads a reply that is a bare number, literal or allowed value, where the schema wants one. */
function readScalarReply(text: string, task: ParseTask): FitValue | undefined {
  const { schema } = task;
  const types = schema === undefined ? undefined : typesOf(schema);
  if (
    types === undefined ||
    text.length > 1_000 ||
    types.includes("object") ||
    types.includes("array")
  )
    return undefined;
  const whole = readWhole(text, task.budget, task.limits.maxDepth, false);
  const readings = whole === undefined ? [text] : [whole.draft, text];
  for (const draft of readings) {
    const isChoice = schema?.["enum"] !== undefined || schema?.["const"] !== undefined;
    if (typeof draft === "string" && types.includes("string") && !isChoice && draft === text)
      continue;
    const result = fitDraft(draft, task);
    if (!(result instanceof ReadFault))
      return {
        value: result.value,
        repairs: [...syntaxRepairs(whole?.repairs ?? new Map()), ...result.repairs],
      };
  }
  return undefined;
}

/** The inside of the only fence of a text; the text itself where there is none. */
function unfenced(text: string): string {
  const lines = text.split("\n");
  const marks = lines.flatMap((line, index) => (FENCE.test(line.trim()) ? [index] : []));
  const [open, close] = marks;
  if (open === undefined || marks.length > 2) return text;
  return lines.slice(open + 1, close ?? lines.length).join("\n");
}

function withRepairs(
  before: readonly Repair[],
  result: FitValue | ReadFault,
): FitValue | ReadFault {
  if (result instanceof ReadFault) return result;
  return { value: result.value, repairs: [...before, ...result.repairs] };
}
