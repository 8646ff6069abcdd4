import type { Json, JsonObject } from "../contracts/json.ts";
import type { Message } from "../contracts/message.ts";
import { definePrompt } from "../contracts/prompt.ts";
import type { Template } from "../spec/text/template.ts";
import { renderIn } from "./compute.ts";
import { glossaryText } from "./glossary-text.ts";
import { languageOf, say } from "./language-of.ts";
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
  const texts = [
    text,
    mission,
    deliverable,
    ...Object.values(inputs).map(asText),
    ...constraints.map((constraint) => constraint.text),
    frame.state.answer.text,
    thought,
  ];
  return glossaryText(glossary, texts, languageOf(frame));
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
  const blocks = examples.map(({ task, reasoning, answer, avoid }) =>
    [
      say(frame, EXAMPLE_TASK, { task }),
      ...(reasoning === undefined ? [] : [say(frame, EXAMPLE_REASONING, { reasoning })]),
      say(frame, EXAMPLE_ANSWER, { answer }),
      ...(avoid === undefined ? [] : [say(frame, EXAMPLE_AVOID, { avoid })]),
    ].join("\n"),
  );
  return [say(frame, EXAMPLES), ...blocks].join("\n\n");
}

const EXAMPLES = definePrompt({ en: "Examples:", zh: "示例：" });
const EXAMPLE_TASK = definePrompt({ en: "Task: {{task}}", zh: "任务：{{task}}" });
const EXAMPLE_REASONING = definePrompt({
  en: "Reasoning: {{reasoning}}",
  zh: "推理：{{reasoning}}",
});
const EXAMPLE_ANSWER = definePrompt({ en: "Answer: {{answer}}", zh: "答案：{{answer}}" });
const EXAMPLE_AVOID = definePrompt({ en: "Avoid: {{avoid}}", zh: "避免：{{avoid}}" });
