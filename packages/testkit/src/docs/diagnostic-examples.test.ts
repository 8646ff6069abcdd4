import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  type App,
  createApp,
  type Diagnostic,
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
  type DiagnosticExample,
  loadDiagnosticExamples,
} from "@loopwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { builtIn } from "../specs/example-specs.ts";
import { examplePlugins } from "./example-plugins.ts";

/** What an example leaves out because it does not matter there. */
const FRAME = {
  apiVersion: "apiVersion: loopwright/v1",
  name: "name: example",
  model: "model: ollama/llama3",
  task: "task: Answer the customer.",
  strategy: "strategy: direct",
};

const WHOLE: ReadonlySet<DiagnosticCode> = new Set(["LW-FILE-EMPTY"]);

const INNER = "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/llama3\n";
const manifest = {
  name: "@acme/loopwright-search",
  version: "1.4.0",
  type: "module",
  keywords: ["loopwright-plugin"],
  exports: "./index.js",
  loopwright: { apiVersion: "plugin/1", provides: [] },
};

/** The files that examples name. */
const FILES: Readonly<Record<string, string>> = {
  "package.json": "{}",
  "prompts/rules.txt": "Be brief.\n",
  "prompts/whole-manual.txt": "All of it.\n".repeat(1_000_000),
  "examples.jsonl": '{"task":"Where is it?","answer":"On its way."}\n',
  "broken.jsonl": '{"task":\n',
  "base.yaml": "apiVersion: loopwright/v1\nname: base\n",
  "loop.yaml": "apiVersion: loopwright/v1\nname: loop\nextends: example.yaml\n",
  "work/.keep": "",
  "inner.yaml": `${INNER}task: Hello.\nstrategy: direct\n`,
  "faulty.yaml": `${INNER}task: Hello.\nstrategy: driect\n`,
  "reader.yaml": `${INNER}inputs: { page: string }\ntask: "Read {{ inputs.page }}"\nstrategy: direct\n`,
  "circle.yaml": `${INNER}task: Hello.\nstrategy: { agent: { spec: example.yaml } }\n`,
  "node_modules/@acme/loopwright-search/package.json": JSON.stringify(manifest),
  "node_modules/@acme/loopwright-search/index.js": "",
  ...Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [
      `chain-${index + 1}.yaml`,
      `apiVersion: loopwright/v1\nname: chain\n${index === 39 ? "" : `extends: chain-${index + 2}.yaml\n`}`,
    ]),
  ),
};

/** Mistakes that are in the bytes of a file: what its wrong example is saved as. */
const SAVED: Readonly<Partial<Record<DiagnosticCode, (text: string) => Buffer>>> = {
  "LW-FILE-ENCODING": (text) => Buffer.from(text, "latin1"),
  "LW-FILE-CONTROL-CHARACTER": (text) => Buffer.from(text.replace("The desk", "The desk\b")),
  "LW-FILE-LINE-ENDING": (text) => Buffer.from(text.replaceAll("\n", "\r")),
};

/** Mistakes that are in the command line: what is given with the wrong example. */
const GIVEN: Readonly<Partial<Record<DiagnosticCode, Parameters<App["check"]>[1]>>> = {
  "LW-SPEC-OVERLAY": { overlays: ["prdo"] },
};

const folder = tempFolder();
let app: App;
let examples: Readonly<Record<DiagnosticCode, DiagnosticExample>>;

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  examples = await loadDiagnosticExamples();
  const env = { CITY: "Oslo", DESK_KEY: "a key that is no key" };
  app = await createApp({ plugins: [...builtIn, ...examplePlugins], root: folder, env });
});
afterAll(() => app.close());

/** A spec with what an example leaves out; a whole one as it is. */
function framed(code: DiagnosticCode, text: string): string {
  if (/^apiVersion:/m.test(text) || WHOLE.has(code)) return `${text}\n`;
  const missing = Object.entries(FRAME).filter(([key]) => !new RegExp(`^${key}:`, "m").test(text));
  return [text, ...missing.map(([, line]) => line), ""].join("\n");
}

async function codesOf(
  spec: string | Buffer,
  options?: Parameters<App["check"]>[1],
): Promise<readonly Diagnostic[]> {
  const file = join(folder, "example.yaml");
  writeFileSync(file, spec);
  return (await app.check({ file }, options)).diagnostics;
}

const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];

describe("the examples of the diagnostic codes", () => {
  it.each(codes)("%s is found in its wrong example", async (code) => {
    const text = framed(code, examples[code].wrong);
    const found = await codesOf(SAVED[code]?.(text) ?? text, GIVEN[code]);
    expect(found.map((one) => one.code)).toContain(code);
  });

  it.each(codes)("the right example of %s has no error, and not this finding", async (code) => {
    const found = await codesOf(framed(code, examples[code].right));
    const isBad = (one: Diagnostic): boolean => one.severity === "error" || one.code === code;
    expect(found.filter(isBad).map((one) => `${one.code} ${one.line}: ${one.message}`)).toEqual([]);
  });

  it.each(codes)("%s says why in one or two sentences", (code) => {
    const { why } = examples[code];
    expect(why).toMatch(/[.!]$/);
    expect(why.match(/[.?!:](?:\s|$)/g)?.length).toBeLessThanOrEqual(4);
  });
});
