import type { Json, JsonObject } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import type { Template } from "../spec/text/template.ts";
import { renderIn } from "./compute.ts";
import { glossaryText } from "./glossary-text.ts";
import type { Frame } from "./run-scope.ts";

/**
 * The system message of a call: the spec's instructions, the stage's, the strategy's, terms of the glossary that the task,
 * the answer or the last thought holds, examples, and the form of the reply.
 */
export function systemText(
  frame: Frame,
  system: string | undefined,
  form: string,
  messages: readonly Message[] = [],
): string {
  const { program } = frame.run.linked;
  const parts = [
    rendered(frame, program.instructions),
    rendered(frame, frame.stage?.instructions),
    system ?? "",
    termsText(frame, messages),
    examplesText(frame),
    form,
  ];
  return parts.filter((part) => part.trim() !== "").join("\n\n");
}

function termsText(frame: Frame, messages: readonly Message[]): string {
  const { glossary } = frame.run.linked.program;
  if (glossary === undefined) return "";
  const { text, mission, deliverable, constraints, inputs } = frame.state.task;
  const thought = messages.findLast((message) => message.role === "assistant")?.text ?? "";
  return glossaryText(glossary, [
    text,
    mission,
    deliverable,
    ...Object.values(inputs).map(asText),
    ...constraints.map((constraint) => constraint.text),
    frame.state.answer.text,
    thought,
  ]);
}

/** The prompt of a call: the stage's own template for this voice, or the strategy's text. */
export function promptText(
  frame: Frame,
  prompt: string | undefined,
  voice: string,
  bind: JsonObject = {},
): string | undefined {
  const own = frame.stage?.prompts[voice] ?? frame.stage?.prompts["default"];
  if (own === undefined || prompt === undefined) return prompt;
  return asText(renderIn(frame, own, bind));
}

/** Renders a template over the frame's state as text. */
function rendered(frame: Frame, template: Template | undefined): string {
  if (template === undefined) return "";
  return asText(renderIn(frame, template));
}

function asText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function examplesText(frame: Frame): string {
  const examples = frame.stage?.examples ?? [];
  if (examples.length === 0) return "";
  const blocks = examples.map((example) =>
    [
      `Task: ${example.task}`,
      ...(example.reasoning === undefined ? [] : [`Reasoning: ${example.reasoning}`]),
      `Answer: ${example.answer}`,
      ...(example.avoid === undefined ? [] : [`Avoid: ${example.avoid}`]),
    ].join("\n"),
  );
  return ["Examples:", ...blocks].join("\n\n");
}
