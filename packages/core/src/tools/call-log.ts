/** A call that was made, and what it came to. */
export interface LoggedCall {
  readonly tool: string;
  /** Tool and arguments. */
  readonly call: string;
  readonly result: string;
  /** How often the same may be had before it is a loop. */
  readonly max: number;
  /** False where it failed: what such a call brings is no news, and the same whatever its message says. */
  readonly ok?: boolean;
}

/** How often something was had without anything new. */
export interface Rounds {
  readonly times: number;
  readonly max: number;
  /** The tools of a cycle, where it is one. */
  readonly cycle?: readonly string[];
  /** What is to be done about it: a hint first, and more only after the model could read it. */
  readonly measure?: "hint" | "tools-off";
}

/** When a call was made: after how many calls of all tools, and of its own. */
interface MadeAt {
  readonly all: number;
  readonly own: number;
}

/** What a call brought last: how often since there was news, and how often since there was a call never made before. */
interface Count {
  readonly result: string;
  readonly sinceNews: number;
  /** The news that `sinceNews` is counted from. */
  readonly news: number;
  readonly sinceNewCall: number;
}

/** What every failed call has brought: its message may name another request or another time each time. */
const FAILED = "\u0000failed";

/** So much more often may a call bring the same where other calls, none of them made for the first time, bring news. */
const newsFactor = 3;
/** The longest cycle that is looked for. */
const longestCycle = 3;
/** So many calls are remembered in their order. */
const maxRemembered = 200;

/** The calls of one branch of a run, in their order. */
export class CallLog {
  readonly #counts = new Map<string, Count>();
  /** How often there was news. */
  #news = 0;
  /** What each call has ever brought. */
  readonly #seen = new Map<string, Set<string>>();
  readonly #recent: LoggedCall[] = [];
  /** In which batch the last hint about a call or a cycle was given. */
  readonly #hinted = new Map<string, number>();
  #batch = 0;
  /** How many calls of each tool were made, and of all. */
  readonly #made = new Map<string, number>();
  #madeCount = 0;
  readonly #last = new Map<string, MadeAt>();
  /** The calls on their way, each with when it was made before. */
  readonly #claimed = new Map<string, MadeAt | undefined>();

  /** Tells that the next calls were asked for at once: none of them knows what the others bring. */
  beginBatch(): void {
    this.#batch += 1;
  }

  /**
   * Adds a call; tells how often it, or the cycle that it ends, has brought the same.
   *
   * Who goes back to a page after each of its items gets on: what was never seen before begins every count anew.
   */
  add(made: LoggedCall): Rounds {
    const logged = made.ok === false ? { ...made, result: FAILED } : made;
    const { call, max } = logged;
    this.#takeNews(logged);
    const { sinceNews, sinceNewCall } = this.#count(logged);
    this.#recent.push(logged);
    if (this.#recent.length > 2 * maxRemembered) this.#recent.splice(0, maxRemembered);
    const isBarren = sinceNewCall > newsFactor * max;
    const times = isBarren ? sinceNewCall : sinceNews;
    const excess = isBarren ? sinceNewCall - newsFactor * max : sinceNews - max;
    const cycle = this.#cycle();
    if (cycle === undefined || cycle.times - cycle.max <= excess)
      return { times, max, ...this.#measure(excess, call) };
    const { round, ...rounds } = cycle;
    return { ...rounds, ...this.#measure(cycle.times - cycle.max, round) };
  }

  /** Begins the counts anew where a call has brought what it never brought before; a new call begins all of them. */
  #takeNews({ call, result, ok }: LoggedCall): void {
    const known = this.#seen.get(call);
    if (known?.has(result) === true) return;
    this.#seen.set(call, (known ?? new Set()).add(result));
    if (ok === false) return;
    if (known === undefined) this.#counts.clear();
    this.#news += 1;
  }

  #count({ call, result }: LoggedCall): Count {
    const before = this.#counts.get(call);
    const again = before?.result === result ? before : undefined;
    const news = this.#news;
    const count = {
      result,
      news,
      sinceNews: (again?.news === news ? again.sinceNews : 0) + 1,
      sinceNewCall: (again?.sinceNewCall ?? 0) + 1,
    };
    this.#counts.set(call, count);
    return count;
  }

  /** The next rung of the ladder; a batch climbs one at most, and a hint is given once in it. */
  #measure(excess: number, about: string): Pick<Rounds, "measure"> {
    if (excess < 0) return {};
    const hinted = this.#hinted.get(about);
    if (excess === 0) {
      this.#hinted.set(about, this.#batch);
      return { measure: "hint" };
    }
    if (hinted === undefined) this.#hinted.set(about, this.#batch);
    if (hinted === undefined) return { measure: "hint" };
    return hinted < this.#batch ? { measure: "tools-off" } : {};
  }

  /** How many calls of other tools must still lie between, before the same call may be made again; 0 where it may. */
  missing(tool: string, call: string, coolDown: number): number {
    const last = this.#last.get(call);
    if (last === undefined) return 0;
    const since = this.#madeCount - last.all - ((this.#made.get(tool) ?? 0) - last.own);
    return Math.max(0, coolDown - since);
  }

  /** Notes that a call is on its way, so that the same one beside it has to wait; it is made or released later. */
  claim(tool: string, call: string): void {
    this.#claimed.set(call, this.#last.get(call));
    this.#last.set(call, { all: this.#madeCount, own: this.#made.get(tool) ?? 0 });
  }

  /** Takes back that a call is on its way: it was not made. */
  release(call: string): void {
    if (!this.#claimed.has(call)) return;
    const before = this.#claimed.get(call);
    this.#claimed.delete(call);
    if (before === undefined) this.#last.delete(call);
    else this.#last.set(call, before);
  }

  /** Notes that a call is made; `call` where the tool must cool down before the same one. */
  made(tool: string, call?: string): void {
    this.#madeCount += 1;
    const own = (this.#made.get(tool) ?? 0) + 1;
    this.#made.set(tool, own);
    if (call === undefined) return;
    this.#claimed.delete(call);
    this.#last.set(call, { all: this.#madeCount, own });
  }

  /** The cycle of different calls, each with the same result as before, that the log ends with. */
  #cycle(): (Rounds & { readonly round: string }) | undefined {
    const calls = this.#recent;
    for (let length = 2; length <= longestCycle; length += 1) {
      let same = 0;
      while (isSame(calls.at(-1 - same), calls.at(-1 - same - length))) same += 1;
      if (same === 0) continue;
      const round = calls.slice(-length);
      if (new Set(round.map(keyOf)).size < length) continue;
      const times = Math.ceil((same + length) / length);
      const max = Math.max(...round.map((one) => one.max));
      const members = round.map(({ call }) => call).toSorted();
      return { times, max, cycle: round.map(({ tool }) => tool), round: members.join("\n") };
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
