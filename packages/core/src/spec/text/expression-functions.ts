import type { ASTNode } from "@marcbachmann/cel-js";
import { describeShape, type Shape } from "./shape.ts";
import { didYouMean } from "./suggest.ts";
import { faultAt } from "./expression-fault.ts";
import { faultOfPattern } from "./safe-pattern.ts";

type Argument = "text" | "number" | "boolean" | "list" | "any";

interface Signature {
  readonly arguments: readonly Argument[];
  readonly optional?: number;
  readonly result: Shape;
}

const text: Shape = { kind: "text" };
const number: Shape = { kind: "number" };
const boolean: Shape = { kind: "boolean" };

const functions: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["size", { arguments: ["any"], result: number }],
  ["int", { arguments: ["any"], result: number }],
  ["double", { arguments: ["any"], result: number }],
  ["string", { arguments: ["any"], result: text }],
  ["round", { arguments: ["number", "number"], optional: 1, result: number }],
  ["floor", { arguments: ["number"], result: number }],
  ["ceil", { arguments: ["number"], result: number }],
  ["abs", { arguments: ["number"], result: number }],
  ["min", { arguments: ["number", "number"], result: number }],
  ["max", { arguments: ["number", "number"], result: number }],
]);

const textMethods: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["size", { arguments: [], result: number }],
  ["contains", { arguments: ["text"], result: boolean }],
  ["startsWith", { arguments: ["text"], result: boolean }],
  ["endsWith", { arguments: ["text"], result: boolean }],
  ["matches", { arguments: ["text"], result: boolean }],
  ["lowerAscii", { arguments: [], result: text }],
  ["upperAscii", { arguments: [], result: text }],
  ["trim", { arguments: [], result: text }],
  ["split", { arguments: ["text", "number"], optional: 1, result: { kind: "list", of: text } }],
  ["indexOf", { arguments: ["text", "number"], optional: 1, result: number }],
  ["lastIndexOf", { arguments: ["text", "number"], optional: 1, result: number }],
  ["substring", { arguments: ["number", "number"], optional: 1, result: text }],
]);

const listMethods: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ["size", { arguments: [], result: number }],
  ["join", { arguments: ["text"], optional: 1, result: text }],
]);

/** The methods that bind a name and look at every item. */
export const macros: ReadonlySet<string> = new Set([
  "all",
  "exists",
  "exists_one",
  "filter",
  "map",
]);

/** Checks the call of a function and returns the shape of its result. */
export function checkCall(node: ASTNode, name: string, shapes: readonly Shape[]): Shape {
  const signature = functions.get(name);
  if (signature === undefined) {
    throw faultAt(
      node,
      `there is no function \`${name}\``,
      didYouMean(name, [...functions.keys(), "has"]) ??
        `known: ${[...functions.keys(), "has"].join(", ")}`,
    );
  }
  return checkArguments(node, `${name}(…)`, signature, shapes);
}

/** Checks the call of a method and returns the shape of its result. */
export function checkMethod(
  node: ASTNode,
  name: string,
  receiver: Shape,
  shapes: readonly Shape[],
  args: readonly ASTNode[],
): Shape {
  const table = methodsOf(receiver);
  const signature = table.get(name);
  if (signature === undefined) {
    const known = [
      ...table.keys(),
      ...(receiver.kind === "list" || receiver.kind === "any" ? macros : []),
    ];
    const suggestion =
      didYouMean(name, known) ??
      (known.length === 0
        ? `${describeShape(receiver)} has no methods; compare it`
        : `known here: ${known.join(", ")}`);
    throw faultAt(node, `there is no method \`${name}\` here`, suggestion);
  }
  if (name === "matches") checkPattern(node, args[0]);
  const isJoinable = receiver.kind !== "list" || ["text", "enum", "any"].includes(receiver.of.kind);
  if (name === "join" && !isJoinable)
    throw faultAt(
      node,
      "`join` needs a list of texts",
      "turn the items into text with .map(x, string(x))",
    );
  return checkArguments(node, `.${name}(…)`, signature, shapes);
}

function methodsOf(receiver: Shape): ReadonlyMap<string, Signature> {
  if (receiver.kind === "text" || receiver.kind === "enum") return textMethods;
  if (receiver.kind === "list") return listMethods;
  if (receiver.kind === "any") return new Map([...listMethods, ...textMethods]);
  return receiver.kind === "map" || receiver.kind === "object"
    ? new Map([["size", { arguments: [], result: number }]])
    : new Map();
}

function checkArguments(
  node: ASTNode,
  shown: string,
  signature: Signature,
  shapes: readonly Shape[],
): Shape {
  const most = signature.arguments.length;
  const least = most - (signature.optional ?? 0);
  if (shapes.length < least || shapes.length > most) {
    throw faultAt(
      node,
      `\`${shown}\` takes ${least === most ? most : `${least} to ${most}`} argument${most === 1 ? "" : "s"}, not ${shapes.length}`,
      shapes.length > most
        ? `take ${shapes.length - most} of them away`
        : `add ${least - shapes.length} more`,
    );
  }
  for (const [index, wanted] of signature.arguments.entries()) {
    const given = shapes[index];
    if (given === undefined || wanted === "any" || given.kind === "any") continue;
    const kind = given.kind === "enum" ? "text" : given.kind;
    if (kind !== wanted)
      throw faultAt(
        node,
        `argument ${index + 1} of \`${shown}\` must be a ${wanted === "text" ? "text" : wanted}`,
        wanted === "text"
          ? "write it in single quotes, or string(…) around it"
          : `give it a ${wanted}`,
      );
  }
  return signature.result;
}

// Patterns meet texts that a model wrote: one that can take very long must not reach them.
function checkPattern(node: ASTNode, argument: ASTNode | undefined): void {
  if (argument?.op !== "value" || typeof argument.args !== "string") {
    throw faultAt(
      node,
      "the pattern of `matches` must be written out as a text",
      "write the pattern itself: .matches('^…$')",
    );
  }
  const fault = faultOfPattern(argument.args);
  if (fault !== undefined)
    throw faultAt(
      argument,
      `the pattern of \`matches\` ${fault.message}`,
      fault.suggestion,
      "LW-VALUE-PATTERN",
    );
}
