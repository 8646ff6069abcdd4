import {
  type Json,
  type JsonSchema,
  type Observation,
  parseStructured,
  type ToolCall,
} from "@loopwright/core/plugin";

/** The plugin that runs JavaScript in a sandbox. */
const SANDBOX = "javascript";

/** The tool that runs programs; or why there is none, and what to write. */
interface FoundSandbox<T> {
  readonly sandbox?: T;
  readonly fault?: string;
  readonly repair?: string;
}

/** Finds the tool that runs programs: the one of that name in the spec, else the only one that is the built-in sandbox. */
export function sandboxOf<T extends { readonly tool: string; readonly use: string }>(
  tools: readonly T[],
  named: string | undefined,
): FoundSandbox<T> {
  const sandboxes = tools.filter(({ use }) => use === SANDBOX);
  const [first, second] =
    named === undefined ? sandboxes : tools.filter((one) => one.tool === named);
  if (first !== undefined && second === undefined) return { sandbox: first };
  const names = sandboxes.map(({ tool }) => `\`${tool}\``).join(", ");
  if (named !== undefined)
    return {
      fault: `it may call no tool \`${named}\``,
      repair: names === "" ? ADD_TOOL : `write one of ${names}, or add \`${named}\` to the tools`,
    };
  return first === undefined
    ? {
        fault: "it runs its program with the tool `javascript`, which is missing",
        repair: ADD_TOOL,
      }
    : { fault: `it may call several sandboxes: ${names}`, repair: "name one of them in `tool`" };
}

/** Why a tool can't run programs, as far as its arguments tell; undefined where it may. */
export function faultOfSandbox(
  sandbox: { readonly tool: string; readonly takes?: readonly string[] } | undefined,
): string | undefined {
  if (sandbox?.takes === undefined || sandbox.takes.includes("code")) return undefined;
  return `\`${sandbox.tool}\` takes no \`code\`, so that it can't run a program`;
}

/** How a stage gets its sandbox. */
export const ADD_TOOL = "add `javascript` to the `tools` of the spec, and to those of the stage";

/** The program in a reply: the last block of code that defines `solution`, else the first one, or all of it. */
export function codeIn(text: string): string {
  const blocks = blocksIn(text);
  return (blocks.findLast((block) => DEFINES.test(block)) ?? blocks[0] ?? text).trim();
}

const DEFINES = /\bfunction\s+solution\b|\bsolution\s*=(?![=>])/u;

/** What stands between fences of code; the last block may be open. */
function blocksIn(text: string): readonly string[] {
  const blocks: string[] = [];
  let block: string[] | undefined;
  for (const line of text.split("\n")) {
    if (block === undefined) {
      const at = line.lastIndexOf(FENCE);
      if (at >= 0 && INFO.test(line.slice(at + FENCE.length).trim())) block = [];
      continue;
    }
    const end = line.indexOf(FENCE);
    block.push(end < 0 ? line : line.slice(0, end));
    if (end < 0) continue;
    blocks.push(block.join("\n"));
    block = undefined;
  }
  return block === undefined ? blocks : [...blocks, block.join("\n")];
}

const FENCE = "```";
const INFO = /^[\w+-]*$/u;

/** The call that runs a program; its last expression is what `solution()` returns. */
export function toCall(name: string, program: string, attempt: number): ToolCall {
  const code = `${program}\n;({ value: solution() })`;
  return { id: `program-${attempt}`, name, arguments: JSON.stringify({ code }) };
}

/** What a program came to. */
export interface ProgramOutcome {
  readonly ok: boolean;
  /** What it returned. */
  readonly value?: Json;
  /** Why there is no value; empty where there is one. */
  readonly reason: string;
}

/** Reads what a program returned from what the sandbox says; a fallback of the tool is no value. */
export function outcomeOf({ ok, degraded, content }: Observation): ProgramOutcome {
  if (!ok || degraded) return { ok: false, reason: content };
  const read = parseStructured(content, { schema: RETURNED });
  if (!read.ok) return { ok: false, reason: `it returned no value that can be read: ${content}` };
  const { value } = (read.value as { readonly result: { readonly value: Json } }).result;
  const fault = value === null || value === "" ? "nothing" : noNumberIn(value, "");
  if (fault !== undefined) return { ok: false, reason: `it returned ${fault}` };
  return { ok: true, value, reason: "" };
}

/** The first part of a value that is no number, as the sandbox writes it, and where it stands; nothing may be made of it. */
function noNumberIn(value: Json, path: string): string | undefined {
  if (typeof value === "string")
    return /^(?:NaN|-?Infinity)$/u.test(value)
      ? `${value}${path === "" ? "" : ` in \`${path}\``}`
      : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, part] of Object.entries(value)) {
    const found = noNumberIn(part, path === "" ? name : `${path}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const RETURNED: JsonSchema = {
  type: "object",
  required: ["result"],
  properties: {
    result: { type: "object", required: ["value"], properties: { value: {} } },
  },
};

/** A value as the text of an answer; where the output has one field, the bare value of that field will do. */
export function answerText(value: Json | undefined, schema: JsonSchema | undefined): string {
  if (schema === undefined)
    return typeof value === "string" ? value : JSON.stringify(value ?? null);
  const names = Object.keys((schema["properties"] ?? {}) as object);
  const [name = ""] = names;
  const isBare = typeof value !== "object" || value === null || Array.isArray(value);
  return JSON.stringify(isBare && names.length === 1 ? { [name]: value } : value);
}
