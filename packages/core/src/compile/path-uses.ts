import { atOffset } from "../spec/document/offset-position.ts";
import { positionOf, type ScalarNode, type SpecNode } from "../spec/text/spec-node.ts";
import { parseTemplate, pathsOf } from "../spec/text/template.ts";
import type { SymbolUse } from "./spec-index.ts";

/** What paths of the state may name, so that prose is not taken for one. */
interface KnownNames {
  isStage(id: string): boolean;
  isInput(name: string): boolean;
  isBranch(name: string): boolean;
}

/** The keys whose text is an expression, in the language itself and in the built-in strategies and checks. */
const expressionKeys: ReadonlySet<string> = new Set(["when", "if", "in", "until", "expr", "rule"]);

/** Every place below a node where a template or an expression names an input, or the result of a stage or a branch. */
export function pathUses(node: SpecNode, known: KnownNames): readonly SymbolUse[] {
  const uses: SymbolUse[] = [];
  const visit = (value: SpecNode, key: string): void => {
    if (value.kind === "list") for (const item of value.items) visit(item, key);
    else if (value.kind === "map")
      for (const [name, { value: inner }] of value.entries) visit(inner, name);
    else uses.push(...usesIn(value, expressionKeys.has(key), known));
  };
  visit(node, "");
  return uses;
}

const namedPath = /\b(inputs|results)(?:\.([A-Za-z_]\w*(?:-\w+)*)|\[\s*(["'])([^"']+)\3\s*\])/g;

function usesIn(node: ScalarNode, isExpression: boolean, known: KnownNames): readonly SymbolUse[] {
  if (typeof node.value !== "string" || !/inputs|results/.test(node.value)) return [];
  if (isExpression) return usesInText(node, node.value, 0, known);
  const parsed = node.value.includes("{{") ? parseTemplate(node.value) : undefined;
  if (parsed?.ok !== true) return [];
  return pathsOf(parsed.template).flatMap(({ path, start }) =>
    usesInText(node, path, start, known),
  );
}

function usesInText(
  node: ScalarNode,
  text: string,
  from: number,
  known: KnownNames,
): readonly SymbolUse[] {
  return [...text.matchAll(namedPath)].flatMap((match): readonly SymbolUse[] => {
    const [whole, root, plain, , quoted] = match;
    const name = plain ?? quoted ?? "";
    const kind = root === "inputs" ? inputOf(name, known) : resultOf(name, known);
    if (kind === undefined) return [];
    const start = from + match.index + whole.lastIndexOf(name);
    return [
      { kind, name, at: positionOf(atOffset(node, start, name.length)), isDefinition: false },
    ];
  });
}

function inputOf(name: string, known: KnownNames): "input" | undefined {
  return known.isInput(name) ? "input" : undefined;
}

function resultOf(name: string, known: KnownNames): "stage" | "branch" | undefined {
  if (known.isStage(name)) return "stage";
  return known.isBranch(name) ? "branch" : undefined;
}
