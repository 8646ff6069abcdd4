import { rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { CompiledProgram, CompileOptions, Program, Run } from "@loopwright/core";
import { answerRequests } from "../answer-requests.ts";
import { CommandError } from "../command-error.ts";
import { compileProgram } from "../compile-program.ts";
import { counted } from "../diagnostic-text.ts";
import type { OpenedApp } from "../open-app.ts";
import { tellIncidents } from "../tell-incidents.ts";
import { lockOutput } from "./batch-lock.ts";
import type { BatchOptions } from "./batch-options.ts";
import { type BatchPin, comparePin, fingerprint, refusal, writePin } from "./batch-pin.ts";
import { nameIn, placeBatch } from "./batch-places.ts";
import { type BatchSetup, BatchRunner } from "./batch-runner.ts";
import type { BatchEnd } from "./batch-summary.ts";
import { type ColumnPlan, planColumns, planText } from "./column-plan.ts";
import { openSource } from "./open-source.ts";
import { OutputFile } from "./output-file.ts";
import type { ProgressLine } from "./progress-line.ts";
import { type BatchFiles, dropLetters, resumeBatch } from "./resume-batch.ts";
import { type RowSource, surveySource } from "./row-source.ts";
import { dropSpent } from "./spent-file.ts";
import { requireSameRows } from "./unchanged-rows.ts";
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
    const planOf = (columns: readonly string[]): ColumnPlan =>
      planColumns(compiled.program, columns, options.columns);
    const known = source.columns === undefined ? undefined : planOf(source.columns);
    const survey = await surveySource(source, options.limit ?? Infinity, known?.read);
    const plan = known ?? planOf(survey.columns);
    const files = await placeBatch(compiled.program, options, opened.root);
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
  const text = `${options.from}: ${source.form}, ${counted(count, "row")}${bad}\n${planText(plan)}`;
  progress.tell(text.trimEnd());
  if (count === 0) progress.tell(`${options.from} holds no rows, so that nothing is to be run`);
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
  const resumed = await resumeBatch(files, { isRetried: options.isRetried, total });
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
      from: options.from,
      to: options.to,
      deadLetters: relative(process.cwd(), files.deadLetters),
      total,
      openCount,
      beyondCount: resumed.beyondCount,
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
  begun: Pick<BatchSetup, "resumed" | "output" | "origin">,
): BatchSetup {
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

/** Pins the output to what it is begun with; refuses to go on with something else. */
async function pin(setting: BatchSetting, ready: ReadyBatch, from: string): Promise<void> {
  const { options } = setting;
  const { compiled, files } = ready;
  const begun = await pinOf(setting, ready, from);
  const changes = comparePin(files.toPath, begun, options.resumption);
  if (options.resumption === "strict" && changes.said.length > 0) {
    if (!options.isRetried || !changes.isSourceAlone) throw refusal(options.to, changes);
    const { source, plan } = ready;
    const { program } = compiled;
    const items = { program, plan, isText: source.isText, origin: {} };
    const { from: given, to } = options;
    await requireSameRows({ to, toPath: files.toPath, from: given, source, compiled, items });
  }
  if (changes.isFirst || options.resumption === "restart") dropSpent(files.toPath);
  if (options.resumption === "restart") {
    const isOwn =
      options.deadLetters === undefined && compiled.program.output?.deadLetter === undefined;
    if (isOwn) rmSync(files.deadLetters, { force: true });
    else await dropLetters(files);
    rmSync(files.toPath, { force: true });
  }
  writePin(files.toPath, begun);
}

async function pinOf(
  { opened, options }: BatchSetting,
  { compiled, files }: ReadyBatch,
  from: string,
): Promise<BatchPin> {
  const { program } = compiled;
  return {
    v: 1,
    kind: "batch",
    spec: nameIn(opened.root, program.file),
    programHash: program.hash,
    from: { path: from, ...(await fingerprint(resolve(options.from))) },
    deadLetters: nameIn(opened.root, files.deadLetters),
    ...(options.columns.task === undefined ? {} : { task: options.columns.task }),
    ...(options.delimiter === undefined ? {} : { delimiter: options.delimiter }),
    ...(options.dryRun ? { dryRun: true } : {}),
  };
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
