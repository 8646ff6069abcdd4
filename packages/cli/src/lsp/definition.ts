import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Location, Range } from "vscode-languageserver/node";
import { nameAt } from "./name-at.ts";
import type { NameUse } from "./name-use.ts";
import { namesIn } from "./names-in.ts";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";
import { saidFile } from "./said-file.ts";

/** Where the name at an offset is defined: a role, a tool, a stage, a memory, or the file that a path names. */
export function definitionAt(
  spec: OpenSpec,
  offset: number,
  project: Project,
): Location | undefined {
  const use = nameAt(spec, offset, project);
  if (use === undefined) return undefined;
  if (use.kind === "file") return fileLocation(spec.file, use.name);
  const own = namesIn(spec.text, spec.outline, project.catalogue).find(
    ({ kind, name, isDefinition }) => isDefinition && kind === use.kind && name === use.name,
  );
  return own === undefined
    ? indexed(spec, use, project)
    : { uri: spec.uri, range: rangeOf(spec, own) };
}

/** The range of a name. */
export function rangeOf(
  spec: OpenSpec,
  { start, end }: { readonly start: number; readonly end: number },
): Range {
  return { start: spec.document.positionAt(start), end: spec.document.positionAt(end) };
}

function fileLocation(from: string, path: string): Location | undefined {
  const file = resolve(dirname(from), path);
  if (!existsSync(file)) return undefined;
  const start = { line: 0, character: 0 };
  return { uri: pathToFileURL(file).href, range: { start, end: start } };
}

// What a base defines, or a stage that is called after its strategy.
function indexed(spec: OpenSpec, { kind, name }: NameUse, project: Project): Location | undefined {
  const index = spec.checked?.index;
  const found =
    index?.uses.find((one) => one.isDefinition && one.kind === kind && one.name === name)?.at ??
    (kind === "stage" ? index?.stages.get(name)?.at : undefined);
  const file = found === undefined ? undefined : saidFile(project, found.file);
  if (found === undefined || file === undefined) return undefined;
  const isOwn = file === spec.file;
  if (!isOwn && !existsSync(file)) return undefined;
  const line = found.line - 1;
  const character = found.column - 1;
  const end = (found.endColumn ?? found.column + name.length) - 1;
  return {
    uri: isOwn ? spec.uri : pathToFileURL(file).href,
    range: { start: { line, character }, end: { line, character: end } },
  };
}
