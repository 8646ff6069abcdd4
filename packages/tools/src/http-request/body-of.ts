import { messageOf, ToolError } from "@loopwright/core/plugin";
import type { CallArguments } from "../shared/web-address.ts";

/** What a request sends: fields that the spec declares, or a text that the model wrote. */
export interface BodySource {
  readonly fields: CallArguments | undefined;
  readonly text: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** The body of a request and its headers; a text must be JSON unless the spec names another content type. */
export function bodyOf({ fields, text, headers }: BodySource): {
  readonly content: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
} {
  const content = fields === undefined ? textOf(text) : fieldsOf(fields);
  if (content === undefined) return { content, headers };
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  if (type === undefined || /[/+]json\b/i.test(type)) refuseBroken(content);
  return {
    content,
    headers: type === undefined ? { "Content-Type": "application/json", ...headers } : headers,
  };
}

function textOf(text: unknown): string | undefined {
  return typeof text === "string" && text.trim() !== "" ? text : undefined;
}

function fieldsOf(fields: CallArguments): string | undefined {
  return Object.keys(fields).length === 0 ? undefined : JSON.stringify(fields);
}

function refuseBroken(content: string): void {
  try {
    JSON.parse(content);
  } catch (cause) {
    throw new ToolError(
      "tool-arguments-invalid",
      `\`body\` is not JSON: ${messageOf(cause)}; write the whole body as JSON text.`,
      { cause },
    );
  }
}
