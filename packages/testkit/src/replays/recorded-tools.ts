import type { Json, JsonObject } from "@loopwright/core";
import type { RecordedRun } from "./recorded-run.ts";

/** A tool of a published run. */
export interface RecordedTool {
  readonly name: string;
  readonly isThought: boolean;
  /** What it takes, as far as the calls in the log tell. */
  readonly input: JsonObject;
}

/** The tools that published runs use; `think` takes a thought and touches nothing. */
export function toolsIn(runs: readonly RecordedRun[]): readonly RecordedTool[] {
  const inputs = new Map<string, JsonObject[]>();
  for (const { tool, input } of runs.flatMap(({ steps }) => steps))
    inputs.set(tool, [...(inputs.get(tool) ?? []), input]);
  return [...inputs].map(([name, given]) => ({
    name,
    isThought: name === "think",
    input: schemaOf(given),
  }));
}

function schemaOf(inputs: readonly JsonObject[]): JsonObject {
  const names = [...new Set(inputs.flatMap((input) => Object.keys(input)))];
  const required = names.filter((name) => inputs.every((input) => name in input));
  const properties = Object.fromEntries(
    names.map((name) => [name, partSchema(inputs.map((input) => input[name]))]),
  );
  return { type: "object", properties, required };
}

function partSchema(values: readonly (Json | undefined)[]): JsonObject {
  const given = values.filter((value) => value !== undefined);
  return given.every((value) => typeof value === "string") ? { type: "string" } : {};
}
