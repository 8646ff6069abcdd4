import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

/** A folder outside any project, with specs that need no network. */
export function exampleFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "loopwright-cli-"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, "folder.yaml"));
  return folder;
}
