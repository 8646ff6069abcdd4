import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative, resolve } from "node:path";
import type { CheckResult, Program } from "@loopwright/core";
import {
  type AgentAnswers,
  envExampleText,
  repliesFile,
  repliesText,
  specText,
  STARTERS,
} from "../agent-files.ts";
import { type Arguments, refusePositionals } from "../arguments.ts";
import { askAnswers, type Choices, modelFault, nameFault, type Screen } from "../ask-answers.ts";
import { CommandError, usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { diagnosticText } from "../diagnostic-text.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { nearestName } from "../nearest-name.ts";
import { type OpenedApp, openApp, rootFor } from "../open-app.ts";
import { readTextFile } from "../read-file.ts";
import { shellWord } from "../shell-word.ts";
import { makeFolder, writeTextFile } from "../write-file.ts";

const MODEL = "deepseek/deepseek-v4-flash";
const OPTIONS = ["name", "model", "task", "tools", "strategy"] as const;

/** Writes a first spec. */
export const init: CommandFunction = (given) =>
  initFrom(given, process.stdin.isTTY && process.stdout.isTTY ? {} : undefined);

/** Writes a first spec, and asks on `screen` for what is not said; without a screen nobody can be asked. */
export async function initFrom(given: Arguments, screen: Screen | undefined): Promise<ExitCode> {
  const [folder = ".", ...extra] = given.positionals;
  refusePositionals("init", extra);
  const said = readAnswers(given);
  const missing = OPTIONS.filter((option) => said[option] === undefined);
  if (missing.length > 0 && !given.has("yes") && screen === undefined) {
    const flags = missing.map((option) => `--${option}`).join(", ");
    throw usageError(
      `init has nobody to ask here: give ${flags}, or --yes for the defaults of what is left out`,
    );
  }
  const root = rootFor(given, join(folder, "spec.yaml"));
  const opened = await openApp({ root, discovery: true });
  try {
    const defaults = defaultsFor(folder, said);
    const answers =
      given.has("yes") || missing.length === 0
        ? { ...defaults, ...said }
        : await ask(opened, said, defaults, screen);
    if (answers === undefined) return EXIT_CODES.killed;
    const program = await checkText(opened, answers);
    writeAgent(folder, answers, keysOf(program));
    tellUncalled(answers, program);
    return EXIT_CODES.done;
  } finally {
    await opened.app.close();
  }
}

async function ask(
  opened: OpenedApp,
  said: Partial<AgentAnswers>,
  defaults: AgentAnswers,
  screen: Screen | undefined,
): Promise<AgentAnswers | undefined> {
  const taskFault = (task: string) => faultOfTask(opened, { ...defaults, tools: [], task });
  const fault = said.task === undefined ? undefined : await taskFault(said.task);
  if (fault !== undefined) throw new CommandError(`--task: ${fault}`);
  return askAnswers(said, defaults, { ...(await choicesOf(opened, defaults)), taskFault }, screen);
}

/** What is wrong with a task, as a template for instance; undefined for nothing. */
async function faultOfTask(
  { app, root }: OpenedApp,
  answers: AgentAnswers,
): Promise<string | undefined> {
  const file = `${answers.name}.yaml`;
  const { diagnostics } = await app.check({ text: specText(answers), file }, { root });
  return diagnostics.find(({ severity, path }) => severity === "error" && /^task\b/u.test(path))
    ?.message;
}

function readAnswers(given: Arguments): Partial<AgentAnswers> {
  const name = given.text("name");
  const model = given.text("model");
  const task = given.text("task");
  const tools = given.text("tools");
  const strategy = given.text("strategy");
  const faults = [
    name === undefined ? undefined : nameFault(name),
    model === undefined ? undefined : modelFault(model),
    strategy === undefined ? undefined : strategyFault(strategy),
  ].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new CommandError(faults.join("; "));
  return {
    ...(name === undefined ? {} : { name }),
    ...(model === undefined ? {} : { model }),
    ...(task === undefined ? {} : { task }),
    ...(tools === undefined ? {} : { tools: readList(tools) }),
    ...(strategy === undefined ? {} : { strategy }),
  };
}

function readList(text: string): readonly string[] {
  const names = text.split(",").map((one) => one.trim());
  return text === "none" ? [] : names.filter((one) => one !== "");
}

function strategyFault(id: string): string | undefined {
  const ids = STARTERS.map((starter) => starter.id);
  if (ids.includes(id)) return undefined;
  const near = nearestName(id, ids);
  const hint = near === undefined ? `there are ${ids.join(", ")}` : `did you mean ${near}?`;
  return `init knows no strategy ${id}; ${hint}`;
}

function defaultsFor(folder: string, said: Partial<AgentAnswers>): AgentAnswers {
  const name = basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .replaceAll(/^[-0-9]+|-$/gu, "");
  // One that acts needs something to act with.
  const tools = said.strategy === "react" ? ["calculator"] : [];
  const strategy = (said.tools ?? []).length > 0 ? "react" : "direct";
  return { name: name === "" ? "my-agent" : name, model: MODEL, task: "", tools, strategy };
}

async function choicesOf(
  { app, root }: OpenedApp,
  defaults: AgentAnswers,
): Promise<Omit<Choices, "taskFault">> {
  const { plugins } = app.plugins();
  const ids = plugins.filter(({ kind }) => kind === "tool").map(({ id }) => id);
  // One that needs options can't be listed by its name alone.
  const isSound = async (id: string): Promise<boolean> => {
    const answers = { ...defaults, task: "Try it.", tools: [id], strategy: "react" };
    const file = `${answers.name}.yaml`;
    const { diagnostics } = await app.check({ text: specText(answers), file }, { root });
    return !diagnostics.some(
      ({ severity, path }) => severity === "error" && /^tools\b/u.test(path),
    );
  };
  const sound = await Promise.all(ids.map(isSound));
  const models = plugins
    .filter(({ kind }) => kind === "provider")
    .flatMap(({ id, profiles }) => [id, ...profiles])
    .filter((id) => id !== "replay");
  return { models, tools: ids.filter((_, index) => sound[index]), strategies: STARTERS };
}

/** The program that the answers make; they are refused where it would not pass its check. */
async function checkText(opened: OpenedApp, answers: AgentAnswers): Promise<Program> {
  const { root } = opened;
  const found = await checkBesideReplies(opened, answers);
  if (found.program !== undefined) return found.program;
  const text = diagnosticText(found, root);
  throw new CommandError(`nothing was written: these answers make no sound spec\n\n${text}`);
}

/** Checks the spec where the replies of its model stand already: in a folder of their own, which goes away again. */
async function checkBesideReplies(
  { app, root }: OpenedApp,
  answers: AgentAnswers,
): Promise<CheckResult> {
  const spec = { text: specText(answers), file: `${answers.name}.yaml` };
  const replies = repliesFile(answers);
  if (replies === undefined) return app.check(spec, { root });
  const folder = mkdtempSync(join(tmpdir(), "loopwright-init-"));
  try {
    writeTextFile(join(folder, replies), repliesText(answers), "wx");
    return await app.check(spec, { root: folder });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tools that no stage can call do no harm, but nobody lists them for that. */
function tellUncalled({ strategy, tools }: AgentAnswers, { stages }: Program): void {
  if (tools.length === 0 || [...stages.values()].some((stage) => stage.tools.length > 0)) return;
  const cure = "write `strategy: react`, or delete `tools`";
  process.stderr.write(
    `loopwright: with the strategy ${strategy} nothing can call ${tools.join(", ")}; ${cure}\n`,
  );
}

/** The variables that hold the keys of a program's models; undefined where a provider does not say. */
function keysOf({ models }: Program): readonly string[] | undefined {
  const keys = models.map(
    ({ definition, profile, options }) => definition.describe?.(profile, options).keys,
  );
  return keys.includes(undefined) ? undefined : [...new Set(keys.flatMap((some) => some ?? []))];
}

function writeAgent(
  folder: string,
  answers: AgentAnswers,
  keys: readonly string[] | undefined,
): void {
  const spec = join(folder, `${answers.name}.yaml`);
  const said = repliesFile(answers);
  const replies = said === undefined ? undefined : join(folder, said);
  refuseExisting([spec, ...(replies === undefined ? [] : [replies])]);
  makeFolder(folder);
  if (replies !== undefined) writeTextFile(replies, repliesText(answers), "wx");
  writeTextFile(spec, specText(answers), "wx");
  const lines = [
    `wrote ${spec}`,
    ...(replies === undefined
      ? []
      : [`wrote ${replies}: what the scripted model says, so that it runs offline`]),
    writeEnvExample(folder, answers.model, keys),
  ];
  const here = shellWord(relative(process.cwd(), resolve(spec)));
  const words = answers.task === "" ? ' "What shall it do?"' : "";
  const next = [`  loopwright check ${here}`, `  loopwright run ${here}${words}`];
  process.stdout.write(`${[...lines, "next", ...next].join("\n")}\n`);
}

function refuseExisting(files: readonly string[]): void {
  const existing = files.find((file) => existsSync(file));
  if (existing === undefined) return;
  const hint = "choose another --name or folder, or move it away";
  throw new CommandError(`${existing} exists, and init never overwrites a file; ${hint}`);
}

/** An `.env.example` that is there stays; what it lacks is told. */
function writeEnvExample(
  folder: string,
  model: string,
  keys: readonly string[] | undefined,
): string {
  const file = join(folder, ".env.example");
  if (!existsSync(file)) {
    writeTextFile(file, envExampleText(model, keys), "wx");
    return `wrote ${file}`;
  }
  const text = readTextFile(file, "");
  const missing = (keys ?? []).filter((key) => !new RegExp(`^\\s*${key}\\s*=`, "mu").test(text));
  return missing.length === 0
    ? `left ${file} as it is`
    : `left ${file} as it is; add ${missing.join(", ")} to it`;
}
