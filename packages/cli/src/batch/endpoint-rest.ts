import { setTimeout as sleep } from "node:timers/promises";
import type { Fault, Run } from "@loopwright/core";
import type { RunEnd } from "./run-row.ts";

/** What an endpoint's rest is waited for with. */
export interface RestSetting {
  readonly now: () => number;
  /** False once no row may begin any more. */
  readonly mayGoOn: () => boolean;
  /** Called while it waits. */
  readonly onWait: () => void;
}

/** What a run told of its calls. */
export interface CallSigns {
  /** True where an endpoint failed once too often. */
  hasOpened: boolean;
}

/** What a row is begun with. */
export interface RowPass {
  /** Of the one row that tries whether the endpoint answers: ends with it. */
  readonly trial?: Promise<void>;
  readonly leave: () => void;
}

const FREE: RowPass = { leave: () => undefined };
const TICK_MS = 1000;
/** Where another call tries the endpoint at this moment. */
const MIN_MS = 50;
/** An endpoint may ask to wait until tomorrow. */
const MAX_WAIT_MS = 600_000;

/** Holds rows back while an endpoint rests; then one row tries whether it answers, and the others wait for that one. */
export class EndpointRest {
  readonly #setting: RestSetting;
  readonly #ended = new AbortController();
  /** When an endpoint is tried again, by its model. */
  readonly #opened = new Map<string, number>();
  #until: number | undefined;
  #pause: Promise<void> | undefined;
  #trial: Promise<void> | undefined;

  constructor(setting: RestSetting) {
    this.#setting = setting;
  }

  /** For how long rows are held back, and for which models; undefined where they are not. */
  get waiting(): { readonly models: string; readonly leftMs: number } | undefined {
    if (this.#until === undefined || this.#ended.signal.aborted) return undefined;
    const leftMs = Math.max(0, this.#until - this.#setting.now());
    return { models: [...this.#opened.keys()].join(", "), leftMs };
  }

  /** Ends every wait. */
  end(): void {
    this.#ended.abort();
  }

  /** Waits until a row may begin. */
  async enter(): Promise<RowPass> {
    const { now, mayGoOn, onWait } = this.#setting;
    for (;;) {
      if (this.#until === undefined || this.#ended.signal.aborted || !mayGoOn()) return FREE;
      const left = this.#until - now();
      if (this.#trial === undefined && left <= 0) return this.#beginTrial();
      onWait();
      await (left > 0 ? this.#rest(Math.min(left, TICK_MS)) : this.#trial);
    }
  }

  /** Watches a run that begins; the first reply to the one that tries the endpoint lets the others begin. */
  watch(run: Run, pass: RowPass): CallSigns {
    const signs: CallSigns = { hasOpened: false };
    run.on("model-call.end", ({ data: { model, outcome } }) => {
      const hasRested = this.#opened.size === 0 || this.#opened.has(model);
      if (outcome !== "done" || !hasRested || pass.trial === undefined) return;
      if (this.#trial !== pass.trial) return;
      this.#until = undefined;
      pass.leave();
    });
    run.on("breaker.opened", ({ data }) => {
      signs.hasOpened = true;
      this.#opened.set(data.model, this.#setting.now() + data.restMs);
    });
    return signs;
  }

  /** Takes how a run ended; true where it ended because a call was held back, and the wait is not too long. */
  take(end: RunEnd, signs: CallSigns | undefined, { trial }: RowPass): boolean {
    const fault = end.kind === "failed" ? end.outcome.fault : undefined;
    const heldMs = heldBackMs(fault);
    const hasOpened = signs?.hasOpened === true && fault?.code.startsWith("provider-") === true;
    if (heldMs !== undefined) this.#holdBack(this.#setting.now() + heldMs);
    else if (hasOpened) this.#holdBack(Math.max(...this.#opened.values()));
    else if (trial !== undefined && trial === this.#trial) this.#until = undefined;
    return heldMs !== undefined;
  }

  #holdBack(until: number): void {
    this.#until = Math.max(until, this.#setting.now() + MIN_MS);
  }

  #rest(ms: number): Promise<void> {
    this.#pause ??= sleep(ms, undefined, { signal: this.#ended.signal })
      .catch(() => undefined)
      .finally(() => {
        this.#pause = undefined;
      });
    return this.#pause;
  }

  #beginTrial(): RowPass {
    let end = FREE.leave;
    const trial = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#trial = trial;
    const leave = (): void => {
      if (this.#trial === trial) this.#trial = undefined;
      end();
    };
    return { trial, leave };
  }
}

/** How long a call is held back that was not sent; undefined for another fault, and for a wait that nobody sits out. */
function heldBackMs(fault: Fault | undefined): number | undefined {
  const { restMs, waitMs = 0 } = fault?.details ?? {};
  if (fault?.details === undefined) return undefined;
  if (restMs !== undefined) return restMs;
  return waitMs <= MAX_WAIT_MS ? waitMs : undefined;
}
