import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { repositoryRoot, textOf } from "./source-files.ts";

/** The TypeScript of a document that needs no file of its package, by the line at which each block stands. */
function blocksOf(document: string): ReadonlyMap<string, string> {
  const text = textOf(document);
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length + 1;
    const file = join(repositoryRoot, `packages/testkit/src/docs/line-${line}.ts`);
    return [file, `${match[1] ?? ""}export {};\n`] as const;
  });
  return new Map(blocks.filter(([, code]) => !/from "\.{1,2}\//.test(code)));
}

function optionsOf(): ts.CompilerOptions {
  const file = join(repositoryRoot, "tsconfig.json");
  const read = ts.readConfigFile(file, (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(
    { ...read.config, include: [] },
    ts.sys,
    repositoryRoot,
  );
  // An example shows a part of a file: what it declares need not be used in it.
  return { ...options, noUnusedLocals: false, noUnusedParameters: false };
}

function faultsIn(blocks: ReadonlyMap<string, string>): readonly string[] {
  const options = optionsOf();
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => blocks.has(file) || disk.fileExists(file),
    readFile: (file) => blocks.get(file) ?? disk.readFile(file),
    getSourceFile: (file, target, ...rest) => {
      const text = blocks.get(file);
      return text === undefined
        ? disk.getSourceFile(file, target, ...rest)
        : ts.createSourceFile(file, text, target);
    },
  };
  const program = ts.createProgram({ rootNames: [...blocks.keys()], options, host });
  return [...blocks.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => `${file}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  });
}

it("docs/writing-plugins.md: its code stands as it is written", { timeout: 120_000 }, () => {
  const blocks = blocksOf("docs/writing-plugins.md");
  expect(blocks.size).toBeGreaterThan(8);
  expect(faultsIn(blocks)).toEqual([]);
});
