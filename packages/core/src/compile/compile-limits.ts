import type { JsonSchema } from "../contracts/json.ts";
import { shownValue } from "../spec/document/node-text.ts";
import type { OptionsContext } from "../spec/document/options-context.ts";
import { readOptions } from "../spec/document/read-options.ts";
import { limitsSchema } from "../spec/document/spec-schemas.ts";
import type { SpecNode } from "../spec/text/spec-node.ts";
import type { Limits } from "../program/program.ts";

/** Each limit by its key in the spec. */
export const LIMIT_KEYS: readonly (readonly [key: string, field: keyof Limits])[] = [
  ["modelCalls", "modelCalls"],
  ["toolCalls", "toolCalls"],
  ["tokens", "tokens"],
  ["usd", "usd"],
  ["time", "timeMs"],
  ["workTime", "workTimeMs"],
];

/** Reads `limits`, of the spec, a stage, a tool or a switch. */
export function compileLimits(
  node: SpecNode | undefined,
  options: OptionsContext,
  schema: JsonSchema = limitsSchema,
): Limits {
  if (node === undefined) return {};
  if (node.kind !== "map") {
    options.diagnostics.error(
      "LW-VALUE-MAP-EXPECTED",
      node,
      `\`limits\` is a map, not ${shownValue(node)}`,
      "write `limits: { modelCalls: 20 }`",
    );
    return {};
  }
  const owner = {
    name: "limits",
    unknownCode: "LW-SPEC-UNKNOWN-KEY",
    missingCode: "LW-SPEC-MISSING-KEY",
  } as const;
  const { time, workTime, ...counts } = readOptions(node, schema, owner, options).value;
  return {
    ...(counts as unknown as Limits),
    ...(typeof time === "number" ? { timeMs: time } : {}),
    ...(typeof workTime === "number" ? { workTimeMs: workTime } : {}),
  };
}
