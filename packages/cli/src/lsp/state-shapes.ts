import type { Shape } from "@loopwright/core";

/** What a path leads to in the state; undefined where it leads nowhere. */
export function shapeAt(root: Shape, names: readonly string[]): Shape | undefined {
  return names.reduce<Shape | undefined>((shape, name) => {
    switch (shape?.kind) {
      case "object":
        return Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
      case "list":
        return /^\d+$/u.test(name) ? shape.of : undefined;
      case "map":
        return shape.of;
      default:
        return undefined;
    }
  }, root);
}

/** A shape in words. */
export function shapeText(shape: Shape): string {
  const words = wordsOf(shape);
  return shape.nullable === true ? `${words}, or null` : words;
}

function wordsOf(shape: Shape): string {
  switch (shape.kind) {
    case "text":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "enum":
      return `one of ${shape.values.join(", ")}`;
    case "list":
      return "a list";
    case "any":
      return "any value";
    default:
      return "a map";
  }
}
