import { rmSync } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { CompiledProgram, CompileOptions, Program, Run } from "@loopwright/core";
import { answerRequests } from "../answer-requests.ts";
import { CommandError } from "../command-error.ts";
import { compileProgram } from "../compile-program.ts";
import type { OpenedApp } from "../open-app.ts";
import { tellIncidents } from "../tell-incidents.ts";
import { lockOutput } from "./batch-lock.ts";
import type { BatchOptions } from "./batch-options.ts";
import { fingerprint, pinBatch } from "./batch-pin.ts";
import { type BatchJob, BatchRunner } from "./batch-runner.ts";
import type { BatchEnd } from "./batch-summary.ts";
import { type ColumnPlan, planColumns, planText } from "./column-plan.ts";
import { openSource } from "./open-source.ts";
import { OutputFile } from "./output-file.ts";
import type { ProgressLine } from "./progress-line.ts";
import { type BatchFiles, dropLetters, resumeBatch } from "./resume-batch.ts";
import { type RowSource, surveySource } from "./row-source.ts";
import { unpricedModels } from "./unpriced-models.ts";

/** What a batch is performed with. */
export interface BatchSetting {
  readonly opened: OpenedApp;
  readonly options: BatchOptions;
  readonly settings: CompileOptions;
  readonly progress: ProgressLine;
  /** Called with the way to end it early, before the first row. */
  readonly onBegin: (abort: (reason: string) => void) => void;
}

/** Runs a spec on every row of a file; goes on where an earlier call stopped. */
export async function performBatch(setting: BatchSetting): Promise<Omit<BatchEnd, "compiling">> {
  const { opened, options, settings } = setting;
  const compiled = await compileProgram(opened, options.spec, settings);
  try {
    if (options.maxUsd !== undefined) requirePrices(compiled.program);
    const source = await openSource(options.from, options.delimiter);
    const survey = await surveySource(source, options.limit ?? Infinity);
    const plan = planColumns(compiled.program, survey.columns, options.columns);
    const files = filesOf(compiled.program, options, opened.root);
    const release = lockOutput(files.toPath);
    try {
      tellPlan(setting, { source, survey, plan });
      return await perform(setting, { compiled, source, plan, files, total: survey.count });
    } finally {
      release();
    }
  } finally {
    await compiled.close();
  }
}

/** The files of a batch. */
function filesOf(program: Program, options: BatchOptions, root: string): BatchFiles {
  const toPath = resolve(options.to);
  if (toPath === resolve(options.from))
    throw new CommandError(`--to ${options.to} is the file that the rows come from; name another`);
  const deadLetters =
    options.deadLetters ??
    program.output?.deadLetter ??
    `${options.to.replace(/\.jsonl$/u, "")}.dead.jsonl`;
  if (toPath === resolve(deadLetters))
    throw new CommandError(`the dead letters can't go to ${options.to}, where the values go`);
  return { to: nameIn(root, toPath), toPath, deadLetters: resolve(deadLetters) };
}

/** A path as letters keep it: relative to the project where it lies inside, else absolute. */
function nameIn(root: string, path: string): string {
  const inside = relative(root, path);
  return inside.startsWith("..") || isAbsolute(inside) ? path : inside.split(sep).join("/");
}

/** The path that a letter names. */
export function pathIn(root: string, name: string): string {
  return isAbsolute(name) ? name : join(root, name);
}

/** A limit on money that can't be kept is refused. */
function requirePrices(program: Program): void {
  const names = unpricedModels(program);
  if (names.length === 0) return;
  throw new CommandError(
    `--usd can't be kept: ${names.join(", ")} has no price; write \`price: { input: …, output: … }\` in dollars per million tokens`,
  );
}

interface ReadPlan {
  readonly source: RowSource;
  readonly survey: Awaited<ReturnType<typeof surveySource>>;
  readonly plan: ColumnPlan;
}

function tellPlan({ options, progress }: BatchSetting, { source, survey, plan }: ReadPlan): void {
  if (options.isQuiet) return;
  const { count, badCount } = survey;
  const bad = badCount === 0 ? "" : `, ${badCount} of them can't be read`;
  const text = `${options.from}: ${source.form}, ${count} rows${bad}\n${planText(plan)}`;
  progress.tell(text.trimEnd());
}

interface ReadyBatch {
  readonly compiled: CompiledProgram;
  readonly source: RowSource;
  readonly plan: ColumnPlan;
  readonly files: BatchFiles;
  readonly total: number;
}

async function perform(
  setting: BatchSetting,
  ready: ReadyBatch,
): Promise<Omit<BatchEnd, "compiling">> {
  const { opened, options, progress } = setting;
  const { compiled, files, total } = ready;
  const from = nameIn(opened.root, resolve(options.from));
  await pin(setting, ready, from);
  const resumed = await resumeBatch(files, options.isRetried);
  for (const note of resumed.notes) progress.tell(note);
  const output = new OutputFile(files.toPath, resumed.found);
  try {
    const origin = { from, to: files.to };
    const runner = new BatchRunner(jobOf(setting, ready, { resumed, output, origin }));
    if (runner.openCount < total && !options.isQuiet)
      progress.tell(`goes on: ${total - runner.openCount} of ${total} rows are settled`);
    setting.onBegin((reason) => runner.abort(reason));
    progress.show(() => runner.progress(), Date.now());
    await runner.run();
    const { tally, openCount, stopped } = runner;
    return {
      spec: options.spec,
      to: options.to,
      deadLetters: relative(process.cwd(), files.deadLetters),
      total,
      openCount,
      tally,
      isPriced: unpricedModels(compiled.program).length === 0,
      ...(stopped === undefined || openCount === 0 ? {} : { stopped }),
    };
  } finally {
    progress.clear();
    output.close();
  }
}

function jobOf(
  setting: BatchSetting,
  { compiled, source, plan, files, total }: ReadyBatch,
  begun: Pick<BatchJob, "resumed" | "output" | "origin">,
): BatchJob {
  const { opened, options, progress } = setting;
  const { parallel, maxUsd, maxModelCalls, dryRun } = options;
  return {
    setting: { app: opened.app, compiled, deadLetters: files.deadLetters, dryRun },
    source,
    plan,
    total,
    parallel,
    ...(maxUsd === undefined ? {} : { maxUsd }),
    ...(maxModelCalls === undefined ? {} : { maxModelCalls }),
    ...begun,
    onRun: watcher(setting, compiled.program),
    onProgress: (read) => progress.show(read, Date.now()),
    now: () => Date.now(),
  };
}

async function pin(
  { opened, options }: BatchSetting,
  { compiled, files }: ReadyBatch,
  from: string,
): Promise<void> {
  const { program } = compiled;
  const print = await fingerprint(resolve(options.from));
  const isDefault = options.deadLetters === undefined && program.output?.deadLetter === undefined;
  if (options.resumption === "restart") {
    if (isDefault) rmSync(files.deadLetters, { force: true });
    else await dropLetters(files);
  }
  pinBatch(
    files.toPath,
    {
      v: 1,
      kind: "batch",
      spec: nameIn(opened.root, program.file),
      programHash: program.hash,
      from: { path: from, ...print },
      deadLetters: nameIn(opened.root, files.deadLetters),
      ...(options.columns.task === undefined ? {} : { task: options.columns.task }),
      ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    },
    options.resumption,
  );
}

/** What is done with every run: it may ask, and its sinks may fail. Each message is told once. */
function watcher({ options, progress }: BatchSetting, program: Program): (run: Run) => void {
  const told = new Set<string>();
  const tell = (text: string): void => {
    if (told.has(text)) return;
    told.add(text);
    progress.tell(text);
  };
  return (run) => {
    // The console prints nothing in a batch, so that it tells no failures either.
    const sinks = program.sinks.filter(({ definition }) => definition.id !== "console");
    tellIncidents(run, { sinks }, tell);
    if (options.approveAll) answerRequests(run, { approveAll: true, tell: () => undefined });
  };
}
