import ts from "typescript";
import { describe, expect, it } from "vitest";
import { englishIn } from "../packages/testkit/src/run/english-in.ts";
import { sourceFiles, textOf, treeOf } from "./source-files.ts";

const sources = sourceFiles().filter(
  (file) => /^packages\/(?:core|strategies)\/src\//.test(file) && !file.endsWith(".test.ts"),
);
const strategyFiles = sources.filter((file) => file.startsWith("packages/strategies/"));

interface Words {
  readonly file: string;
  readonly en: string;
  readonly zh: string;
}

/** The words of every `definePrompt` whose languages are written out. */
function promptsIn(file: string): readonly Words[] {
  const found: Words[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "definePrompt") {
      const [words] = node.arguments;
      const [en, zh] = ["en", "zh"].map((name) => textAt(words, name));
      if (en !== undefined && zh !== undefined) found.push({ file, en, zh });
    }
    ts.forEachChild(node, visit);
  };
  visit(treeOf(file));
  return found;
}

function textAt(words: ts.Expression | undefined, name: string): string | undefined {
  if (words === undefined || !ts.isObjectLiteralExpression(words)) return undefined;
  const field = words.properties.find(
    (one) => ts.isPropertyAssignment(one) && one.name.getText() === name,
  );
  const value =
    field !== undefined && ts.isPropertyAssignment(field) ? field.initializer : undefined;
  return value !== undefined && ts.isStringLiteralLike(value) ? value.text : undefined;
}

/** English sentences that stand in what a strategy sends, beside the prompts that it declares. */
function bareSentences(file: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: ts.Node, isSent: boolean): void => {
    const isPart =
      ts.isPropertyAssignment(node) && /^(?:prompt|system|text|task)$/.test(node.name.getText());
    const sent = isSent || isPart;
    // What an option or a field means is data in one language.
    if (ts.isPropertyAssignment(node) && node.name.getText() === "description") return;
    if (sent && ts.isCallExpression(node) && node.expression.getText() === "definePrompt") return;
    if (sent && (ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)))
      found.push(...englishIn([node.text]));
    ts.forEachChild(node, (child) => visit(child, sent));
  };
  visit(treeOf(file), false);
  return found;
}

const prompts = sources.flatMap(promptsIn);

/** The last line of a screen that begins with the imports. */
const firstScreen = 75;

/** In which line the run of the strategy begins that a file defines, and whether functions stand above it. */
function runLine(
  file: string,
): { readonly line: number; readonly isBelowParts: boolean } | undefined {
  const tree = treeOf(file);
  let line: number | undefined;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === "defineStrategy") {
      const [definition] = node.arguments;
      const run =
        definition !== undefined && ts.isObjectLiteralExpression(definition)
          ? definition.properties.find((one) => one.name?.getText() === "run")
          : undefined;
      // A definition without a run in sight shows no method.
      line = run === undefined ? Number.POSITIVE_INFINITY : lineOf(tree, run);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  if (line === undefined) return undefined;
  const end = line;
  const isBelowParts = tree.statements.some(
    (one) => ts.isFunctionDeclaration(one) && lineOf(tree, one) < end,
  );
  return { line, isBelowParts };
}

function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** The words of a prompt without its places and code. */
function plain(text: string): string {
  return text.replaceAll(/\{\{\w+\}\}|`[^`]*`|<[^>]*>/gu, "");
}

function listLines(text: string): number {
  return text.split("\n").filter((line) => /^\s*(?:[-*]|\d+\.)\s/.test(line)).length;
}

describe("the words that a model reads", () => {
  it("are found where they are declared", () => {
    expect(prompts.length).toBeGreaterThan(100);
  });

  it("stand in prompts, and nowhere else in a strategy", () => {
    const bare = strategyFiles.map((file) => [file, bareSentences(file)] as const);
    expect(bare.filter(([, list]) => list.length > 0)).toEqual([]);
  });

  it("are Chinese in Chinese, wherever English has words", () => {
    const odd = prompts.filter(
      ({ en, zh }) => /[A-Za-z]{2,}/.test(plain(en)) && !/\p{Script=Han}/u.test(zh),
    );
    // A label of the protocol, or a mark, may be the same in both.
    expect(odd.filter(({ en, zh }) => en !== zh)).toEqual([]);
    expect(prompts.filter(({ zh }) => englishIn([plain(zh)]).length > 0)).toEqual([]);
    expect(prompts.filter(({ en }) => /\p{Script=Han}/u.test(plain(en)))).toEqual([]);
  });

  it("have as many lines of a list in Chinese as in English", () => {
    expect(prompts.filter(({ en, zh }) => listLines(en) !== listLines(zh))).toEqual([]);
  });
});

describe("a file of a strategy", () => {
  it("has at most 200 lines", () => {
    const long = strategyFiles
      .map((file) => [file, textOf(file).trimEnd().split("\n").length] as const)
      .filter(([, lines]) => lines > 200);
    expect(long).toEqual([]);
  });

  it("shows the method in its first screen where it defines one: its run begins there, above its parts", () => {
    const runs = strategyFiles.flatMap((file) => {
      const at = runLine(file);
      return at === undefined ? [] : [{ file, ...at }];
    });
    expect(runs.length).toBeGreaterThan(20);
    expect(runs.filter(({ line, isBelowParts }) => line > firstScreen || isBelowParts)).toEqual([]);
  });
});
