import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Diagnostics } from "../text/diagnostic.ts";
import type { ListNode } from "../text/spec-node.ts";
import { labelOf } from "./node-text.ts";

type Fault = readonly [message: string, repair: string];

/** Reports a list that is shorter, longer or less varied than its schema allows. */
export function hasAllowedLength(
  node: ListNode,
  schema: JsonSchema,
  values: readonly Json[],
  diagnostics: Diagnostics,
): boolean {
  const { minItems, maxItems } = schema as Readonly<
    Record<"minItems" | "maxItems", Json | undefined>
  >;
  const length = node.items.length;
  const fault: Fault | undefined =
    typeof minItems === "number" && length < minItems
      ? [
          `needs at least ${minItems} item${minItems === 1 ? "" : "s"}; it has ${length}`,
          `add at least ${minItems - length} more`,
        ]
      : typeof maxItems === "number" && length > maxItems
        ? [
            `takes at most ${maxItems} items; it has ${length}`,
            `take ${length - maxItems} of them away`,
          ]
        : schema["uniqueItems"] === true
          ? twice(values)
          : undefined;
  if (fault === undefined) return true;
  const [message, repair] = fault;
  diagnostics.error("LW-VALUE-RANGE", node, `\`${labelOf(node)}\` ${message}`, repair);
  return false;
}

function twice(values: readonly Json[]): Fault | undefined {
  const texts = values.map((value) => JSON.stringify(value));
  const again = texts.find((text, index) => texts.indexOf(text) < index);
  return again === undefined
    ? undefined
    : ["holds the same item twice", `delete one of the two: ${again}`];
}
