import { readFileSync, readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type App,
  createApp,
  type Diagnostic,
  DIAGNOSTIC_CODES,
  formatDiagnostic,
  isLoopwrightError,
} from "@loopwright/core";
import type { Provider, ProviderRequest } from "@loopwright/core/plugin";
import { providers } from "@loopwright/providers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  commonSettings,
  policyKeys,
  specKeys,
} from "../../../core/src/spec/document/spec-schemas.ts";
import { tempFolder } from "../conformance/temp-folder.ts";
import { builtIn, repositoryRoot } from "../specs/example-specs.ts";
import { testClock } from "../test-clock.ts";

interface Block {
  readonly file: string;
  /** Of the block's first line, from 1. */
  readonly line: number;
  readonly text: string;
}

const files = [
  "README.md",
  ...["docs", "docs/strategies"].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder))
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`),
  ),
];
const textOf = (file: string): string => readFileSync(join(repositoryRoot, file), "utf8");
const yamlBlocks = files.flatMap((file) => blocksOf(file));
const specs = yamlBlocks.filter(({ text }) => text.startsWith("apiVersion:"));
const scripts = yamlBlocks.filter(({ text }) => text.startsWith("replies:"));

function blocksOf(file: string): readonly Block[] {
  const text = textOf(file);
  return [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length + 1,
    text: match[1] ?? "",
  }));
}

const folder = tempFolder();

let app: App;
beforeAll(async () => {
  // The order desk's package is found by its manifest, as a reader's own would be.
  app = await createApp({ plugins: builtIn, root: repositoryRoot, env: {} });
});
afterAll(() => app.close());

/** The faults of a spec as the command prints them. */
async function faultsOf(text: string, file: string): Promise<readonly string[]> {
  const { diagnostics } = await app.check({ text, file });
  const lines = text.split("\n");
  const isError = ({ severity }: Diagnostic): boolean => severity === "error";
  return diagnostics.filter(isError).map((found) => formatDiagnostic(found, lines));
}

describe("the documents", () => {
  it("hold specs and scripts", () => {
    expect(specs.length).toBeGreaterThan(10);
    expect(scripts.length).toBeGreaterThan(1);
  });

  it.each(specs)("$file:$line is a spec without errors", async ({ text, file }) => {
    // The script that stands beside the spec in the document.
    const beside = text.replace("file: replies.yaml", "file: ../specs/scripts/discount.yaml");
    expect(await faultsOf(beside, file.replace(".md", ".yaml"))).toEqual([]);
  });

  it.each(scripts)("$file:$line is a script that can be read", async ({ text }) => {
    await expect(askScript(text)).resolves.toBe("read");
  });

  it("show a mistake as it is printed", async () => {
    const readme = textOf("README.md");
    const spec = specs.find(({ file }) => file === "README.md")?.text ?? "";
    const lines = /^ {2}- plan-and-solve:.*\n/m;
    expect(spec).toMatch(lines);
    const mistaken = spec.replace(lines, "  - react: { maxCallsPerStep: 2 }\n    maxSteps: 6\n");
    const [printed, ...others] = await faultsOf(mistaken, "order-desk.yaml");
    expect(others).toEqual([]);
    expect(readme).toContain(`\n${printed}\n`);
  });
});

/** Loads a script in the provider that is shipped; that no reply fits the request is no fault of it. */
async function askScript(text: string): Promise<string> {
  const file = join(folder, "replies.yaml");
  await writeFile(file, text);
  const definition = await providers.entries.find(({ id }) => id === "scripted")?.load();
  const create = (definition as unknown as { create: (...given: unknown[]) => Provider }).create;
  const setup = { file, profile: "scripted", model: "docs" };
  const provider = create(setup, { clock: testClock() });
  const request: ProviderRequest = {
    model: "docs",
    messages: [{ role: "user", text: "" }],
    tools: [],
    sampling: {},
    key: "none",
    runId: "run",
    stage: "none",
    voice: "none",
    inputs: {},
  };
  try {
    await provider.generate(request, { signal: new AbortController().signal });
    return "read";
  } catch (thrown) {
    if (isLoopwrightError(thrown) && thrown.code === "script-exhausted") return "read";
    return String(thrown);
  }
}

describe("what the documents name", () => {
  const events = eventNames();
  // What strategies tell as `fact.told`.
  const strategies = join(repositoryRoot, "packages/strategies/src");
  const strategyFacts = readdirSync(strategies, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [
      ...readFileSync(join(strategies, file), "utf8").matchAll(/\.fact\(\s*"([a-z.-]+)"/g),
    ])
    .map(([, name]) => name);

  it.each(files)("%s: every diagnostic code exists", (file) => {
    const codes = [...textOf(file).matchAll(/\bLW-[A-Z]+(?:-[A-Z]+)+\b/g)].map(([code]) => code);
    expect(codes.filter((code) => !(code in DIAGNOSTIC_CODES))).toEqual([]);
  });

  it.each(files)("%s: every event exists", (file) => {
    const phases = [...new Set(events.map((name) => name.split(".")[1]))].join("|");
    const named = new RegExp(
      `(?<=[\`"'])([a-z]+(?:-[a-z]+)*\\.(?:${phases}|started|ended|finished))(?=[\`"'])`,
      "g",
    );
    const found = [...textOf(file).matchAll(named)].map(([name]) => name);
    // Of the state, not an event.
    const own = found.filter((name) => name !== "verdict.revised");
    const known = new Set([...events, ...strategyFacts]);
    expect(own.filter((name) => !known.has(name))).toEqual([]);
  });

  it("docs/embedding.md: no event is left out", () => {
    const text = textOf("docs/embedding.md");
    expect(events.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it("docs/spec.md: no key is left out", () => {
    const text = textOf("docs/spec.md");
    const keys = [...specKeys, ...policyKeys, ...commonSettings];
    expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
  });

  it("docs/spec.md: what is not there yet is checked, and told as such", async () => {
    const section = textOf("docs/spec.md").split("## Known, not there yet")[1] ?? "";
    expect(section).toContain("`self-consistency` with another `pick` than `majority`");
    const { program, diagnostics } = await app.check({ text: laterSpec, file: "later.yaml" });
    const later = diagnostics.filter(({ code }) => code === "LW-SPEC-NOT-YET");
    expect(later.map(({ severity }) => severity)).not.toContain("error");
    const names = (program?.notYet ?? []).map(({ what }) => what);
    expect(names).toEqual(["self-consistency.pick: judged", "verify.method: cove-factored"]);
    expect(later).toHaveLength(names.length);
  });
});

const laterSpec = `apiVersion: loopwright/v1
name: later
model: ollama/qwen3:8b
task: What is 17 * 23?
strategy:
  - self-consistency: { pick: judged, do: direct }
  - verify: { method: cove-factored }
`;

function eventNames(): readonly string[] {
  return ["scope", "work", "call", "live"].flatMap((group) => {
    const text = textOf(`packages/core/src/contracts/${group}-events.ts`);
    const names = [...text.matchAll(/^ {2}"([a-z-]+\.[a-z-]+)":/gm)].map((match) => match[1] ?? "");
    if (names.length === 0) throw new Error(`contracts/${group}-events.ts names no events`);
    return names;
  });
}
