import type { ASTNode } from "@marcbachmann/cel-js";
import { faultAt } from "./expression-fault.ts";
import { checkCall, checkMethod, macros } from "./expression-functions.ts";
import {
  checkArithmetic,
  checkEquality,
  checkMembership,
  checkOrder,
  isNull,
  literalText,
  refuseZero,
  requireBoolean,
  unify,
} from "./expression-operators.ts";
import { itemShape, literalShape } from "./expression-shapes.ts";
import type { PathPlace } from "./path-place.ts";
import { stepInto, type ObjectShape, type Shape } from "./shape.ts";
import { didYouMean } from "./suggest.ts";

/** What the check of an expression found: its shape and the state paths that it reads. */
export interface CheckedExpression {
  readonly shape: Shape;
  readonly paths: readonly string[];
  readonly places: readonly PathPlace[];
}

const deepestRepetition = 3;
const unknown = "LW-EXPR-UNKNOWN";

/** Checks a parsed expression against the shape of the state view; throws ExpressionFault at the first mistake. */
export function checkExpression(node: ASTNode, root: ObjectShape): CheckedExpression {
  const checker = new Checker(root);
  const shape = checker.check(node);
  const { places } = checker;
  return { shape, paths: [...new Set(places.map(({ path }) => path))], places };
}

interface Walked {
  readonly shape: Shape;
  /** The state path that the node is, or undefined when it is no plain path. */
  readonly path: string | undefined;
}

class Checker {
  readonly places: PathPlace[] = [];
  readonly #root: ObjectShape;
  readonly #locals: { readonly name: string; readonly shape: Shape }[] = [];

  constructor(root: ObjectShape) {
    this.#root = root;
  }

  check(node: ASTNode): Shape {
    switch (node.op) {
      case "value":
        return literalShape(node);
      case "id":
      case ".":
      case "[]": {
        const walked = this.#walk(node);
        this.#read(walked, node);
        return walked.shape;
      }
      case ".?":
      case "[?]":
        throw faultAt(
          node,
          "optional access (`.?`) is not available",
          "write `.`, and ask with has(…) whether the field is there",
          "LW-EXPR-SYNTAX",
        );
      case "call":
        return this.#call(node, node.args[0], node.args[1]);
      case "rcall":
        return this.#method(node, node.args[0], node.args[1], node.args[2]);
      case "list":
        return {
          kind: "list",
          of: node.args
            .map((item) => this.check(item))
            .reduce<Shape | undefined>(unify, undefined) ?? { kind: "any" },
          maxItems: node.args.length,
        };
      case "map":
        for (const [key, value] of node.args) {
          this.check(key);
          this.check(value);
        }
        return { kind: "map", of: { kind: "any" } };
      case "!_":
        requireBoolean(node.args, this.check(node.args), "`!`");
        return { kind: "boolean" };
      case "-_":
        return checkArithmetic(node, "-", this.check(node.args), { kind: "number" });
      case "?:":
        requireBoolean(node.args[0], this.check(node.args[0]), "the condition before `?`");
        return unify(this.check(node.args[1]), this.check(node.args[2]));
      default:
        return this.#binary(node, node.op, node.args[0], node.args[1]);
    }
  }

  #read({ path }: Walked, { start, end }: ASTNode): void {
    if (path !== undefined) this.places.push({ path, start, end });
  }

  #walk(node: ASTNode): Walked {
    if (node.op === "id") return this.#name(node, node.args);
    if (node.op === ".")
      return this.#field(
        node,
        this.#walk(node.args[0]),
        node.args[1],
        node.end - node.args[1].length,
      );
    if (node.op === "[]") {
      const left = this.#walk(node.args[0]);
      const key = literalText(node.args[1]);
      if (key !== undefined && left.shape.kind !== "list")
        return this.#field(node, left, key, node.args[1].start);
      return { shape: this.#index(node, left), path: undefined };
    }
    return { shape: this.check(node), path: undefined };
  }

  #name(node: ASTNode, name: string): Walked {
    const local = this.#locals.findLast((entry) => entry.name === name);
    if (local !== undefined) return { shape: local.shape, path: undefined };
    const known = Object.keys(this.#root.fields);
    const shape = known.includes(name) ? this.#root.fields[name] : undefined;
    if (shape !== undefined) return { shape, path: name };
    const names = [...known, ...this.#locals.map((entry) => entry.name)];
    const suggestion =
      didYouMean(name, names) ??
      `known here: ${names.join(", ")}; a text goes into single quotes: '${name}'`;
    throw faultAt(node, `nothing here is called \`${name}\``, suggestion, unknown);
  }

  #field(node: ASTNode, left: Walked, name: string, start: number): Walked {
    const next = stepInto(left.shape, name, left.path ?? "the value");
    if (!next.ok) {
      const isList = left.shape.kind === "list";
      const suggestion = isList
        ? `use an index, size(${left.path ?? "…"}) or .exists(x, …)`
        : (this.#kebabHint(node, left, name) ?? next.suggestion);
      throw faultAt({ ...node, start }, next.message, suggestion, unknown);
    }
    return {
      shape: next.shape,
      path: left.path === undefined ? undefined : `${left.path}.${name}`,
    };
  }

  #kebabHint(node: ASTNode, left: Walked, name: string): string | undefined {
    const written = /^\w+(?:-\w+)+/.exec(node.input.slice(node.end - name.length))?.[0];
    const isField =
      written !== undefined &&
      left.shape.kind === "object" &&
      Object.hasOwn(left.shape.fields, written);
    return !isField
      ? undefined
      : `an id with a dash goes into brackets: ${left.path ?? "…"}["${written}"]`;
  }

  #index(node: Extract<ASTNode, { op: "[]" }>, left: Walked): Shape {
    const index = node.args[1];
    this.#read(left, node.args[0]);
    const key = this.check(index);
    return itemShape(node, index, left, key);
  }

  #call(node: ASTNode, name: string, args: readonly ASTNode[]): Shape {
    if (name === "has") {
      const target = args[0];
      if (args.length !== 1 || target?.op !== "." || !isPlainPath(target))
        throw faultAt(node, "`has(…)` takes one plain path", "write it as has(answer.value)");
      this.check(target);
      return { kind: "boolean" };
    }
    return checkCall(
      node,
      name,
      args.map((argument) => this.check(argument)),
    );
  }

  #method(node: ASTNode, name: string, receiver: ASTNode, args: readonly ASTNode[]): Shape {
    const shape = this.check(receiver);
    if (macros.has(name) && ["list", "map", "object", "any"].includes(shape.kind))
      return this.#macro(node, name, shape, args);
    return checkMethod(
      node,
      name,
      shape,
      args.map((argument) => this.check(argument)),
      args,
    );
  }

  #macro(node: ASTNode, name: string, shape: Shape, args: readonly ASTNode[]): Shape {
    const [variable, ...bodies] = args;
    const last = bodies.at(-1);
    const isFilteringMap = name === "map" && bodies.length === 2;
    if (variable?.op !== "id" || last === undefined || (bodies.length !== 1 && !isFilteringMap)) {
      throw faultAt(
        node,
        `\`.${name}\` takes a name and an expression over it`,
        `write .${name}(x, …)`,
      );
    }
    if (this.#locals.length >= deepestRepetition)
      throw faultAt(
        node,
        `repetitions are nested deeper than ${deepestRepetition} levels`,
        "repeat over fewer lists inside each other",
      );
    const item: Shape =
      shape.kind === "list" ? shape.of : shape.kind === "any" ? shape : { kind: "text" };
    this.#locals.push({ name: variable.args, shape: item });
    const results = bodies.map((body) => this.check(body));
    this.#locals.pop();
    const result = results.at(-1) ?? item;
    if (isFilteringMap && bodies[0] !== undefined && results[0] !== undefined)
      requireBoolean(bodies[0], results[0], "the filter of `.map`");
    const bound =
      shape.kind === "list" && shape.maxItems !== undefined ? { maxItems: shape.maxItems } : {};
    if (name === "map") return { kind: "list", of: result, ...bound };
    requireBoolean(last, result, `the condition of \`.${name}\``);
    return name === "filter" ? { kind: "list", of: item, ...bound } : { kind: "boolean" };
  }

  #binary(node: ASTNode, op: string, left: ASTNode, right: ASTNode): Shape {
    const [a, b] = [this.check(left), this.check(right)];
    const operands = { left, right, a, b };
    if (op === "&&" || op === "||") {
      requireBoolean(left, a, `the left side of \`${op}\``);
      requireBoolean(right, b, `the right side of \`${op}\``);
      return { kind: "boolean" };
    }
    if (op === "==" || op === "!=") checkEquality(node, op, operands);
    else if (op === "in") checkMembership(node, operands);
    else if (op === "<" || op === "<=" || op === ">" || op === ">=") checkOrder(node, op, operands);
    else {
      if (isNull(a) || isNull(b))
        throw faultAt(
          node,
          `\`${op}\` does not work with null`,
          `ask with \`!= null\` before, and compute where a value is there`,
        );
      refuseZero(node, op, right);
      return checkArithmetic(node, op, a, b);
    }
    return { kind: "boolean" };
  }
}

function isPlainPath(node: ASTNode): boolean {
  return node.op === "id" || (node.op === "." && isPlainPath(node.args[0]));
}
