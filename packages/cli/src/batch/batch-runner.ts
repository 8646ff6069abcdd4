import { appendDeadLetter, type JsonObject, type Run } from "@loopwright/core";
import type { BatchRecord } from "./batch-record.ts";
import { type BatchTally, withCost, withLetter, withRecord } from "./batch-tally.ts";
import { buriedRow } from "./buried-row.ts";
import type { ColumnPlan } from "./column-plan.ts";
import { EndpointRest } from "./endpoint-rest.ts";
import { OutageWatch } from "./outage-watch.ts";
import { type OutputFile, unwritable } from "./output-file.ts";
import type { BatchProgress } from "./progress-text.ts";
import { runRested } from "./rested-row.ts";
import type { ResumedBatch } from "./resume-batch.ts";
import { type ItemSetting, rowItem } from "./row-item.ts";
import type { RowSource, SourceRow } from "./row-source.ts";
import type { RowInput, RowSetting, RunEnd } from "./run-row.ts";
import { noteSpent, settleLetter } from "./spent-file.ts";

/** Why no further row is begun. */
export interface BatchStop {
  readonly why: "interrupt" | "usd" | "model-calls" | "endpoint";
  readonly message: string;
}

/** A batch, ready to run. */
export interface BatchSetup {
  readonly setting: Omit<RowSetting, "onRun">;
  readonly source: RowSource;
  readonly plan: ColumnPlan;
  /** The rows that there are, or that are wanted. */
  readonly total: number;
  readonly parallel: number;
  /** Over the whole batch, earlier calls included. */
  readonly maxUsd?: number;
  readonly maxModelCalls?: number;
  readonly output: OutputFile;
  readonly resumed: ResumedBatch;
  /** How letters name the files: `{ from, to }`. */
  readonly origin: JsonObject;
  readonly onRun: (run: Run) => void;
  readonly onProgress: (progress: () => BatchProgress) => void;
  readonly now: () => number;
}

/** Runs the rows of a batch, several at a time. */
export class BatchRunner {
  readonly #setup: BatchSetup;
  readonly #runs = new Set<Run>();
  readonly #startedAt: number;
  readonly #items: ItemSetting;
  readonly #outage = new OutageWatch();
  readonly #rest: EndpointRest;
  #tally: BatchTally;
  #doneBefore = 0;
  #doneNow = 0;
  #usdNow = 0;
  #stop: BatchStop | undefined;

  constructor(setup: BatchSetup) {
    this.#setup = setup;
    this.#tally = setup.resumed.tally;
    for (const row of setup.resumed.settled) if (row <= setup.total) this.#doneBefore += 1;
    this.#startedAt = setup.now();
    const { plan, origin, source, setting } = setup;
    const { program } = setting.compiled;
    this.#items = { program, plan, isText: source.isText, origin };
    this.#rest = new EndpointRest({
      now: setup.now,
      mayGoOn: () => this.#mayBegin(),
      onWait: () => setup.onProgress(() => this.progress()),
    });
  }

  get tally(): BatchTally {
    return this.#tally;
  }

  /** Why it ended before the last row; undefined where it did not. */
  get stopped(): BatchStop | undefined {
    return this.#stop;
  }

  /** Rows that have neither a value nor a letter. */
  get openCount(): number {
    return this.#setup.total - this.#doneBefore - this.#doneNow;
  }

  /** Begins no further row, and aborts those under way; their rows stay open. */
  abort(reason: string): void {
    this.#stop ??= { why: "interrupt", message: reason };
    this.#rest.end();
    for (const run of this.#runs) run.abort(reason);
  }

  /** Runs every row that is not settled; rejects where a file can't be written, after what is under way has been aborted. */
  async run(): Promise<void> {
    const rows = this.#openRows();
    const workers = Array.from({ length: this.#setup.parallel }, () => this.#work(rows));
    const ends = await Promise.allSettled(workers);
    await rows.return(undefined);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  progress(): BatchProgress {
    const { total, now } = this.#setup;
    const { waiting } = this.#rest;
    return {
      ...(waiting === undefined ? {} : { waiting }),
      total,
      done: this.#doneBefore + this.#doneNow,
      doneNow: this.#doneNow,
      elapsedMs: now() - this.#startedAt,
      tally: this.#tally,
      usdNow: this.#usdNow,
    };
  }

  async *#openRows(): AsyncGenerator<SourceRow> {
    const { source, plan, total, resumed } = this.#setup;
    for await (const row of source.rows(plan.read)) {
      if (row.row > total) return;
      if (!resumed.settled.has(row.row)) yield row;
    }
  }

  async #work(rows: AsyncGenerator<SourceRow>): Promise<void> {
    try {
      while (this.#mayBegin()) {
        const next = await rows.next();
        if (next.done === true || !this.#mayBegin()) return;
        await this.#settle(next.value);
      }
    } catch (fault) {
      this.abort("the batch can't go on");
      throw fault;
    }
  }

  #mayBegin(): boolean {
    const { maxUsd, maxModelCalls } = this.#setup;
    const { usd, modelCalls } = this.#tally;
    if (maxUsd !== undefined && usd >= maxUsd)
      this.#stop ??= { why: "usd", message: `--usd ${maxUsd} is spent` };
    if (maxModelCalls !== undefined && modelCalls >= maxModelCalls)
      this.#stop ??= { why: "model-calls", message: `--model-calls ${maxModelCalls} are made` };
    return this.#stop === undefined;
  }

  /** Runs a row; one that may not begin stays open. */
  async #settle(row: SourceRow): Promise<void> {
    const { item, ...read } = rowItem(row, this.#items);
    if (!read.ok) return this.#finish(row.row, item, { kind: "refused", message: read.message });
    const { setting, output } = this.#setup;
    await runRested(
      {
        rest: this.#rest,
        setting: { ...setting, onRun: (run) => this.#watch(run) },
        mayBegin: () => this.#mayBegin(),
        onHeldOff: async ({ runId, outcome, isLettered }) => {
          this.#tally = withCost(this.#tally, outcome.spending);
          const spent = { id: runId, ...outcome.spending };
          if (isLettered) await settleLetter(output.path, setting.deadLetters, spent, "runs-again");
          else noteSpent(output.path, spent);
        },
        onEnd: (end) => this.#finish(row.row, item, end),
      },
      item as RowInput,
    );
  }

  async #finish(row: number, item: Pick<RowInput, "input" | "origin">, end: RunEnd): Promise<void> {
    const { setting, resumed, output, onProgress } = this.#setup;
    if (end.kind === "failed" && end.outcome.outcome === "aborted" && this.#stop !== undefined) {
      this.#tally = withCost(this.#tally, end.outcome.spending);
      noteSpent(output.path, { id: end.runId, ...end.outcome.spending });
      return;
    }
    const newId = end.kind === "value" ? this.#keep(end.record) : await this.#bury(item, end);
    const replaced = resumed.retried.get(row);
    if (replaced !== undefined)
      await settleLetter(output.path, setting.deadLetters, replaced, newId);
    this.#doneNow += 1;
    onProgress(() => this.progress());
  }

  #watch(run: Run): void {
    this.#runs.add(run);
    void run.outcome.then(() => this.#runs.delete(run));
    this.#setup.onRun(run);
    if (this.#stop?.why === "interrupt") run.abort(this.#stop.message);
  }

  #keep(record: BatchRecord): string {
    this.#setup.output.append(record, this.#setup.now());
    this.#tally = withRecord(this.#tally, record);
    this.#usdNow += record.spending.usd;
    this.#outage.take(undefined);
    return record.runId;
  }

  /** Sees to it that a letter stands for the row; returns its id. */
  async #bury(
    item: Pick<RowInput, "input" | "origin">,
    end: Exclude<RunEnd, { readonly kind: "value" }>,
  ): Promise<string> {
    const { compiled, deadLetters } = this.#setup.setting;
    const { letter, isLettered, ...counts } = buriedRow(compiled, item, end);
    if (!isLettered)
      await appendDeadLetter(deadLetters, letter).catch((fault: unknown) => {
        throw unwritable(deadLetters, fault);
      });
    this.#tally = withLetter(this.#tally, letter, counts);
    this.#usdNow += letter.usd;
    if (this.#outage.take(letter.code)) {
      this.#stop ??= { why: "endpoint", message: letter.message };
      this.#rest.end();
    }
    return letter.id;
  }
}
