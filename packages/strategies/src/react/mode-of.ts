import type { Mode } from "./mode.ts";
import { type ModeSetting, nativeMode } from "./native.ts";
import { structuredMode } from "./structured.ts";
import { textMode } from "./text.ts";

/** How thoughts and calls are written; `auto` chooses by what the model can do. */
export type ModeOption = "auto" | Mode["id"];

const MODES: Readonly<Record<Mode["id"], (setting: ModeSetting) => Mode>> = {
  native: nativeMode,
  structured: structuredMode,
  text: textMode,
};

/** The mode of a stage. */
export function modeOf(option: ModeOption, setting: ModeSetting): Mode {
  return MODES[option === "auto" ? bestMode(setting) : option](setting);
}

/** Native calls where the model has them or nothing can be called, else objects under a schema, else labelled text. */
function bestMode({ context, actions }: ModeSetting): Mode["id"] {
  const { tools, structured } = context.abilities();
  if (tools || context.tools.length + actions.length === 0) return "native";
  return structured === "prompt" ? "text" : "structured";
}
