import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

/** The files under a folder of the repository, by their paths from the root; links and installed packages are passed over. */
export function filesUnder(folder: string): readonly string[] {
  const here = join(repositoryRoot, folder);
  if (!existsSync(here)) return [];
  return readdirSync(here, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile()) return [path];
    return entry.isDirectory() && entry.name !== "node_modules" ? filesUnder(path) : [];
  });
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
