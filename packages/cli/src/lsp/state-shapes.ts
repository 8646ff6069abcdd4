import { describeShape, type Shape } from "@loopwright/core";

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
  const words = describeShape(shape);
  return shape.nullable === true ? `${words}, or null` : words;
}
