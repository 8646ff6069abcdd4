import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const HEAD = "apiVersion: loopwright/v1\nname: example\n";
const SCRIPTED = "model: { use: scripted/example, file: replies.yaml }\n";

const FILES: Readonly<Record<string, string>> = {
  "answer.yaml": `${HEAD}inputs: { id: string, count: integer }
task: { text: "Look {{ inputs.id }} up." }
${SCRIPTED}strategy: direct
`,
  "approval.yaml": `${HEAD}task: { text: Add. }
${SCRIPTED}tools: { calculator: { approval: always } }
strategy: { react: { maxSteps: 3 } }
sinks: [console]
`,
  "slow.yaml": `${HEAD}task: { text: Wait. }
${SCRIPTED}strategy: [direct, { direct: { id: slow } }]
sinks: [console]
`,
  "slow-log.yaml": `${HEAD}task: { text: Wait. }
${SCRIPTED}strategy: [direct, { direct: { id: slow } }]
sinks: { screen: { use: console }, log: { use: jsonl, path: slow.jsonl } }
`,
  "limited.yaml": `${HEAD}task: { text: Add. }
${SCRIPTED}tools: [calculator]
strategy: { react: { id: endless, maxSteps: 9 } }
limits: { modelCalls: 3 }
`,
  "keyless.yaml": `${HEAD}task: { text: Hello. }
model: deepseek/deepseek-v4-flash
memory: { lessons: { use: file, path: lessons.jsonl } }
strategy: [{ recall: { from: lessons } }, direct]
`,
  "mail.yaml": `${HEAD}inputs: { ticket: string, count: integer, urgent: { type: boolean, default: false } }
task: { text: "{{ inputs.ticket }} / {{ inputs.count }} / {{ inputs.urgent }}" }
${SCRIPTED}strategy: direct
sinks: { log: { use: jsonl, path: log.jsonl } }
`,
  "effect.yaml": `${HEAD}task: { text: Write. }
${SCRIPTED}tools: { acme/write: { approval: never } }
strategy: { react: { id: writing, maxSteps: 3 } }
sinks: [console]
`,
  "ask.yaml": `${HEAD}task: { text: Ask. }
${SCRIPTED}strategy:
  - ask: { question: "Which colour?", onTimeout: continue, default: blue }
  - direct: { when: 'results.ask.reply == "blue"' }
`,
  "ask-stop.yaml": `${HEAD}task: { text: Ask. }
${SCRIPTED}strategy:
  - ask: { question: "Which colour?" }
  - direct: { when: results.ask.answered }
`,
  "refused.yaml": `${HEAD}task: { text: Hello. }
model: ollama/any
strategy: direct
`,
  "learned.yaml": `${HEAD}task: { text: Hello. }
${SCRIPTED}memory: { lessons: { use: file, path: learned.jsonl } }
strategy: [{ recall: { from: lessons } }, direct]
`,
  "broken.yaml": `${HEAD}strategy:\n  - react:\n    maxSteps: 3\n`,
  "unclosed.yaml": "name: [x\n",
  "unknown.yaml": `${HEAD}${SCRIPTED}task: { text: Hello. }\nstrategy: directt\nsinks: [consol]\n`,
  "replies.yaml": `replies:
  - stage: slow
    text: too late
    delayMs: 60000
  - stage: direct
    times: always
    text: It is on its way.
  - stage: writing
    calls: [{ name: acme_write, arguments: { text: hello } }]
  - stage: writing
    times: always
    text: It is written.
  - stage: react
    text: I add.
    calls: [{ name: calculator, arguments: { expression: "2 + 3" } }]
  - stage: react
    lastIncludes: denied
    times: always
    text: I was not allowed to add.
  - stage: react
    times: always
    text: It is 5.
  - stage: endless
    times: 2
    text: I add.
    calls: [{ name: calculator, arguments: { expression: "2 + 3" } }]
  - stage: conclusion
    text: This far I came.
`,
};

const WRITER = `export const write = {
  kind: "tool", id: "acme/write", description: "Writes a text down. Use it for what must be kept. Do not use it to read. It returns nothing.", effect: "idempotent", inject: {},
  options: { type: "object", properties: {} },
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  create: () => () => { throw new Error("this test writes nothing"); },
};
`;

const PACKAGES: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({ dependencies: { "acme-writer": "*", "acme-old": "*" } }),
  "node_modules/acme-writer/package.json": manifestOf("plugin/1", [
    { kind: "tool", id: "acme/write", export: ".#write" },
  ]),
  "node_modules/acme-writer/index.js": WRITER,
  "node_modules/acme-old/package.json": manifestOf("plugin/0", []),
};

function manifestOf(apiVersion: string, provides: readonly object[]): string {
  const keywords = ["loopwright-plugin"];
  return JSON.stringify({
    type: "module",
    exports: "./index.js",
    keywords,
    loopwright: { apiVersion, provides },
  });
}

/** The same specs in a project with two plugin packages: one whose tool has an effect, and one that is broken. */
export function exampleProject(): string {
  const folder = exampleFolder();
  for (const [name, text] of Object.entries(PACKAGES)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A folder outside any project, with specs that need no network. */
export function exampleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-cli-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "folder.yaml"));
  return folder;
}
