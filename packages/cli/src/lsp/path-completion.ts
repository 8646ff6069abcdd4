import { type CompletionItem, CompletionItemKind } from "vscode-languageserver/node";
import type { ObjectShape, Shape } from "@loopwright/core";
import type { Cursor } from "./cursor-place.ts";
import type { OpenSpec } from "./open-spec.ts";
import { catalogueSteps } from "./patched-stage.ts";
import type { Project } from "./projects.ts";
import { shapeAt, shapeText } from "./state-shapes.ts";
import { shapeFor } from "./stage-shape.ts";

/** State paths at an offset inside an expression or a template, or where an expression may begin; undefined elsewhere. */
export function pathItems(
  spec: OpenSpec,
  cursor: Cursor,
  offset: number,
  { catalogue }: Project,
): readonly CompletionItem[] | undefined {
  const { scalar, steps } = cursor;
  const { forms } = catalogue.valueAt(catalogueSteps(spec, steps));
  if (scalar === undefined)
    return cursor.place === "value" && forms.has("expression")
      ? itemsOf(shapeFor(spec, steps), "", spec, offset)
      : undefined;
  const before = spec.text.slice(scalar.start, offset);
  const isTemplate = forms.has("template") && isInBraces(before);
  if (!isTemplate && !forms.has("expression")) return undefined;
  const root = withItem(shapeFor(spec, steps), before);
  return isTemplate || !isInText(before) ? itemsOf(root, before, spec, offset) : [];
}

function isInBraces(before: string): boolean {
  return before.lastIndexOf("{{") > before.lastIndexOf("}}");
}

/** Whether an offset of an expression is inside one of its own texts. */
function isInText(before: string): boolean {
  const inner = before.replace(/^["']/u, "");
  return (inner.match(/"/gu)?.length ?? 0) % 2 === 1 || (inner.match(/'/gu)?.length ?? 0) % 2 === 1;
}

// Inside a section of a template, `item` is an item of its list.
function withItem(shape: ObjectShape, before: string): ObjectShape {
  const sections: string[] = [];
  for (const [, mark, path] of before.matchAll(/\{\{([#/])\s*([^{}]*?)\s*\}\}/gu)) {
    if (mark === "#") sections.push(path ?? "");
    else sections.pop();
  }
  const open = sections.at(-1);
  const list = open === undefined ? undefined : shapeAt(shape, open.split("."));
  if (list?.kind !== "list") return shape;
  return { kind: "object", fields: { ...shape.fields, item: list.of } };
}

function itemsOf(
  root: Shape,
  before: string,
  spec: OpenSpec,
  offset: number,
): readonly CompletionItem[] {
  const typed = /(?:[\p{L}_][\p{L}\p{N}_-]*\.)*[\p{L}\p{N}_-]*$/u.exec(before)?.[0] ?? "";
  const names = typed.split(".");
  const last = names.pop() ?? "";
  const shape = shapeAt(root, names);
  if (shape?.kind !== "object") return [];
  const range = {
    start: spec.document.positionAt(offset - last.length),
    end: spec.document.positionAt(offset),
  };
  return Object.entries(shape.fields).map(([name, field]) => ({
    label: name,
    kind: CompletionItemKind.Field,
    detail: shapeText(field),
    textEdit: { range, newText: name },
  }));
}
