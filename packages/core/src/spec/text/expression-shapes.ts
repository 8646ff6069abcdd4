import type { ASTNode } from "@marcbachmann/cel-js";
import { faultAt } from "./expression-fault.ts";
import { nullShape } from "./expression-operators.ts";
import type { Shape } from "./shape.ts";

/** The shape of a literal. */
export function literalShape(node: Extract<ASTNode, { op: "value" }>): Shape {
  const value = node.args;
  if (value === null) return nullShape;
  if (typeof value === "string") return { kind: "text" };
  if (typeof value === "boolean") return { kind: "boolean" };
  if (typeof value === "number" || typeof value === "bigint") {
    if (typeof value === "bigint" && !Number.isSafeInteger(Number(value)))
      throw faultAt(
        node,
        `\`${value}\` is too large to be kept exactly`,
        `write at most ${Number.MAX_SAFE_INTEGER}`,
      );
    return { kind: "number" };
  }
  throw faultAt(
    node,
    "expressions know text, numbers, true, false and null only",
    "write it as a text or a number",
  );
}

/** What brackets with a key find in a value; `path` is its own where it has one. */
export function itemShape(
  node: ASTNode,
  index: ASTNode,
  { shape, path }: { readonly shape: Shape; readonly path: string | undefined },
  key: Shape,
): Shape {
  if (shape.kind === "any") return shape;
  if (shape.kind === "list") {
    if (key.kind !== "number" && key.kind !== "any")
      throw faultAt(
        index,
        "the index of a list must be a number",
        `write \`${path ?? "list"}[0]\` for the first item, or repeat with .exists(x, …)`,
      );
    return shape.of;
  }
  if (shape.kind === "map") return shape.of;
  if (shape.kind === "object") return { kind: "any" };
  throw faultAt(
    node,
    `\`${path ?? "this"}\` is neither a list nor a map`,
    `write \`${path ?? "it"}\` without brackets`,
  );
}
