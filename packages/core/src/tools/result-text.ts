import { definePrompt, type Language, wordsIn } from "../contracts/prompt.ts";
import type { ToolDefinition } from "../contracts/tool.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { lostPart } from "./lost-part.ts";

const NOTHING = definePrompt({ en: "no result", zh: "没有结果" });

/** True for the text of a result that holds nothing, whatever tool gave it. */
export function isNoResult(text: string): boolean {
  const said = text.trim();
  return said === "" || said === wordsIn("en", NOTHING) || said === wordsIn("zh", NOTHING);
}

const CUT = definePrompt({
  en: "[cut: {{shown}} of {{length}} characters shown]",
  zh: "[已截断：显示了 {{length}} 个字符中的 {{shown}} 个]",
});

/** Longer texts in a line of fields are hard to tell from the fields around them. */
const maxFieldChars = 300;

/** A tool's output in the words of its definition, or else as it is. */
export function formatOutput(
  { id, format }: ToolDefinition,
  output: unknown,
  language: Language = "en",
): string {
  if (format === undefined) return outputText(output, language);
  const text: unknown = callFormat(id, format, output);
  if (typeof text !== "string") throw new TypeError(`the \`format\` of ${id} gives no text`);
  return text.trim() === "" ? wordsIn(language, NOTHING) : text;
}

function callFormat(
  id: string,
  format: NonNullable<ToolDefinition["format"]>,
  output: unknown,
): unknown {
  try {
    return format(output as never);
  } catch (thrown) {
    throw new TypeError(`the \`format\` of ${id} failed: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** An output as text: text as it is, fields one a line, records one a line, deeper data as compact JSON. */
export function outputText(output: unknown, language: Language = "en"): string {
  const nothing = wordsIn(language, NOTHING);
  if (typeof output === "string") return output.trim() === "" ? nothing : output;
  if (output === undefined || output === null) return nothing;
  const lost = lostPart(output);
  if (lost !== undefined)
    throw new TypeError(
      `${lost}, which can't be written down: return plain data, or give the tool a \`format\``,
    );
  if (isEmpty(output)) return nothing;
  return recordText(output, "\n") ?? listText(output) ?? JSON.stringify(output) ?? nothing;
}

function isEmpty(output: unknown): boolean {
  if (output === undefined || output === null) return true;
  return typeof output === "object" && isPlain(output) && Object.keys(output).length === 0;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function listText(output: unknown): string | undefined {
  if (!Array.isArray(output) || output.length === 0) return undefined;
  const lines: string[] = [];
  for (const item of output as readonly unknown[]) {
    const line = isEmpty(item) ? undefined : recordText(item, ", ");
    if (line === undefined) return undefined;
    lines.push(`- ${line}`);
  }
  return lines.join("\n");
}

/** The fields of a record without parts of its own; undefined for anything else. */
function recordText(output: unknown, separator: string): string | undefined {
  if (typeof output !== "object" || output === null || Array.isArray(output) || !isPlain(output))
    return undefined;
  const fields: string[] = [];
  for (const [key, value] of Object.entries(output)) {
    if (value === undefined) continue;
    const text = scalarText(value, separator);
    if (text === undefined || /[\n:,]/.test(key)) return undefined;
    fields.push(`${key}: ${text}`);
  }
  return fields.join(separator);
}

function scalarText(value: unknown, separator: string): string | undefined {
  if (value === null || typeof value === "number" || typeof value === "boolean")
    return JSON.stringify(value);
  if (typeof value !== "string") return undefined;
  return isClear(value, separator) ? value : JSON.stringify(value);
}

/** True for a text that needs no quotation marks to be told from what stands around it, or from a number. */
function isClear(text: string, separator: string): boolean {
  if (text.trim() !== text || text === "" || text.length > maxFieldChars) return false;
  if (/[\n\r"]/.test(text) || (separator === ", " && text.includes(","))) return false;
  return !/^(?:-?[\d.]+(?:e[+-]?\d+)?|true|false|null)$/i.test(text);
}

/** The last so much of a cut text is looked through for the end of a sentence or a line. */
const borderShare = 0.2;

/** A text cut at a size, for an observation: at the end of a sentence or a line where one is near. */
export function cutText(text: string, maxChars: number, language: Language = "en"): string {
  if (text.length <= maxChars) return text;
  // A cut inside a pair of surrogates would leave text that no endpoint can read.
  const most = text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, "");
  const end = borderIn(most, Math.ceil(maxChars * (1 - borderShare)));
  const kept = end === undefined ? most : most.slice(0, end);
  const shown = end ?? maxChars;
  return `${kept}\n${wordsIn(language, CUT, { shown, length: text.length })}`;
}

/** Where the last whole line or sentence ends, from a place on. */
function borderIn(text: string, from: number): number | undefined {
  let end: number | undefined;
  for (const match of text.slice(from).matchAll(/[.!?](?=\s)|[。！？]|\n/gu))
    end = from + match.index + (match[0] === "\n" ? 0 : match[0].length);
  return end === 0 ? undefined : end;
}
