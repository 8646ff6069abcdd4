import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type App, createApp, type RunEvent } from "@loopwright/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { memories } from "@loopwright/memories";
import { strategies } from "@loopwright/strategies";
import { type TempProject, tempProject } from "./temp-project.ts";

const FILES = {
  "provider.js": `
import { defineProvider, NO_USAGE, ProviderError, secret, Type } from "@loopwright/core/plugin";
const replies = ["It is four.", "It is 4.", '{"trigger":"a sum","failurePattern":"words","lesson":"write digits","avoid":"words"}'];
export const parrot = defineProvider({
  id: "acme/parrot", free: ["acme/parrot"], description: "Says what it knows.",
  options: Type.Object({ key: secret() }),
  create: ({ key }) => {
    let count = 0;
    return {
      async generate(request, { signal, onDelta }) {
        signal.throwIfAborted();
        if (key !== "sesame-1234") throw new ProviderError("provider-unauthorized", "wrong key");
        const text = replies[count++] ?? "";
        onDelta?.({ kind: "text", text });
        return { message: { role: "assistant", text, reasoning: "", toolCalls: [] }, usage: { ...NO_USAGE, input: 7, output: 3 }, finishReason: "stop" };
      },
      capabilities: () => ({ tools: false, structured: "json-schema", price: { input: 0, output: 0 } }),
    };
  },
});
`,
  "check.js": `
import { defineCheck, Type } from "@loopwright/core/plugin";
export const digits = defineCheck({
  id: "acme/digits", description: "An answer has digits.", options: Type.Object({ min: Type.Integer({ default: 1 }) }),
  run: (state, _context, { min }) => ({
    issues: (state.answer.text.match(/[0-9]/g) ?? []).length >= min ? [] : [
      { kind: "constraint-violation", detail: "there are no digits", requiredAction: "write digits", needs: "rewrite" },
    ],
  }),
});
`,
  "sink.js": `
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { defineSink, ProjectRoot, Type } from "@loopwright/core/plugin";
export const names = defineSink({
  id: "acme/names", description: "Writes the names of events down.", options: Type.Object({ file: Type.String() }),
  inject: { root: ProjectRoot },
  create: ({ file }, { root }) => {
    const write = (line) => appendFileSync(join(root, file), line + "\\n");
    return { handle: ({ name }) => write(name), flush: async () => write("flush"), close: () => write("close") };
  },
});
`,
  "memory.js": `
import { Clock, defineMemory, defineToken, Ids, Type } from "@loopwright/core/plugin";
export const shelf = defineMemory({
  id: "acme/shelf", description: "Keeps lessons on a shelf.", options: Type.Object({}),
  inject: { ids: Ids, clock: Clock, shelves: defineToken("acme/shelves") },
  create: (_options, { ids, shelves }) => ({
    async recall({ max }) { return shelves.slice(0, max); },
    async add(draft) { const lesson = { ...draft, id: ids.next(), uses: 0 }; shelves.push(lesson); return { added: true, lesson }; },
    async list() { return shelves; },
    async remove() { return false; },
    async prune() { return 0; },
  }),
});
`,
  "service.js": `
import { defineService, defineToken } from "@loopwright/core/plugin";
export const shelves = defineService({ token: defineToken("acme/shelves"), create: () => [] });
`,
};
const KINDS = ["provider#parrot", "check#digits", "sink#names", "memory#shelf", "service#shelves"];
const MANIFEST = {
  exports: Object.fromEntries(Object.keys(FILES).map((file) => [`./${file}`, `./${file}`])),
  loopwright: {
    apiVersion: "plugin/1",
    provides: KINDS.map((kind) => {
      const [file = "", name = ""] = kind.split("#");
      return { kind: file, id: `acme/${name}`, export: `./${file}.js#${name}` };
    }),
  },
};

const SPEC = `apiVersion: loopwright/v1
name: sums
task: How many are 2 and 2?
models: { default: { use: acme/parrot/green, key: "\${secret:ACME_KEY}" } }
memory: { lessons: { use: acme/shelf } }
sinks: { names: { use: acme/names, file: names.log } }
strategy:
  - recall: { from: lessons }
  - direct
  - verify:
      checks: [{ acme/digits: { min: 1 } }]
      model: none
      revise: { refine: { model: default } }
  - reflect: { into: lessons }
`;

let project: TempProject;
let app: App;

beforeEach(async () => {
  project = await tempProject();
  await project.add("acme-all", MANIFEST, FILES);
  app = await createApp({
    plugins: [strategies, memories],
    root: project.root,
    env: { ACME_KEY: "sesame-1234" },
  });
});

afterEach(async () => {
  await app.close();
  await project.remove();
});

async function runOnce(): Promise<readonly RunEvent[]> {
  const program = await app.compile({ text: SPEC });
  const run = app.start(program);
  const events: RunEvent[] = [];
  run.on("*", (event) => events.push(event));
  const outcome = await run.outcome;
  expect(outcome).toMatchObject({
    outcome: "done",
    verified: "pass",
    answer: { text: "It is 4." },
    spending: { modelCalls: 3 },
  });
  await program.close();
  return events;
}

it("promise 12: a stranger's provider, check, sink, memory and service work together", async () => {
  const events = await runOnce();
  expect(events.find(({ name }) => name === "verdict.given")?.data).toMatchObject({
    outcome: "revise",
    issues: [{ detail: "there are no digits" }],
  });
  expect(events.filter(({ name }) => name === "lesson.learned")).toHaveLength(1);
  const written = (await readFile(join(project.root, "names.log"), "utf8")).trim().split("\n");
  expect(written).toEqual([...events.map(({ name }) => name), "flush", "close"]);
  const again = await runOnce();
  expect(again.find(({ name }) => name === "lessons.recalled")?.data).toMatchObject({
    lessons: [{ lesson: "write digits" }],
  });
});
