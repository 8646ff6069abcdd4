import { fixtureText } from "./read-fixture.ts";
import type { RecordedRun, RecordedStep } from "./recorded-run.ts";

/** An exemplar that people wrote for ALFWorld. */
export interface Exemplar extends RecordedRun {
  readonly kind: string;
  /** True for one with thoughts, false for its pair without. */
  readonly hasThoughts: boolean;
}

/** The 36 exemplars, in the order of their file. */
export function alfworldExemplars(): readonly Exemplar[] {
  const texts = JSON.parse(fixtureText("alfworld/exemplars.json.gz")) as Record<string, string>;
  return Object.entries(texts).map(([name, text]) => {
    const [task = "", ...parts] = text.trimEnd().split(/\n> ?/u);
    return {
      name,
      kind: name.replace(/^[a-z]+_/u, ""),
      hasThoughts: name.startsWith("react_"),
      task,
      steps: settle(parts.map(toStep)),
      answer: "The task is done.",
    };
  });
}

function toStep(part: string): RecordedStep {
  const [command = "", ...lines] = part.split("\n");
  const observation = lines.join("\n").trim();
  const thought = /^think:\s*(?<words>.*\S)\s*$/su.exec(command)?.groups?.["words"];
  return thought === undefined
    ? { tool: "act", input: { command }, observation }
    : { tool: "think", input: { thought }, observation };
}

/** In one exemplar the result of a command stands behind the thought that follows it. */
function settle(steps: readonly RecordedStep[]): readonly RecordedStep[] {
  return steps.map((step, index) => {
    const { tool, observation } = step;
    if (tool === "think") return { ...step, observation: "OK." };
    if (observation !== "") return step;
    const [, late = ""] = (steps[index + 1]?.observation ?? "").split("\n");
    return { ...step, observation: late };
  });
}
