import { type CompletionItem, CompletionItemKind } from "vscode-languageserver/node";
import type { NameKind, ValueInfo } from "@loopwright/core";
import type { Cursor } from "./cursor-place.ts";
import { cursorAt } from "./cursor.ts";
import { defaultText } from "./key-text.ts";
import { knownNames } from "./known-names.ts";
import type { OpenSpec } from "./open-spec.ts";
import { catalogueSteps, keysFor } from "./patched-stage.ts";
import { pathItems } from "./path-completion.ts";
import type { Project } from "./projects.ts";

/** What may stand at an offset of a spec, whole or half-typed. */
export function complete(
  spec: OpenSpec,
  offset: number,
  project: Project,
): readonly CompletionItem[] {
  const cursor = cursorAt(spec.text, spec.outline, offset);
  const paths = pathItems(spec, cursor, offset, project);
  if (paths !== undefined && cursor.scalar !== undefined) return paths;
  const items = [
    ...(paths ?? []),
    ...(cursor.place === "value" || cursor.place === "either"
      ? valueItems(spec, cursor, project)
      : []),
    ...(cursor.place === "key" || cursor.place === "either" ? keyItems(spec, cursor, project) : []),
  ];
  const seen = new Set<string>();
  return items.filter(({ label }) => !seen.has(label) && seen.add(label) !== undefined);
}

function keyItems(
  spec: OpenSpec,
  cursor: Cursor,
  { catalogue }: Project,
): readonly CompletionItem[] {
  const { entries, entry } = cursor;
  const steps = catalogueSteps(spec, cursor.steps);
  const keys = keysFor(spec, cursor, catalogue)
    .filter(({ key }) => !entries.has(key))
    .map(
      (info): CompletionItem => ({
        label: info.key,
        kind: CompletionItemKind.Property,
        detail: `${info.type}${info.isRequired ? ", required" : ""}`,
        documentation: `${info.description}${defaultText(info.default)}`,
        sortText: `${info.isRequired ? 0 : 1}${info.key}`,
      }),
    );
  const names = catalogue
    .keyNamesAt(steps, entries)
    .flatMap((kind) => nameItems(kind, spec))
    .filter(({ label }) => !entries.has(label));
  const colon = entry?.hasColon === true ? "" : ": ";
  return [...names, ...keys].map((item) => replacing(item, `${item.label}${colon}`, spec, cursor));
}

function valueItems(spec: OpenSpec, cursor: Cursor, project: Project): readonly CompletionItem[] {
  const info = project.catalogue.valueAt(catalogueSteps(spec, cursor.steps));
  const words = wordItems(info);
  const names = info.names.flatMap((kind) => [
    ...nameItems(kind, spec),
    ...(kind === "model" ? modelItems(project) : []),
  ]);
  return [...names, ...words].map((item) =>
    replacing(item, item.insertText ?? item.label, spec, cursor),
  );
}

function wordItems({ values, default: standard }: ValueInfo): readonly CompletionItem[] {
  return values.map(({ value, description }) => ({
    label: value,
    kind: description === "" ? CompletionItemKind.EnumMember : CompletionItemKind.Class,
    ...(description === "" ? {} : { documentation: description }),
    ...(value === standard ? { detail: "default" } : {}),
  }));
}

function nameItems(kind: NameKind, spec: OpenSpec): readonly CompletionItem[] {
  const wanted = kind === "model" ? "role" : kind;
  return knownNames(spec, wanted).map((name) => ({
    label: name,
    kind: CompletionItemKind.Reference,
    detail: wanted,
  }));
}

function modelItems({ providers }: Project): readonly CompletionItem[] {
  const provided = providers.map((id) => ({
    label: `${id}/`,
    kind: CompletionItemKind.Module,
    detail: "provider",
  }));
  return [...provided, { label: "none", kind: CompletionItemKind.EnumMember, detail: "no model" }];
}

function replacing(
  item: CompletionItem,
  newText: string,
  spec: OpenSpec,
  cursor: Cursor,
): CompletionItem {
  const { insertText: _, ...rest } = item;
  const range = {
    start: spec.document.positionAt(cursor.from),
    end: spec.document.positionAt(cursor.to),
  };
  return { ...rest, filterText: item.label, textEdit: { range, newText } };
}
