import type { Json, Run } from "@loopwright/core";
import { neutralize, neutralizeJson } from "./neutralize.ts";

/** An effect that a dry run left out. */
export interface StubbedEffect {
  readonly tool: string;
  readonly input: Json;
}

/** Characters of the arguments that are printed. */
const MAX_SHOWN = 400;

/** Collects what a dry run leaves out; the list grows while the run goes on. */
export function stubbedEffects(run: Pick<Run, "on">): readonly StubbedEffect[] {
  const effects: StubbedEffect[] = [];
  run.on("effect.stubbed", ({ data }) => {
    effects.push({ tool: data.tool, input: data.input });
  });
  return effects;
}

/** What a dry run would have done, as a person reads it. */
export function stubbedText(effects: readonly StubbedEffect[]): string {
  if (effects.length === 0) return "dry run: nothing would have been done";
  const lines = effects.map(({ tool, input }, index) => {
    const json = neutralizeJson(JSON.stringify(input));
    const shown = json.length > MAX_SHOWN ? `${json.slice(0, MAX_SHOWN)}…` : json;
    return `\n  ${index + 1}. ${neutralize(tool)} ${shown}`;
  });
  return `dry run: nothing was done; this would have been${lines.join("")}`;
}
