import { ToolError } from "@loopwright/core/plugin";

type Fields = Readonly<Record<string, unknown>>;

/** How deep a result may be nested. */
const maxDepth = 500;

/**
 * Reads what a server answered to a call: its structured content where the tool declares some, else its text, with other
 * content described; an answer that says it is an error is thrown.
 */
export function readResult(result: unknown, hasOutput: boolean): unknown {
  const { content, structuredContent, isError } = record(result);
  const text = textOf(content);
  if (isError === true)
    throw new ToolError("tool-failed", text === "" ? "the server says only that it failed" : text);
  if (structuredContent !== undefined && (hasOutput || text === ""))
    return ofBoundedDepth(structuredContent);
  if (hasOutput && structuredContent === undefined)
    throw new ToolError(
      "tool-failed",
      `the server declares structured content and sent none${text === "" ? "" : `; it said: ${text}`}`,
    );
  return text === "" ? "(the tool returned nothing)" : text;
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks
    .map((block) => blockText(record(block)))
    .filter((text) => text !== "")
    .join("\n");
}

function blockText(block: Fields): string {
  switch (block["type"]) {
    case "text":
      return string(block["text"]);
    case "image":
    case "audio":
      return `[${block["type"]}, ${string(block["mimeType"]) || "of unknown type"}, ${size(block["data"])}]`;
    case "resource_link":
      return `[${string(block["title"]) || string(block["name"]) || "resource"}: ${string(block["uri"])}]${withSpace(block["description"])}`;
    case "resource":
      return resourceText(record(block["resource"]));
    default:
      return `[content of type ${string(block["type"]) || "unknown"}]`;
  }
}

function resourceText({ uri, text, blob, mimeType }: Fields): string {
  if (typeof text === "string") return `[${string(uri)}]\n${text}`;
  return `[${string(uri)}, ${string(mimeType) || "of unknown type"}, ${size(blob)}]`;
}

/** The size of what base64 stands for. */
function size(data: unknown): string {
  const text = string(data);
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  return `${Math.floor(((text.length - padding) * 3) / 4)} bytes`;
}

/** What is nested deeper than this nobody reads, and much that goes through a value can't follow. */
function ofBoundedDepth(value: unknown): unknown {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth)
      throw new ToolError(
        "tool-failed",
        `the server sent a result nested deeper than ${maxDepth} levels`,
      );
    level = level.flatMap((part) =>
      typeof part === "object" && part !== null ? (Object.values(part) as readonly unknown[]) : [],
    );
  }
  return value;
}

function withSpace(value: unknown): string {
  const text = string(value);
  return text === "" ? "" : ` ${text}`;
}

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}
