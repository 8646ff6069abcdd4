/** A call that was made, and what it came to. */
export interface LoggedCall {
  readonly tool: string;
  /** Tool and arguments. */
  readonly call: string;
  readonly result: string;
  /** How often the same may be had before it is a loop. */
  readonly max: number;
}

/** How often something was had without anything new. */
export interface Rounds {
  readonly times: number;
  readonly max: number;
  /** The tools of a cycle, where it is one. */
  readonly cycle?: readonly string[];
}

/** The longest cycle that is looked for. */
const longestCycle = 3;
/** So many calls are remembered in their order. */
const maxRemembered = 200;

/** The calls of one branch of a run, in their order. */
export class CallLog {
  readonly #counts = new Map<string, { readonly result: string; readonly count: number }>();
  readonly #recent: LoggedCall[] = [];
  /** How many calls of each tool were made, and of all. */
  readonly #made = new Map<string, number>();
  #madeCount = 0;
  readonly #last = new Map<string, { readonly all: number; readonly own: number }>();

  /** Adds a call; tells how often it, or the cycle that it ends, has brought the same. */
  add(logged: LoggedCall): Rounds {
    const { call, result, max } = logged;
    const before = this.#counts.get(call);
    const count = before?.result === result ? before.count + 1 : 1;
    this.#counts.set(call, { result, count });
    this.#recent.push(logged);
    if (this.#recent.length > 2 * maxRemembered) this.#recent.splice(0, maxRemembered);
    const single: Rounds = { times: count, max };
    const cycle = this.#cycle();
    return cycle !== undefined && cycle.times - cycle.max > count - max ? cycle : single;
  }

  /** How many calls of other tools must still lie between, before the same call may be made again; 0 where it may. */
  missing(tool: string, call: string, coolDown: number): number {
    const last = this.#last.get(call);
    if (last === undefined) return 0;
    const since = this.#madeCount - last.all - ((this.#made.get(tool) ?? 0) - last.own);
    return Math.max(0, coolDown - since);
  }

  /** Notes that a call is made; `call` where the tool must cool down before the same one. */
  made(tool: string, call?: string): void {
    this.#madeCount += 1;
    const own = (this.#made.get(tool) ?? 0) + 1;
    this.#made.set(tool, own);
    if (call !== undefined) this.#last.set(call, { all: this.#madeCount, own });
  }

  /** The cycle of different calls, each with the same result as before, that the log ends with. */
  #cycle(): Rounds | undefined {
    const calls = this.#recent;
    for (let length = 2; length <= longestCycle; length += 1) {
      let same = 0;
      while (isSame(calls.at(-1 - same), calls.at(-1 - same - length))) same += 1;
      if (same === 0) continue;
      const round = calls.slice(-length);
      if (new Set(round.map(keyOf)).size < length) continue;
      const times = Math.ceil((same + length) / length);
      const max = Math.max(...round.map((one) => one.max));
      return { times, max, cycle: round.map(({ tool }) => tool) };
    }
    return undefined;
  }
}

function isSame(one: LoggedCall | undefined, other: LoggedCall | undefined): boolean {
  return one?.call === other?.call && one?.result === other?.result && one !== undefined;
}

function keyOf({ call, result }: LoggedCall): string {
  return `${call}\n${result}`;
}
