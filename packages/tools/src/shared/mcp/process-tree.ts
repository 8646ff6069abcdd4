import { setTimeout as sleep } from "node:timers/promises";
import { atHostExit } from "../at-host-exit.ts";

const pollMs = 20;

/** A program and all it starts, as long as they stay in its process group; what is left of them dies with the host. */
export class ProcessTree {
  readonly #id: number;
  readonly #letGo: () => void;
  #ending: Promise<void> | undefined;

  /** Takes charge of the group that a detached process leads. */
  constructor(id: number) {
    this.#id = id;
    this.#letGo = atHostExit(() => this.#signal("SIGKILL"));
  }

  /** Waits until all have ended by themselves, then asks them to, then kills them; resolves when none is left. */
  end(waitMs: number, graceMs: number): Promise<void> {
    this.#ending ??= this.#end(waitMs, graceMs);
    return this.#ending;
  }

  async #end(waitMs: number, graceMs: number): Promise<void> {
    if (!(await this.#isGoneWithin(waitMs))) {
      this.#signal("SIGTERM");
      if (!(await this.#isGoneWithin(graceMs))) {
        this.#signal("SIGKILL");
        await this.#isGoneWithin(graceMs);
      }
    }
    this.#letGo();
  }

  async #isGoneWithin(ms: number): Promise<boolean> {
    for (let waited = 0; this.#signal(0); waited += pollMs) {
      if (waited >= ms) return false;
      await sleep(pollMs);
    }
    return true;
  }

  /** Returns whether anybody was there to hear it. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.#id, signal);
    } catch {
      return false;
    }
  }
}
