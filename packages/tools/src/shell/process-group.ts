import { atHostExit } from "../shared/at-host-exit.ts";

/** How long a group has between SIGTERM and SIGKILL. */
const graceMs = 1_500;

/** The processes of one program: itself and all it starts, as long as they stay in its group. */
export class ProcessGroup {
  readonly #id: number;
  readonly #letGo: () => void;
  #killing: NodeJS.Timeout | undefined;

  /** Takes charge of the group that a detached process leads; what is left of it dies with the host. */
  constructor(id: number) {
    this.#id = id;
    this.#letGo = atHostExit(() => this.#signal("SIGKILL"));
  }

  /** Asks all to end, and kills what is still there after a while; called again, looks whether anybody is. */
  end(): void {
    if (!this.#signal(this.#killing === undefined ? "SIGTERM" : 0)) {
      clearTimeout(this.#killing);
      this.#letGo();
      return;
    }
    this.#killing ??= setTimeout(() => {
      this.#signal("SIGKILL");
      this.#letGo();
    }, graceMs).unref();
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
