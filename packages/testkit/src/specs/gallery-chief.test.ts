import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineCheck, defineTool, Type } from "@loopwright/core/plugin";
import { checks } from "@loopwright/checks";
import { memories } from "@loopwright/memories";
import { type ScriptedReplies, scriptedProvider } from "@loopwright/providers";
import { sinks } from "@loopwright/sinks";
import { strategies } from "@loopwright/strategies";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import { packageOf } from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";

const gallery = fileURLToPath(new URL("../../../../fixtures/gallery/", import.meta.url));
const written: string[] = [];
let root = "";

beforeEach(async () => {
  written.length = 0;
  root = await mkdtemp(join(tmpdir(), "loopwright-chief-"));
  await mkdir(join(root, "work"));
  for (const name of ["03-research.yaml", "04-fix-bug.yaml", "12-chief.yaml"]) {
    const text = await readFile(join(gallery, name), "utf8");
    // A method that this version checks and does not run: the plain one stands in for it.
    const plain = text
      .replaceAll(/^ +(method|maxQuestions|answer): .*\n/gm, "")
      .replace("{ ask: checker, answer: default }", "checker");
    await writeFile(join(root, name), plain);
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

const tool = (id: string, run: (input: { readonly [key: string]: string }) => string) =>
  defineTool({
    id,
    description: `The tool ${id}.`,
    options: Type.Object({}),
    input: Type.Object({}, { additionalProperties: Type.String() }),
    effect: id === "write-file" ? "idempotent" : "read",
    create: () => (input) => run(input),
  });

const world = [
  tool("web-search", () => "The bridge is 165 m long."),
  tool("http-get", () => "unused"),
  tool("read-file", () => "exports.sum = (a, b) => a - b;"),
  tool("search-files", () => "sum.js:1"),
  tool("write-file", ({ path = "" }) => {
    written.push(path);
    return "written";
  }),
  defineCheck({
    id: "command",
    description: "Passes once the file is written.",
    options: Type.Object({}, { additionalProperties: Type.Unknown() }),
    run: async () => ({ outcome: written.length > 0 ? "pass" : "fail", issues: [] }),
  }),
];

/** Each of the three agents calls its tools once, then says what came of it. */
const replies: ScriptedReplies = ({ key, tools, messages, output }) => {
  const hasResult = messages.some(({ role }) => role === "tool");
  const offered = new Set(tools.map(({ name }) => name));
  if (output !== undefined) return { json: { outcome: "pass", issues: [], supportedEvidence: [] } };
  if (offered.has("research"))
    return hasResult
      ? "The bridge is 165 m long, and the sum is right now [observation-1] [observation-2]."
      : {
          calls: [
            { name: "research", arguments: { question: "How long is the bridge?" } },
            { name: "fix-bug", arguments: { task: "Make the sum right." } },
          ],
        };
  if (hasResult || tools.length === 0) return `done at ${key.includes("call:0") ? "165 m" : "sum"}`;
  return offered.has("write-file")
    ? { calls: [{ name: "write-file", arguments: { path: "sum.js", content: "a + b" } }] }
    : { calls: [{ name: "web-search", arguments: { query: "bridge" } }] };
};

function runChief(approved: boolean): Promise<SpecRun> {
  return runSpec(
    { file: join(root, "12-chief.yaml") },
    {
      plugins: [
        strategies,
        checks,
        memories,
        sinks,
        packageOf([...world, scriptedProvider("stub", replies)]),
      ],
      root,
      input: { task: "How long is the bridge? And mend the sum." },
      compile: { models: [{ match: "*", model: "stub/model" }] },
      onRun: (run) =>
        run.on("approval.requested", ({ data }) => void run.respond(data.id, { approved })),
    },
  );
}

describe("the chief of the gallery", () => {
  it("lets both agents work, one after a person has agreed, within their money", async () => {
    const { outcome, events } = await runChief(true);
    expect(outcome).toMatchObject({ outcome: "done", answer: { solvable: true } });
    expect(outcome.answer.text).toContain("165 m");
    expect(outcome.state.observations).toMatchObject([
      { tool: "research", ok: true },
      { tool: "fix-bug", ok: true },
    ]);
    expect(written).toEqual(["sum.js"]);
    const asked = events.flatMap((event) =>
      event.name === "approval.requested" ? [event.data.tool] : [],
    );
    expect(asked).toEqual(["fix-bug"]);
    expect(unbalanced(events)).toEqual([]);
    expect(misnested(events)).toEqual([]);
  });

  it("goes on with one agent where the person says no to the other", async () => {
    const { outcome } = await runChief(false);
    expect(outcome.outcome).toBe("done");
    expect(written).toEqual([]);
    expect(outcome.state.observations).toMatchObject([{ ok: true }, { ok: false }]);
  });
});
