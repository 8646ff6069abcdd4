import type { Language, ReactStep } from "@loopwright/core/plugin";

/** A step as the protocol writes it, whatever it looked like. */
export function stepText(
  { thought, action, input, finalAnswer }: ReactStep,
  language: Language,
): string {
  const labels = LABELS[language];
  const lines = thought === null || thought === "" ? [] : [`${labels.thought} ${thought}`];
  if (finalAnswer !== null) return [...lines, `${labels.answer} ${finalAnswer}`].join("\n");
  const written = typeof input === "string" ? input : JSON.stringify(input ?? {});
  return [...lines, `${labels.action} ${action ?? ""}`, `${labels.input} ${written}`].join("\n");
}

/** A step without its thought; a text that holds no action stays as it is. */
export function withoutThought(text: string, language: Language): string {
  const { thought, action } = LABELS[language];
  const at = text.indexOf(`\n${action}`);
  return text.startsWith(thought) && at > 0 ? text.slice(at + 1) : text;
}

/** The labels of the fields. */
export const LABELS: Readonly<Record<Language, Readonly<Record<Label, string>>>> = {
  en: {
    thought: "Thought:",
    action: "Action:",
    input: "Action Input:",
    observation: "Observation:",
    answer: "Final Answer:",
  },
  zh: {
    thought: "思考：",
    action: "行动：",
    input: "行动输入：",
    observation: "观察：",
    answer: "最终答案：",
  },
};

type Label = "thought" | "action" | "input" | "observation" | "answer";
