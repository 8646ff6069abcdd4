import type { Effect, JsonSchema } from "@loopwright/core/plugin";

/** A tool as a server lists it. */
export interface ServerTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output?: JsonSchema;
  readonly effect: Effect;
}

/** One page of a list of tools. */
interface ToolPage {
  readonly tools: readonly ServerTool[];
  readonly next?: string;
}

/** Reads a page of tools; core judges names and schemas. */
export function readPage(result: unknown): ToolPage {
  const { tools, nextCursor } = record(result);
  return {
    tools: Array.isArray(tools) ? tools.map((tool: unknown) => readTool(record(tool))) : [],
    ...(typeof nextCursor === "string" && nextCursor !== "" ? { next: nextCursor } : {}),
  };
}

function readTool(tool: Fields): ServerTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const hints = record(annotations);
  const output = outputSchema === undefined ? {} : { output: outputSchema as JsonSchema };
  const called = typeof name === "string" ? name : "";
  return {
    name: called,
    description: firstText(description, title, hints["title"], called),
    input: (inputSchema ?? { type: "object" }) as JsonSchema,
    ...output,
    effect: effectOf(hints),
  };
}

/** What is not said to be harmless acts once. */
function effectOf({ readOnlyHint, idempotentHint }: Fields): Effect {
  if (readOnlyHint === true) return "read";
  return idempotentHint === true ? "idempotent" : "once";
}

type Fields = Readonly<Record<string, unknown>>;

function record(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function firstText(...values: readonly unknown[]): string {
  const text = values.find((value) => typeof value === "string" && value.trim() !== "");
  return typeof text === "string" ? text : "";
}
