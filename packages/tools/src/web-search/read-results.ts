import { ToolError } from "@loopwright/core/plugin";
import { htmlText } from "../shared/html-text.ts";

const maxTitle = 200;
const maxAddress = 1_000;
const maxSnippet = 400;

/** Where results lie in a reply, and how many are wanted. */
export interface ResultFields {
  /** Names joined by dots. */
  readonly results: string;
  readonly title: string;
  readonly address: string;
  readonly snippet: string;
  readonly maxResults: number;
}

/** Returns the results of a reply as a numbered list. */
export function readResults(reply: unknown, fields: ResultFields): string {
  const list = valueAt(reply, fields.results);
  if (!Array.isArray(list))
    throw new ToolError(
      "tool-failed",
      `The search endpoint answered without a list at \`${fields.results}\`; say in the spec's \`results\` where it lies.`,
    );
  const shown = (list as unknown[])
    .map((item) => readOne(item, fields))
    .filter((lines) => lines.length > 0)
    .slice(0, fields.maxResults);
  if (shown.length === 0) return "no result";
  return shown
    .map(([first, ...more], at) => [`${at + 1}. ${first}`, ...more].join("\n   "))
    .join("\n");
}

function readOne(item: unknown, { title, address, snippet }: ResultFields): readonly string[] {
  return [
    textAt(item, title, maxTitle),
    textAt(item, address, maxAddress),
    textAt(item, snippet, maxSnippet),
  ].filter((text) => text !== "");
}

/** One line without markup, cut where it is long. */
function textAt(item: unknown, path: string, maxCharacters: number): string {
  const value = valueAt(item, path);
  if (typeof value !== "string" && typeof value !== "number") return "";
  const text = htmlText(String(value).slice(0, maxCharacters * 10)).replaceAll(/\s+/g, " ");
  const characters = Array.from(text);
  return characters.length > maxCharacters
    ? `${characters.slice(0, maxCharacters).join("")}…`
    : text;
}

function valueAt(value: unknown, path: string): unknown {
  let at = value;
  for (const name of path.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[name];
  }
  return at;
}
