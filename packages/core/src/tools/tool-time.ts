import type { Clock } from "../contracts/service.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import type { Limits } from "../program/program.ts";
import { Deadline } from "../run/deadline.ts";
import type { OnLimit } from "../run/limit-teller.ts";
import { durationText } from "../spec/text/duration-text.ts";

interface Watch {
  readonly limit: "time" | "workTime";
  readonly deadline: Deadline;
}

/** The time that the calls of one tool take in a run: it passes while at least one of them is under way. */
export class ToolTime {
  readonly #watches: readonly Watch[];
  readonly #up = new AbortController();
  #underWay = 0;
  #isWaiting = false;

  constructor(
    tool: string,
    { timeMs, workTimeMs }: Limits,
    { clock, onLimit }: { readonly clock: Clock; readonly onLimit: OnLimit },
  ) {
    const watch = (limit: Watch["limit"], maxMs: number | undefined): readonly Watch[] => {
      if (maxMs === undefined) return [];
      const onReached = (): void => {
        onLimit(limit, false, maxMs, maxMs);
        this.#up.abort(timeUp(tool, limit, maxMs));
      };
      return [{ limit, deadline: new Deadline(clock, maxMs, onReached) }];
    };
    this.#watches = [...watch("time", timeMs), ...watch("workTime", workTimeMs)];
  }

  /** Aborts when the time is used up. */
  get signal(): AbortSignal {
    return this.#up.signal;
  }

  /** Tells that a call begins; returns the way to tell its end. */
  enter(): () => void {
    this.#underWay += 1;
    this.#move();
    return () => {
      this.#underWay -= 1;
      this.#move();
    };
  }

  /** Working time stands still while a person is waited for. */
  waiting(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    this.#move();
  }

  #move(): void {
    for (const { limit, deadline } of this.#watches) {
      const isRunning = this.#underWay > 0 && !(limit === "workTime" && this.#isWaiting);
      if (isRunning && !this.signal.aborted) deadline.start();
      else deadline.pause();
    }
  }
}

function timeUp(tool: string, limit: string, maxMs: number): LimitError {
  return new LimitError(
    "limit-time",
    `tools.${tool}.limits.${limit} is reached: its calls in this run have taken ${durationText(maxMs)}; raise it, or let fewer calls be made`,
    { details: { tool, limit, maxMs } },
  );
}
