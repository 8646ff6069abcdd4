import { type Hover, MarkupKind } from "vscode-languageserver/node";
import type { Cursor } from "./cursor-place.ts";
import { cursorAt } from "./cursor.ts";
import { defaultText } from "./key-text.ts";
import { nameAt } from "./name-at.ts";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";
import { catalogueSteps, keysFor } from "./patched-stage.ts";
import { shapeFor } from "./stage-shape.ts";
import { shapeAt, shapeText } from "./state-shapes.ts";

/** What the key, word or state path at an offset means. */
export function hover(spec: OpenSpec, offset: number, project: Project): Hover | undefined {
  const cursor = cursorAt(spec.text, spec.outline, offset);
  const found =
    cursor.place === "key"
      ? keyHover(spec, cursor, project)
      : valueHover(spec, cursor, offset, project);
  if (found === undefined || found.trim() === "") return undefined;
  return { contents: { kind: MarkupKind.Markdown, value: found } };
}

function keyHover(spec: OpenSpec, cursor: Cursor, { catalogue }: Project): string | undefined {
  const { entries, entry } = cursor;
  if (entry === undefined) return undefined;
  const steps = catalogueSteps(spec, cursor.steps);
  const info = keysFor(spec, cursor, catalogue).find(({ key }) => key === entry.key);
  if (info !== undefined)
    return keyText(entry.key, info.type, `${info.description}${defaultText(info.default)}`);
  const own = catalogue.valueAt([...steps, { key: entry.key, entries }]);
  return own.description === "" ? undefined : keyText(entry.key, own.type, own.description);
}

function valueHover(
  spec: OpenSpec,
  cursor: Cursor,
  offset: number,
  project: Project,
): string | undefined {
  const { scalar, steps } = cursor;
  if (scalar === undefined) return undefined;
  const info = project.catalogue.valueAt(catalogueSteps(spec, steps));
  if (info.forms.has("expression") || info.forms.has("template")) {
    const path = pathHover(spec, cursor, offset, info.forms.has("template"));
    if (path !== undefined) return path;
  }
  const named = nameAt(spec, offset, project);
  const word = info.values.find(({ value }) => value === scalar.word);
  if (word !== undefined && word.description !== "")
    return keyText(scalar.word, info.type, word.description);
  if (named !== undefined && named.kind !== "file") return `\`${named.name}\`: ${named.kind}`;
  const last = steps.at(-1);
  const key = last !== undefined && "key" in last ? last.key : scalar.word;
  return keyText(key, info.type, `${info.description}${defaultText(info.default)}`);
}

/** The path under the cursor up to the name that it is in, and the whole path where that goes on. */
function pathHover(
  spec: OpenSpec,
  { scalar, steps }: Cursor,
  offset: number,
  isTemplate: boolean,
): string | undefined {
  if (scalar === undefined) return undefined;
  const raw = spec.text.slice(scalar.start, scalar.end);
  const at = offset - scalar.start;
  const found = [...raw.matchAll(isTemplate ? TEMPLATE_PATH : EXPRESSION_PATH)].find(
    (path) => path.index <= at && at <= path.index + path[0].length,
  );
  if (found === undefined) return undefined;
  const names = [...found[0].matchAll(/[\p{L}\p{N}_-]+/gu)];
  const reached = names.filter((name) => found.index + name.index <= at).length;
  const root = shapeFor(spec, steps);
  const lines = [...new Set([reached, names.length])].flatMap((count) => {
    const path = names.slice(0, count).map(([name]) => name);
    const shape = shapeAt(root, path);
    return shape === undefined ? [] : [`\`${path.join(".")}\`: ${shapeText(shape)}`];
  });
  return lines.length === 0 ? undefined : lines.join("\n\n");
}

// A dash is a minus in an expression: there, a name that holds one stands in brackets.
const EXPRESSION_PATH =
  /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}\p{N}_]+|\[\\?["'][\p{L}\p{N}_-]+\\?["']\])*/gu;
const TEMPLATE_PATH = /(?<![\p{L}\p{N}_.-])[\p{L}_][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/gu;

function keyText(key: string, type: string, description: string): string {
  return `\`${key}\`: ${type}${description === "" ? "" : `\n\n${description}`}`;
}
