import type { Clock, Terminal } from "@loopwright/core/plugin";
import { columnsFor, type Setting } from "./layout.ts";
import type { Level } from "./note.ts";
import { createPaint, type Paint } from "./paint.ts";

/** Milliseconds between two drawings of the status line. */
const TICK = 1000;
const ERASE_LINE = "\r\u001B[2K";

/** What is printed, with one status line below it on a terminal: rewritten in place, gone when nothing runs. */
export class Page {
  readonly #terminal: Terminal;
  readonly #clock: Clock;
  readonly #level: Level;
  readonly #paint: Paint;
  #status: ((columns: number) => string) | undefined;
  #drawn = "";
  #cancelTick: (() => void) | undefined;

  constructor(terminal: Terminal, clock: Clock, level: Level) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#level = level;
    this.#paint = createPaint(terminal.hasColors);
  }

  /** How text is set now; a terminal may change its width at any time. */
  get setting(): Setting {
    const columns = columnsFor(this.#terminal.columns());
    return { columns, paint: this.#paint, level: this.#level };
  }

  /** True where a status line is shown. */
  get hasStatus(): boolean {
    return this.#terminal.isInteractive;
  }

  /** Prints lines above the status line, which stays away until it is drawn again. */
  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const erase = this.#drawn === "" ? "" : ERASE_LINE;
    this.#drawn = "";
    this.#terminal.write(`${erase}${lines.join("\n")}\n`);
  }

  /** Shows a status line, redrawn every second, until another is set; without one the line is gone. */
  showStatus(status: ((columns: number) => string) | undefined): void {
    if (!this.#terminal.isInteractive) return;
    this.#status = status;
    this.#draw();
    if (status === undefined) this.#stopTicking();
    else if (this.#cancelTick === undefined) this.#tick();
  }

  #draw(): void {
    const columns = this.#terminal.columns() ?? 80;
    // The last column stays free: some terminals wrap when it is filled.
    const text = this.#status === undefined ? "" : this.#status(Math.max(8, columns - 1));
    if (text === this.#drawn) return;
    const erase = this.#drawn === "" ? "" : ERASE_LINE;
    this.#drawn = text;
    this.#terminal.write(erase + this.#paint("quiet", text));
  }

  #tick(): void {
    this.#cancelTick = this.#clock.after(TICK, () => {
      this.#draw();
      this.#tick();
    });
  }

  #stopTicking(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }
}
