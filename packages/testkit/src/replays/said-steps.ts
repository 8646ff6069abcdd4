import type { ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import type { RecordedStep } from "./recorded-run.ts";

/** A step as the published WebShop prompt has it: `Action: click[Buy Now]`. */
export function saidInBrackets({ tool, input }: RecordedStep): string {
  const [on] = Object.values(input);
  return `Action: ${tool}[${typeof on === "string" ? on : ""}]`;
}

/** A step as labelled lines; an input stays as the log has it, unless it would be read as data. */
export function saidInLines({ tool, input, thought = "" }: RecordedStep): string {
  const [value] = Object.values(input);
  const isPlain = typeof value === "string" && value !== "" && !/^\s*["'{[]/u.test(value);
  const lines = [
    ...(thought === "" ? [] : [`Thought: ${thought}`]),
    `Action: ${tool}`,
    `Action Input: ${isPlain ? value : JSON.stringify(input)}`,
  ];
  return lines.join("\n");
}

/** The last words as a labelled line. */
export function answerInLine(answer: string): string {
  return `Final Answer: ${answer}`;
}

/** Whether a text prompt asks for a further step: its last words tell when no tool is taken any more. */
export function asksForStep({ messages }: ProviderRequest): boolean {
  return !/tools are off/iu.test(messages.at(-1)?.text ?? "");
}

/** A step as one object under a schema. */
export function saidAsObject({ tool, input, thought = "" }: RecordedStep): ScriptedReply {
  return { json: { thought, calls: [{ tool, arguments: JSON.stringify(input) }] } };
}

/** The last words as one object, or as they are where no step is asked for. */
export function answerAsObject(answer: string, { output }: ProviderRequest): ScriptedReply {
  if (output === undefined) return { text: answer };
  return { json: { thought: "", final: { answer, evidence: [] } } };
}
