import type { ValueInfo } from "@loopwright/core";
import type { NameUse } from "./name-use.ts";
import type { OutlineScalar } from "./outline-node.ts";

/** The stages, inputs and files that a text names: `results.ID`, `inputs.NAME`, `${file:PATH}`. */
export function namesInText(
  text: string,
  node: OutlineScalar,
  forms: ValueInfo["forms"],
): readonly NameUse[] {
  const raw = text.slice(node.start, node.end);
  const files = matches(raw, FILE, node.start).map(
    ({ name, start }): NameUse => ({
      kind: "file",
      name,
      start,
      end: start + name.length,
      isDefinition: false,
    }),
  );
  if (forms.has("expression")) return [...files, ...stateNames(raw, node.start, EXPRESSION)];
  if (!forms.has("template")) return files;
  const parts = [...raw.matchAll(/\{\{[^{}]*\}\}/gu)].flatMap((part) =>
    stateNames(part[0], node.start + part.index, TEMPLATE),
  );
  return [...files, ...parts];
}

// An id with a dash stands in brackets in an expression, and as it is in a template.
const EXPRESSION =
  /(?<![\w.])(results|inputs)(?:\.(?<plain>[\p{L}_][\p{L}\p{N}_]*)|\[\\?["'](?<dashed>[\w-]+)\\?["']\])/gu;
const TEMPLATE = /(?<![\w.])(results|inputs)\.(?<plain>[\p{L}_][\p{L}\p{N}_-]*)/gu;
const FILE = /\$\{file:(?<plain>[^}]+)\}/gu;

function stateNames(raw: string, offset: number, pattern: RegExp): readonly NameUse[] {
  return matches(raw, pattern, offset).map(({ name, start, whole, root }) => ({
    kind: root === "inputs" ? "input" : "stage",
    name,
    start,
    end: start + name.length,
    isDefinition: false,
    ...(root === "inputs" ? {} : { isResult: true }),
    ...(pattern === EXPRESSION ? { reach: whole } : {}),
  }));
}

interface Match {
  readonly name: string;
  readonly start: number;
  readonly root: string;
  readonly whole: { readonly start: number; readonly end: number };
}

function matches(raw: string, pattern: RegExp, offset: number): readonly Match[] {
  return [...raw.matchAll(pattern)].map((match) => {
    const name = match.groups?.["plain"] ?? match.groups?.["dashed"] ?? "";
    const whole = { start: offset + match.index, end: offset + match.index + match[0].length };
    const start = whole.start + match[0].lastIndexOf(name);
    return { name, start, root: match[1] ?? "", whole };
  });
}
