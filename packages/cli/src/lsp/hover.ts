import { type Hover, MarkupKind } from "vscode-languageserver/node";
import type { Cursor } from "./cursor-place.ts";
import { cursorAt } from "./cursor.ts";
import { defaultText } from "./key-text.ts";
import { nameAt } from "./name-at.ts";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";
import { shapeFor } from "./stage-shape.ts";
import { shapeAt, shapeText } from "./state-shapes.ts";

/** What the key, word or state path at an offset means. */
export function hover(spec: OpenSpec, offset: number, project: Project): Hover | undefined {
  const cursor = cursorAt(spec.text, spec.outline, offset);
  const found =
    cursor.place === "key" ? keyHover(cursor, project) : valueHover(spec, cursor, offset, project);
  if (found === undefined || found.trim() === "") return undefined;
  return { contents: { kind: MarkupKind.Markdown, value: found } };
}

function keyHover({ steps, entries, entry }: Cursor, { catalogue }: Project): string | undefined {
  if (entry === undefined) return undefined;
  const info = catalogue.keysAt(steps, entries).find(({ key }) => key === entry.key);
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
  const info = project.catalogue.valueAt(steps);
  if (info.forms.has("expression") || info.forms.has("template")) {
    const path = pathHover(spec, cursor, offset);
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

function pathHover(spec: OpenSpec, { scalar, steps }: Cursor, offset: number): string | undefined {
  const from = scalar?.start ?? offset;
  const before = /[\p{L}\p{N}_.-]*$/u.exec(spec.text.slice(from, offset))?.[0] ?? "";
  const after = /^[\p{L}\p{N}_-]*/u.exec(spec.text.slice(offset))?.[0] ?? "";
  const path = `${before}${after}`;
  const shape = path === "" ? undefined : shapeAt(shapeFor(spec, steps), path.split("."));
  return shape === undefined ? undefined : `\`${path}\`: ${shapeText(shape)}`;
}

function keyText(key: string, type: string, description: string): string {
  return `\`${key}\`: ${type}${description === "" ? "" : `\n\n${description}`}`;
}
