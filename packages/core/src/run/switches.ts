import type { Limits, SwitchEntry } from "../program/program.ts";

/** What is switched off on a live run. */
export interface Switches {
  /** True where the stage is skipped from its next start on. */
  isStageOff(id: string): boolean;
  /** True where the tool is not called: its fallback stands in, or the model is told. */
  isToolOff(name: string): boolean;
}

/** Nothing is off. */
export const NO_SWITCHES: Switches = { isStageOff: () => false, isToolOff: () => false };

/** The switches of a spec on a live run: which are on, and what follows from it. */
export class LiveSwitches implements Switches {
  readonly #entries: ReadonlyMap<string, SwitchEntry>;
  readonly #limits: Limits;
  readonly #on = new Set<string>();
  readonly #setLimits: (limits: Limits) => void;

  /** `limits` are those of the spec; `setLimits` is called when others hold. */
  constructor(
    entries: ReadonlyMap<string, SwitchEntry>,
    limits: Limits,
    setLimits: (limits: Limits) => void,
  ) {
    this.#entries = entries;
    this.#limits = limits;
    this.#setLimits = setLimits;
  }

  /** True for a switch of the spec. */
  has(name: string): boolean {
    return this.#entries.has(name);
  }

  isStageOff(id: string): boolean {
    return this.#thrown().some(({ stages }) => stages.includes(id));
  }

  isToolOff(name: string): boolean {
    return this.#thrown().some(({ tools }) => tools.includes(name));
  }

  /** Turns a switch on or off; gives what it names, or undefined where it is so already. */
  turn(name: string, isOn: boolean): SwitchEntry | undefined {
    const entry = this.#entries.get(name);
    if (entry === undefined || this.#on.has(name) === isOn) return undefined;
    if (isOn) this.#on.add(name);
    else this.#on.delete(name);
    this.#setLimits(tightest([this.#limits, ...this.#thrown().map(({ limits }) => limits)]));
    return entry;
  }

  #thrown(): readonly SwitchEntry[] {
    return [...this.#on].flatMap((name) => this.#entries.get(name) ?? []);
  }
}

/** Of every limit the lowest; a limit that none names does not bound. */
function tightest(all: readonly Limits[]): Limits {
  const lowest: Record<string, number> = {};
  for (const limits of all)
    for (const [key, max] of Object.entries(limits) as [string, number][])
      lowest[key] = Math.min(lowest[key] ?? Number.POSITIVE_INFINITY, max);
  return lowest;
}
