import type { JsonObject } from "../../contracts/json.ts";
import type { Diagnostics } from "../../spec/text/diagnostic.ts";
import { entry, type SpecNode } from "../../spec/text/spec-node.ts";
import type { TaskTemplate } from "../../program/program.ts";
import type { Template } from "../../spec/text/template.ts";
import { allStages, placeOf } from "../flow/flow-context.ts";
import { type AdviceParts, settingOf } from "./advice-parts.ts";

const shortestPart = 20;
const shortestAnswer = 4;

/** Warns of examples that hold the task itself, an input's default, or an answer that the task holds: the model copies them. */
export function adviseExampleLeak(parts: AdviceParts, diagnostics: Diagnostics): void {
  const { draft } = parts;
  const task = folded(literalOf(draft.task));
  const asked = [task, ...defaultsOf(draft.inputs.schema)].filter((text) => text !== "");
  for (const stage of allStages(draft.strategy)) {
    const node = settingOf(parts, stage, "examples");
    for (const [index, example] of stage.examples.entries()) {
      const at = placeIn(node, index) ?? (() => placeOf(stage));
      if (asked.some((text) => holds(folded(example.task), text)))
        diagnostics.warn(
          "LW-PROMPT-EXAMPLE-LEAK",
          at("task"),
          `this example of \`${stage.id}\` is the task itself: its answer is given away, and the run tests nothing`,
          "take an example that differs from the task, or delete it",
        );
      else if (isGivenAway(folded(example.answer), task))
        diagnostics.warn(
          "LW-PROMPT-EXAMPLE-LEAK",
          at("answer"),
          `the task holds the answer of this example of \`${stage.id}\`: the model will copy it`,
          "take an example with another answer",
        );
    }
  }
}

function holds(example: string, text: string): boolean {
  return example === text || (text.length >= shortestPart && example.includes(text));
}

function isGivenAway(answer: string, task: string): boolean {
  return answer.length >= shortestAnswer && task.includes(answer);
}

/** The task as far as it is written out, with nothing where it holds an input. */
function literalOf({ text, mission, deliverable }: TaskTemplate): string {
  return [text, mission, deliverable]
    .flatMap((one) => one?.parts ?? [])
    .map(plainText)
    .join(" ");
}

function plainText(part: Template["parts"][number]): string {
  return part.kind === "text" ? part.text : "";
}

function defaultsOf(schema: JsonObject): readonly string[] {
  return Object.values((schema["properties"] ?? {}) as JsonObject).flatMap((property) => {
    const standard = (property as JsonObject)["default"];
    return typeof standard === "string" && standard.length >= shortestPart
      ? [folded(standard)]
      : [];
  });
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

function placeIn(
  node: SpecNode | undefined,
  index: number,
): ((key: string) => SpecNode) | undefined {
  const item = node?.kind === "list" ? node.items[index] : undefined;
  if (item?.kind !== "map") return undefined;
  return (key) => entry(item, key) ?? item;
}
