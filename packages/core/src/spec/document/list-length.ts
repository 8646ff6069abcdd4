import type { Json, JsonSchema } from "../../contracts/json.ts";
import type { Diagnostics } from "../text/diagnostic.ts";
import type { ListNode } from "../text/spec-node.ts";
import { labelOf } from "./node-text.ts";

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
  const fault =
    typeof minItems === "number" && length < minItems
      ? `needs at least ${minItems} item${minItems === 1 ? "" : "s"}; it has ${length}`
      : typeof maxItems === "number" && length > maxItems
        ? `takes at most ${maxItems} items; it has ${length}`
        : schema["uniqueItems"] === true &&
            new Set(values.map((value) => JSON.stringify(value))).size < values.length
          ? "holds the same item twice"
          : undefined;
  if (fault === undefined) return true;
  diagnostics.error("LW-VALUE-RANGE", node, `\`${labelOf(node)}\` ${fault}`);
  return false;
}
