import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { EditorWire } from "./editor-wire.ts";
import { longSpec } from "./long-spec.ts";
import { spread, spreadText } from "./measure.ts";

const GOAL_MS = 50;
const maxRounds = 200;
const rounds = Math.min(Number(process.argv[2] ?? 20), maxRounds);
const lines = Number(process.argv[3] ?? 2_000);

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = fileURLToPath(new URL("../../packages/cli/bundle/main.js", import.meta.url));
const uri = pathToFileURL(`${root}long.yaml`).href;

if (existsSync(command)) await measure();
else {
  console.error(`The command is not built: there is no ${command}. Run \`npm run build\` first.`);
  process.exitCode = 1;
}

/** Types into a long spec, and asks for completion in it, as an editor does. */
async function measure(): Promise<void> {
  const child = spawn(process.execPath, [command, "lsp", "--stdio"], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const editor = new EditorWire(child);
  await editor.request("initialize", { processId: null, rootUri: null, capabilities: {} });
  const text = longSpec(lines);
  const opened = told(editor);
  const textDocument = { uri, languageId: "yaml", version: 1, text };
  editor.notify("textDocument/didOpen", { textDocument });
  await opened;
  const [changes, completions]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    changes.push(await timeOf(() => change(editor, round, `${text}# ${round}\n`)));
    completions.push(await timeOf(() => complete(editor, text)));
  }
  console.log(
    `language server on ${text.split("\n").length - 1} lines, ${rounds} rounds (goal ${GOAL_MS})`,
  );
  console.log(`  from a change to its diagnostics: ${spreadText(spread(changes))} ms`);
  console.log(`  completion: ${spreadText(spread(completions))} ms`);
  await editor.request("shutdown", {});
  editor.notify("exit", {});
}

async function timeOf(action: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await action();
  return performance.now() - before;
}

async function change(editor: EditorWire, round: number, text: string): Promise<void> {
  const checked = told(editor);
  editor.notify("textDocument/didChange", {
    textDocument: { uri, version: round + 1 },
    contentChanges: [{ text }],
  });
  await checked;
}

function told(editor: EditorWire): Promise<void> {
  return editor.next("textDocument/publishDiagnostics");
}

/** Asks in the middle of the spec, inside the options of a stage. */
function complete(editor: EditorWire, text: string): Promise<unknown> {
  const all = text.split("\n");
  const line = all.findIndex((one, at) => at > all.length / 2 && one.includes("maxPlanSteps"));
  return editor.request("textDocument/completion", {
    textDocument: { uri },
    position: { line, character: 14 },
  });
}
