import { dirname, posix } from "node:path";
import ts from "typescript";
import { filesUnder, textOf, treeOf } from "./source-files.ts";

/** A name that a package exports. */
export interface DoorExport {
  readonly name: string;
  /** A name can be both: a token and the type of its service. */
  readonly isValue: boolean;
  readonly isType: boolean;
  /** Whether a doc comment stands before at least one declaration of the name. */
  readonly hasDoc: boolean;
  /** Where it is declared, from the root. */
  readonly file: string;
}

/** One entry of a package's `exports`. */
export interface Door {
  /** As it is imported: `@loopwright/core/plugin`. */
  readonly name: string;
  readonly file: string;
}

/** The doors of every public package, in the order of their names. */
export function doors(): readonly Door[] {
  const manifests = filesUnder("packages").filter((file) =>
    /^packages\/[^/]+\/package\.json$/.test(file),
  );
  return manifests.flatMap(doorsOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The doors of one package, by its manifest. */
export function doorsOf(manifest: string): readonly Door[] {
  const { name, exports = {} } = JSON.parse(textOf(manifest)) as {
    readonly name: string;
    readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  };
  return Object.entries(exports).flatMap(([path, target]) => {
    const source = typeof target === "string" ? undefined : target["@loopwright/source"];
    if (source === undefined) return [];
    return [{ name: posix.join(name, path), file: posix.join(dirname(manifest), source) }];
  });
}

/** What a module exports, in the order of the names; re-exports are followed through files of the same package. */
export function exportsOf(file: string): readonly DoorExport[] {
  const found = new Map<string, DoorExport>();
  const add = (one: DoorExport): void => {
    const known = found.get(one.name);
    found.set(one.name, {
      ...one,
      isValue: one.isValue || known?.isValue === true,
      isType: one.isType || known?.isType === true,
      hasDoc: one.hasDoc || known?.hasDoc === true,
    });
  };
  for (const statement of treeOf(file).statements) {
    if (ts.isExportDeclaration(statement)) reexportsOf(statement, file).forEach(add);
    else declaredBy(statement, file).forEach(add);
  }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function reexportsOf(statement: ts.ExportDeclaration, file: string): readonly DoorExport[] {
  const { moduleSpecifier, exportClause, isTypeOnly } = statement;
  const target =
    moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier)
      ? moduleSpecifier.text
      : undefined;
  const isOwn = target === undefined || target.startsWith(".");
  const from =
    target === undefined
      ? localsOf(file)
      : isOwn
        ? exportsOf(posix.join(dirname(file), target))
        : [];
  if (exportClause === undefined) return from;
  if (!ts.isNamedExports(exportClause)) return [];
  return exportClause.elements.map((element) => {
    const source = (element.propertyName ?? element.name).text;
    const known = from.find(({ name }) => name === source);
    const onlyType = isTypeOnly || element.isTypeOnly;
    return {
      name: element.name.text,
      isValue: !onlyType && (known?.isValue ?? true),
      isType: onlyType || (known?.isType ?? false),
      // What another package declares has its comment there.
      hasDoc: known?.hasDoc ?? true,
      file: known?.file ?? file,
    };
  });
}

function localsOf(file: string): readonly DoorExport[] {
  return treeOf(file).statements.flatMap((statement) => declaredBy(statement, file, false));
}

function declaredBy(
  statement: ts.Statement,
  file: string,
  onlyExported: boolean = true,
): readonly DoorExport[] {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  const isExported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (onlyExported && !isExported) return [];
  const base = { hasDoc: ts.getJSDocCommentsAndTags(statement).length > 0, file };
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [{ ...base, name: name.text, isValue: true, isType: false }] : [],
    );
  }
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [{ ...base, name: statement.name.text, isValue: false, isType: true }];
  if (ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement)) {
    const isType = ts.isClassDeclaration(statement);
    return [{ ...base, name: statement.name?.text ?? "default", isValue: true, isType }];
  }
  return [];
}
