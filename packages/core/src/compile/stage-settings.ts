import { isJsonObject, type OptionsContext } from "../spec/document/options-context.ts";
import { shownValue } from "../spec/document/node-text.ts";
import { readExpression } from "../spec/document/read-expression.ts";
import { openReader, readValue } from "../spec/document/read-options.ts";
import { readBoolean, readChoice } from "../spec/document/read-scalar.ts";
import { readTemplate } from "../spec/document/read-template.ts";
import { exampleSchema } from "../spec/document/spec-schemas.ts";
import type { Expression } from "../spec/text/expression.ts";
import { entry, type MapNode, type SpecNode } from "../spec/text/spec-node.ts";
import type { Template } from "../spec/text/template.ts";
import { compileLimits } from "./compile-limits.ts";
import type { Limits, CompiledStage } from "../program/program.ts";

/** The settings common to all stages, except models, prompts and tools. */
export interface StageSettings {
  readonly when: Expression | undefined;
  readonly always: boolean;
  readonly onError: CompiledStage["onError"];
  readonly instructions: Template | undefined;
  readonly examples: CompiledStage["examples"];
  readonly limits: Limits;
}

/** Reads the settings that every stage may have. */
export function compileSettings(node: MapNode, options: OptionsContext): StageSettings {
  const { diagnostics, shape } = options;
  const [when, always] = [entry(node, "when"), entry(node, "always")];
  const [onError, examples] = [entry(node, "onError"), entry(node, "examples")];
  const instructions = entry(node, "instructions");
  const failing =
    onError === undefined ? undefined : readChoice(onError, ["fail", "continue"], diagnostics);
  return {
    when: when === undefined ? undefined : readExpression(when, shape, "bool", diagnostics),
    always: always === undefined ? false : (readBoolean(always, diagnostics) ?? false),
    onError: failing === "continue" ? "continue" : "fail",
    instructions:
      instructions === undefined ? undefined : readTemplate(instructions, shape, diagnostics),
    examples: examples === undefined ? [] : compileExamples(examples, options),
    limits: compileLimits(entry(node, "limits"), options),
  };
}

function compileExamples(node: SpecNode, context: OptionsContext): CompiledStage["examples"] {
  if (node.kind !== "list") {
    const repair = 'write a list of { task, answer }, or "${file:examples.jsonl}"';
    context.diagnostics.error(
      "LW-VALUE-LIST-EXPECTED",
      node,
      `\`examples\` is a list, not ${shownValue(node)}`,
      repair,
    );
    return [];
  }
  const owner = {
    name: "examples",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const reader = openReader(owner, context);
  return node.items.flatMap((item) => {
    const example = readValue(item, exampleSchema, "", reader);
    if (!isJsonObject(example)) return [];
    const { task, answer, reasoning, avoid } = example;
    if (typeof task !== "string" || answer === undefined) return [];
    return [
      {
        task,
        answer: typeof answer === "string" ? answer : JSON.stringify(answer),
        ...(typeof reasoning === "string" ? { reasoning } : {}),
        ...(typeof avoid === "string" ? { avoid } : {}),
      },
    ];
  });
}
