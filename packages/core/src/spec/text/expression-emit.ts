import type { ASTNode } from "@marcbachmann/cel-js";
import { macros } from "./expression-functions.ts";

// The library has two number types and throws for most mixes of them; JSON has one. A checked expression is therefore
// written out again with every number a double, and the library evaluates only that text. Its own `matches` reads patterns
// without the flag u, so that `\p{L}` would mean something else.

const countingFunctions = new Set(["size", "int"]);
const countingMethods = new Set(["size", "indexOf", "lastIndexOf"]);
const methodsTakingIntegers = new Set(["substring", "indexOf", "lastIndexOf", "split"]);

/** Writes a checked expression as CEL text in which every number is a double and every division a call of `divide`. */
export function emitExpression(node: ASTNode): string {
  switch (node.op) {
    case "value":
      return emitLiteral(node.args);
    case "id":
      return node.args;
    case ".":
    case ".?":
      return `${emitExpression(node.args[0])}.${node.args[1]}`;
    case "[]":
    case "[?]":
      return `${dynamic(emitExpression(node.args[0]))}[${emitIndex(node.args[1])}]`;
    case "call":
      return emitCall(node.args[0], node.args[1]);
    case "rcall":
      return emitMethod(node.args[0], node.args[1], node.args[2]);
    case "list":
      return `[${node.args.map(emitExpression).join(", ")}]`;
    case "map":
      return `{${node.args.map(([key, value]) => `${emitExpression(key)}: ${emitExpression(value)}`).join(", ")}}`;
    case "?:":
      return `(${emitExpression(node.args[0])} ? ${dynamic(emitExpression(node.args[1]))} : ${dynamic(emitExpression(node.args[2]))})`;
    case "!_":
      return `(!${emitExpression(node.args)})`;
    case "-_":
      return `(-${emitExpression(node.args)})`;
    case "/":
    case "%":
      return `${node.op === "/" ? "divide" : "remainder"}(${emitExpression(node.args[0])}, ${emitExpression(node.args[1])})`;
    default:
      return `(${emitExpression(node.args[0])} ${node.op} ${emitExpression(node.args[1])})`;
  }
}

function dynamic(text: string): string {
  return `dyn(${text})`;
}

function emitLiteral(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") {
    const text = String(Number(value));
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function emitIndex(node: ASTNode): string {
  return node.op === "value" && typeof node.args === "string"
    ? JSON.stringify(node.args)
    : dynamic(emitExpression(node));
}

function emitCall(name: string, args: readonly ASTNode[]): string {
  const call = `${name}(${args.map(emitExpression).join(", ")})`;
  return countingFunctions.has(name) ? `double(${call})` : call;
}

function emitMethod(name: string, receiver: ASTNode, args: readonly ASTNode[]): string {
  if (macros.has(name) && args.length > 1) {
    const inner = args.map(emitExpression).join(", ");
    return `repeated(${dynamic(emitExpression(receiver))}).${name}(${inner})`;
  }
  if (name === "matches") return `matchText(${[receiver, ...args].map(emitExpression).join(", ")})`;
  const written = args.map((argument, index) => {
    const isInteger = methodsTakingIntegers.has(name) && (name === "substring" || index === 1);
    return isInteger ? `int(${emitExpression(argument)})` : emitExpression(argument);
  });
  const call = `${emitExpression(receiver)}.${name}(${written.join(", ")})`;
  return countingMethods.has(name) ? `double(${call})` : call;
}
