import { existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { CompileOptions, RunOutcome } from "@loopwright/core";
import { refusePositionals } from "../arguments.ts";
import { CommandError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { compileProgram } from "../compile-program.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { HeldTerminal } from "../held-terminal.ts";
import { openApp } from "../open-app.ts";
import { attendanceOf, performRun } from "../perform-run.ts";

const SPEC = "specs/order-desk.yaml";
const REPLIES = "specs/scripts/order-desk.yaml";

interface Act {
  readonly title: string;
  readonly orderId: string;
  readonly notice: string;
}

const ACTS: readonly Act[] = [
  {
    title: "1 of 3: a wrong answer, caught",
    orderId: "A20260824001",
    notice: `The draft promised a date that no tool had returned. The check \`evidence\` caught it, \`refine\`
and a second look mended it, a second verification passed it, and \`reflect\` kept a lesson.`,
  },
  {
    title: "2 of 3: the same question again",
    orderId: "A20260824001",
    notice: `\`recall\` found that lesson and handed it to the run, and the first draft was right:
nothing had to be mended, and it took fewer model calls.`,
  },
  {
    title: "3 of 3: an order that does not exist",
    orderId: "A20260824999",
    notice: `The tool said that there is no such order, and the reply says so too. No address was changed:
that tool asks a person first, and here nobody needed it.`,
  },
];

const OPENING = `The order desk, three runs of ${SPEC}. The model is scripted: its replies are made up
and stand in ${REPLIES}. The compiler, tools, checks, memory and events are real.
`;

const LIVE = `npm start -- run ${SPEC} "Where is my parcel?" -i orderId=A20260824001`;

const ENDING = `The same spec against a live endpoint (openai, deepseek, kimi, qwen, ollama, vllm):
  DEEPSEEK_API_KEY=… ${LIVE}
Another model with your price in dollars per million tokens, or a local one, by adding:
  --model '*={ use: openai/MODEL, price: { input: 1.00, output: 2.00 } }'
  --model '*=ollama/MODEL'
`;

/** Runs the order desk three times with scripted replies, and tells what to look at. */
export const demo: CommandFunction = async (given) => {
  refusePositionals("demo", given.positionals);
  const root = repositoryAround([process.cwd(), dirname(fileURLToPath(import.meta.url))]);
  const folder = join(root, ".loopwright", `demo-${process.pid}`);
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  process.once("exit", removeFolder);
  const terminal = new HeldTerminal(process.stdout, process.env);
  const level = given.has("verbose") ? { level: "verbose" as const } : {};
  const opened = await openApp({ root, discovery: true, terminal, ...level });
  try {
    const compiled = await compileProgram(opened, join(root, SPEC), demoSettings(root, folder));
    const attendance = attendanceOf(terminal, { approveAll: false, isStdoutTaken: false });
    terminal.write(`${OPENING}\n`);
    for (const [index, { title, orderId, notice }] of ACTS.entries()) {
      // From the second run on, the console sink leaves a line free by itself.
      terminal.write(`${bold(terminal, title)}\n${index === 0 ? "\n" : ""}`);
      const input = { task: "Where is my parcel?", inputs: { orderId } };
      const { outcome } = await performRun(opened.app, compiled, input, { attendance });
      if (outcome.outcome !== "done") return stopped(terminal, outcome);
      terminal.write(`\n→ ${notice.replaceAll("\n", "\n  ")}\n\n`);
    }
    terminal.write(ENDING);
    return EXIT_CODES.done;
  } finally {
    await opened.app.close();
    removeFolder();
  }
};

/** The repository around the first of some folders that lies in one: the working folder, else this file's. */
export function repositoryAround(folders: readonly string[]): string {
  for (const start of folders) {
    for (let folder = start; ; folder = dirname(folder)) {
      if ([SPEC, REPLIES].every((file) => existsSync(join(folder, file)))) return folder;
      if (dirname(folder) === folder) break;
    }
  }
  const cure = "clone the repository and run `npm start` there";
  throw new CommandError(`the demo works in a clone of the Loopwright repository alone; ${cure}`);
}

/** Scripted replies in the place of every model, and what is written kept in a folder of its own. */
function demoSettings(root: string, folder: string): CompileOptions {
  const inside = relative(root, folder);
  return {
    models: [{ match: "*", model: "scripted/order-desk", options: { file: join(root, REPLIES) } }],
    overrides: [
      { path: "memory.lessons.path", value: join(inside, "lessons.jsonl") },
      {
        path: "sinks",
        value: { console: {}, jsonl: { path: join(inside, "runs", "${run:id}.jsonl") } },
      },
    ],
  };
}

function stopped(terminal: HeldTerminal, { outcome, reason }: RunOutcome): 1 | 2 | 3 {
  terminal.write(
    `\nThe demo stops here: the run ended ${outcome}${reason === undefined ? "" : ` (${reason})`}.\n`,
  );
  return outcome === "done" ? EXIT_CODES.failed : EXIT_CODES[outcome];
}

function bold(terminal: HeldTerminal, text: string): string {
  return terminal.hasColors ? `\u001B[1m${text}\u001B[22m` : text;
}
