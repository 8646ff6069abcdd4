import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The folder of this repository. */
export const repositoryRoot: string = fileURLToPath(new URL("..", import.meta.url));

/** Every TypeScript source of the packages and examples, by its path from the root with `/`; declarations and builds are left out. */
export function sourceFiles(): readonly string[] {
  const folders = ["packages", "examples"].flatMap((group) =>
    readdirSync(join(repositoryRoot, group)).flatMap((name) =>
      ["src", "test"].map((folder) => `${group}/${name}/${folder}`),
    ),
  );
  return folders.flatMap(filesUnder).filter((file) => /(?<!\.d)\.ts$/.test(file));
}

/** The files under a folder of the repository, by their paths from the root. */
export function filesUnder(folder: string): readonly string[] {
  try {
    return readdirSync(join(repositoryRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(repositoryRoot, join(entry.parentPath, entry.name)))
      .map((file) => file.split(sep).join("/"))
      .filter((file) => !file.includes("/node_modules/"));
  } catch {
    return [];
  }
}

/** The text of a file of the repository. */
export function textOf(file: string): string {
  return readFileSync(join(repositoryRoot, file), "utf8");
}

/** A source file as a syntax tree. */
export function treeOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
}

/** The texts that a source file holds as values: types, imports and the keys of objects do not count. */
export function stringsIn(file: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && isValue(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(treeOf(file));
  return found;
}

function isValue({ parent }: ts.StringLiteralLike): boolean {
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent))
    return ts.isPropertyAssignment(parent) && !ts.isStringLiteralLike(parent.name);
  return !ts.isLiteralTypeNode(parent) && !ts.isImportDeclaration(parent);
}
