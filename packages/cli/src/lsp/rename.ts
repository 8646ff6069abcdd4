import type { SymbolUse } from "@loopwright/core";
import type { Range, TextEdit, WorkspaceEdit } from "vscode-languageserver/node";
import { cursorAt } from "./cursor.ts";
import { rangeOf } from "./definition.ts";
import { knownNames } from "./known-names.ts";
import { nameAt } from "./name-at.ts";
import type { FollowedKind, NameUse } from "./name-use.ts";
import { namesIn } from "./names-in.ts";
import type { OpenSpec } from "./open-spec.ts";
import type { Project } from "./projects.ts";
import { saidFile } from "./said-file.ts";
import { idEdit } from "./stage-id-edit.ts";

/** Why a name can't be changed, in words for the person who asked. */
export class RenameRefusal extends Error {
  override readonly name: string = "RenameRefusal";
}

/** The range of the name at an offset, where it is one that the spec gives: of a stage, role, tool, memory or branch. */
export function renameRange(spec: OpenSpec, offset: number, project: Project): Range | undefined {
  const use = renamableAt(spec, offset, project);
  return use === undefined ? undefined : rangeOf(spec, use);
}

/**
 * The edits that give a stage, role, tool, memory or branch another name: in this spec and in the files that it is made of, expressions,
 * templates and overlays included. Throws a RenameRefusal where the name can't be.
 */
export function rename(
  spec: OpenSpec,
  offset: number,
  wanted: string,
  project: Project,
  others: readonly OpenSpec[],
): WorkspaceEdit {
  const use = renamableAt(spec, offset, project);
  if (use === undefined)
    throw new RenameRefusal("only stages, roles, tools, memories and branches can be renamed");
  for (const kind of sharedNames[use.kind] ?? [use.kind])
    refuseName(use, wanted, kind, knownNames(spec, kind));
  refuseId(use, [spec, ...others], project);
  const changes: Record<string, TextEdit[]> = {};
  for (const one of [spec, ...others]) {
    const edits = editsIn(one, use, wanted, project, spec);
    if (edits.length > 0) changes[one.uri] = [...edits];
  }
  return { changes };
}

function renamableAt(spec: OpenSpec, offset: number, project: Project): NameUse | undefined {
  const use = nameAt(spec, offset, project) ?? stageKeyAt(spec, offset);
  if (use?.kind === "strategy") return stageWord(spec, use, project);
  if (use?.kind === "role" && use.name === "default") return undefined;
  return use !== undefined && renamable.has(use.kind) ? use : undefined;
}

const renamable: ReadonlySet<FollowedKind> = new Set(["stage", "role", "tool", "memory", "branch"]);

/** The key at an offset as the name of a strategy; whether a stage begins there is known by its place. */
function stageKeyAt(spec: OpenSpec, offset: number): NameUse | undefined {
  const { entry } = cursorAt(spec.text, spec.outline, offset);
  if (entry === undefined || entry.keyEnd - entry.start !== entry.key.length) return undefined;
  const { key: name, start, keyEnd: end } = entry;
  return { kind: "strategy", name, start, end, isDefinition: false };
}

// The strategy of a stage without an id is its id as well.
function stageWord(spec: OpenSpec, use: NameUse, project: Project): NameUse | undefined {
  const { line, character } = spec.document.positionAt(use.start);
  const site = [...(spec.checked?.index.stages.values() ?? [])].find(
    ({ at }) =>
      saidFile(project, at.file) === spec.file &&
      at.line === line + 1 &&
      at.column === character + 1,
  );
  if (site === undefined || site.settings.entries.has("id")) return undefined;
  return { ...use, kind: "stage", name: site.id };
}

/** `results.NAME` is one of a stage or of a branch. */
const sharedNames: Readonly<Partial<Record<FollowedKind, readonly FollowedKind[]>>> = {
  stage: ["stage", "branch"],
  branch: ["branch", "stage"],
};

function refuseName(
  { kind, name }: NameUse,
  wanted: string,
  among: FollowedKind,
  known: readonly string[],
): void {
  const isFit = kind === "role" ? isRole(wanted) : isKebab(wanted, kind === "tool");
  if (!isFit)
    throw new RenameRefusal(
      kind === "role"
        ? `\`${wanted}\` cannot name a role`
        : `the ${kind === "stage" ? "id" : "name"} of a ${kind} is kebab-case; \`${wanted}\` is not`,
    );
  if (wanted !== name && known.includes(wanted))
    throw new RenameRefusal(`there is a ${among} called \`${wanted}\` already`);
}

function isRole(name: string): boolean {
  return !/[\s/]/u.test(name) && !["", "none", "default"].includes(name);
}

function isKebab(name: string, mayHaveScope: boolean): boolean {
  const parts = mayHaveScope ? name.split("/") : [name];
  return parts.every((part) => /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/u.test(part));
}

/** A name that is the id of a plugin stands for that plugin. */
function refuseId({ kind, name }: NameUse, specs: readonly OpenSpec[], project: Project): void {
  if (kind !== "tool" && kind !== "memory") return;
  const definitions = specs.flatMap((spec) =>
    namesIn(spec.text, spec.outline, project.catalogue).filter(
      (use) => use.isDefinition && use.kind === kind && use.name === name,
    ),
  );
  if (definitions.some(({ isId }) => isId !== true)) return;
  const section = kind === "tool" ? "tools" : "memory";
  throw new RenameRefusal(
    `\`${name}\` is the id of a plugin; to name it, write \`${section}: { NAME: { use: ${name} } }\``,
  );
}

function editsIn(
  spec: OpenSpec,
  { kind, name }: NameUse,
  wanted: string,
  project: Project,
  main: OpenSpec,
): readonly TextEdit[] {
  const uses = namesIn(spec.text, spec.outline, project.catalogue).filter(
    (use) => use.kind === kind && use.name === name,
  );
  const edits = uses.map((use) => edit(spec, use, wanted));
  const isNamed = uses.some(({ isDefinition }) => isDefinition);
  const site = kind === "stage" && !isNamed ? main.checked?.index.stages.get(name) : undefined;
  if (site === undefined || saidFile(project, site.at.file) !== spec.file) return edits;
  const inserted = idEdit(spec, site.at, wanted);
  return inserted === undefined ? edits : [...edits, inserted];
}

function edit(spec: OpenSpec, use: NameUse, wanted: string): TextEdit {
  const { reach } = use;
  if (reach === undefined) return { range: rangeOf(spec, use), newText: wanted };
  return { range: rangeOf(spec, reach), newText: pathText(spec, reach, wanted) };
}

// A dash is a minus in an expression: such an id stands in brackets, in the quotes that are free.
function pathText(
  spec: OpenSpec,
  reach: { readonly start: number; readonly end: number },
  wanted: string,
): string {
  if (!wanted.includes("-")) return `results.${wanted}`;
  const said = spec.text.slice(reach.start, reach.end);
  const [before = ""] = /\\?["']/u.exec(said) ?? [];
  const quote = before === "" ? freeQuote(spec.text, reach.start) : before;
  return `results[${quote}${wanted}${quote}]`;
}

function freeQuote(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  const opened = /(?:[:[{,\s-])(["'])(?:(?!\1).)*$/u.exec(line)?.[1];
  return opened === "'" ? '"' : "'";
}

/** The files that a spec is made of, itself left out. */
export function otherFiles(spec: OpenSpec, project: Project): readonly string[] {
  const uses: readonly SymbolUse[] = spec.checked?.index.uses ?? [];
  const files = new Set(uses.map(({ at }) => saidFile(project, at.file)));
  files.delete(spec.file);
  return [...files].filter((file) => /\.(?:ya?ml|json)$/u.test(file));
}
