import type { Limits } from "../program/program.ts";
import type { Clock } from "../contracts/service.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import { Deadline } from "./deadline.ts";

/** Told when a limit of time is near or reached. */
export type OnTimeLimit = (
  limit: "time" | "workTime",
  soft: boolean,
  usedMs: number,
  maxMs: number,
) => void;

/** The share of a time limit that work may use; the rest is held back for stages marked `always` and the conclusion. */
const workShare = 0.85;
const maxHeldBackMs = 20_000;
const softShare = 0.8;

interface Watch {
  readonly limit: "time" | "workTime";
  maxMs: number;
  /** Ends the work. */
  readonly work: Deadline;
  /** Ends everything, the conclusion too; missing for a stage, which holds nothing back. */
  readonly end?: Deadline;
}

/** Watches the limits of time of a run or of one stage; waiting for a person does not count as working time. */
export class RunClock {
  readonly #work = new AbortController();
  readonly #end = new AbortController();
  readonly #watches: readonly Watch[];
  readonly #onLimit: OnTimeLimit;
  readonly #stage: string | undefined;
  readonly #toldSoft = new Set<string>();
  #isStopped = false;

  constructor(options: {
    readonly clock: Clock;
    /** An infinite one is watched, so that `setLimits` can lower it. */
    readonly limits: Limits;
    readonly onLimit: OnTimeLimit;
    /** The stage whose limits these are; missing for the run's. */
    readonly stage?: string;
  }) {
    const { stage, clock } = options;
    this.#onLimit = options.onLimit;
    this.#stage = stage;
    const { timeMs, workTimeMs } = options.limits;
    const watch = (limit: Watch["limit"], maxMs: number | undefined): readonly Watch[] => {
      if (maxMs === undefined) return [];
      const work = new Deadline(clock, this.#workMs(maxMs), () => this.#reached(made));
      const end = new Deadline(clock, maxMs, () => this.#end.abort(timeUp(limit, made.maxMs)));
      const made: Watch = { limit, maxMs, work, ...(stage === undefined ? { end } : {}) };
      return [made];
    };
    this.#watches = [...watch("time", timeMs), ...watch("workTime", workTimeMs)];
  }

  /** False where no time is limited: then no signal of the clock ever aborts. */
  get hasLimits(): boolean {
    return this.#watches.length > 0;
  }

  /** Aborts when the time for work is used up. */
  get workSignal(): AbortSignal {
    return this.#work.signal;
  }

  /** Aborts when all of a run's time is used up, what was held back too. */
  get endSignal(): AbortSignal {
    return this.#end.signal;
  }

  start(): void {
    for (const deadline of this.#deadlines()) deadline.start();
  }

  stop(): void {
    this.#isStopped = true;
    for (const deadline of this.#deadlines()) deadline.pause();
  }

  /** Pauses working time while the run waits for a person. */
  waiting(isWaiting: boolean): void {
    if (this.#isStopped) return;
    for (const deadline of this.#deadlines("workTime")) {
      if (isWaiting) deadline.pause();
      else deadline.start();
    }
  }

  /** Sets other limits where there are some already; the time that has passed counts. */
  setLimits({ timeMs, workTimeMs }: Limits): void {
    for (const watch of this.#watches) {
      const maxMs = (watch.limit === "time" ? timeMs : workTimeMs) ?? Number.POSITIVE_INFINITY;
      if (watch.maxMs === maxMs) continue;
      watch.maxMs = maxMs;
      watch.work.setMs(this.#workMs(maxMs));
      watch.end?.setMs(maxMs);
    }
  }

  /** True when four fifths of the time for work are used up. */
  isNear(): boolean {
    let isNear = false;
    for (const { limit, maxMs, work } of this.#watches) {
      const usedMs = work.usedMs();
      if (usedMs < this.#workMs(maxMs) * softShare) continue;
      isNear = true;
      if (this.#toldSoft.has(limit)) continue;
      this.#toldSoft.add(limit);
      this.#onLimit(limit, true, Math.round(usedMs), maxMs);
    }
    return isNear;
  }

  /** What work may use of a limit. */
  #workMs(maxMs: number): number {
    const isWhole = this.#stage !== undefined;
    return isWhole ? maxMs : Math.max(maxMs * workShare, maxMs - maxHeldBackMs);
  }

  #reached({ limit, maxMs }: Watch): void {
    this.#onLimit(limit, false, Math.round(this.#workMs(maxMs)), maxMs);
    this.#work.abort(timeUp(limit, maxMs, this.#stage));
  }

  #deadlines(limit?: "time" | "workTime"): readonly Deadline[] {
    return this.#watches
      .filter((watch) => limit === undefined || watch.limit === limit)
      .flatMap(({ work, end }) => (end === undefined ? [work] : [work, end]));
  }
}

function timeUp(limit: string, maxMs: number, stage?: string): LimitError {
  const message =
    stage === undefined
      ? `limits.${limit} is reached (${maxMs} ms, the last part kept for a conclusion): raise it, or let the stages do less`
      : `stage \`${stage}\` used up its ${maxMs} ms; raise limits.${limit} of the stage`;
  const of = stage === undefined ? "run" : "stage";
  return new LimitError("limit-time", message, { details: { limit, maxMs, of } });
}
