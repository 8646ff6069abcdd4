import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type App, createApp, isLoopwrightError, type Program } from "@loopwright/core";
import type { JsonObject } from "@loopwright/core/plugin";
import { providers, scriptedProvider } from "@loopwright/providers";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleOf } from "../conformance/sample-of-schema.ts";
import { randomSpec, specFiles } from "./random-specs.ts";
import { builtIn, packageOf } from "./run-scripted.ts";
import { mutate, mutations, treeOf, writeTree } from "./spec-tree.ts";

const env = { LIMIT: "700", KEY: "sk-a-secret-of-a-test", OPENAI_API_KEY: "sk-another-secret" };

let app: App;
const roots: string[] = [];

/** A project with every file but one; the first has all of them. */
async function makeRoot(missing?: string): Promise<void> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "loopwright-parity-")));
  for (const [name, text] of Object.entries(specFiles)) {
    if (name === missing) continue;
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  roots.push(root);
}

beforeAll(async () => {
  app = await createApp({
    plugins: [...builtIn, providers, packageOf([scriptedProvider("stub", () => ({ text: "4" }))])],
    discovery: false,
    env,
  });
  await makeRoot();
  for (const name of Object.keys(specFiles)) await makeRoot(name);
});
afterAll(async () => {
  await app.close();
  for (const root of roots) await rm(root, { recursive: true });
});

/** What `check` says: yes where there is no error and something to run. */
async function checked(text: string, root: string): Promise<string> {
  const { program, diagnostics } = await app.check({ text, file: "spec.yaml" }, { root });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const isFragment = diagnostics.some(({ code }) => code === "LW-SPEC-FRAGMENT");
  if ((program === undefined) !== (errors.length > 0 || isFragment))
    return `a program beside errors, or neither: ${errors.map(({ code }) => code).join(" ")}`;
  return program === undefined ? "no" : "yes";
}

/** Whether a spec or an agent in it holds what can't run yet, and whether the check has warned of it. */
function isTold({ diagnostics, ...program }: Program): boolean {
  const isWarned = diagnostics.some(({ code }) => code === "LW-SPEC-NOT-YET");
  return isWarned && holdsLaterParts(program);
}

function holdsLaterParts({ notYet = [], agents }: Pick<Program, "notYet" | "agents">): boolean {
  return notYet.length > 0 || [...(agents?.values() ?? [])].some(holdsLaterParts);
}

/** Whether a run gets past set-up: compiled, linked, and started; parts that are known not to run yet are told before. */
async function started(text: string, root: string, seen: { told: number }): Promise<string> {
  try {
    const linked = await app.compile({ text, file: "spec.yaml" }, { root });
    try {
      const inputs = sampleOf(linked.program.inputs.schema) as JsonObject;
      const isLater = isTold(linked.program);
      if (isLater && linked.program.notYet === undefined) seen.told += 1;
      const run = startOrRefuse(() => app.start(linked, { task: "Go.", inputs }));
      if (typeof run === "string") return isLater ? "yes" : run;
      run.abort("the test has seen enough");
      await run.outcome;
      return isLater ? "a run of what can't run yet" : "yes";
    } finally {
      await linked.close();
    }
  } catch (fault) {
    return isLoopwrightError(fault) && fault.code === "spec-invalid" ? "no" : String(fault);
  }
}

function startOrRefuse<T>(start: () => T): T | string {
  try {
    return start();
  } catch (fault) {
    if (isLoopwrightError(fault) && fault.code === "not-yet") return "not-yet";
    throw fault;
  }
}

describe("promise 11: check says yes exactly when a run gets past set-up", () => {
  it("of specs with every part of the language, and of what mistakes make of them", async () => {
    const seen = { yes: 0, no: 0, told: 0 };
    await fc.assert(
      fc.asyncProperty(randomSpec, mutations, fc.nat(40), async (spec, changes, pick) => {
        const text = writeTree(mutate(treeOf(spec), changes));
        // One project in five lacks a file.
        const root = roots[pick] ?? roots[0] ?? "";
        const said = await checked(text, root);
        expect({ text, said: await started(text, root, seen) }).toEqual({ text, said });
        if (said === "yes" || said === "no") seen[said] += 1;
      }),
      { numRuns: 300 },
    );
    expect(seen.yes).toBeGreaterThan(50);
    expect(seen.no).toBeGreaterThan(50);
  }, 120_000);

  it("of a spec that holds nothing itself that can't run yet, and whose agent does", async () => {
    const seen = { told: 0 };
    const text =
      'apiVersion: loopwright/v1\nname: outer\ninputs: { city: string }\ntask: Go.\nmodel: stub/model\nstrategy:\n  - agent: { spec: later.yaml, inputs: { city: "{{ inputs.city }}" } }\n';
    const root = roots[0] ?? "";
    expect(await checked(text, root)).toBe("yes");
    expect(await started(text, root, seen)).toBe("yes");
    expect(seen.told).toBe(1);
  });
});
