import type { Clock } from "../contracts/service.ts";
import type { LimitError } from "../errors/loopwright-error.ts";
import type { Limits } from "../program/program.ts";
import { Ledger } from "../run/ledger.ts";
import type { OnLimit } from "../run/limit-teller.ts";
import { ToolTime } from "./tool-time.ts";

/**
 * What the limits of one entry of `tools` still hold: all its calls in a run share it, whichever stage, branch or agent
 * makes them, and of a set all its tools.
 */
export interface ToolPot {
  /** The name of the entry. */
  readonly name: string;
  /** Counts the calls of the tool. */
  readonly calls: Ledger;
  /** Counts what an agent that is a tool takes of models; missing where nothing bounds it. */
  readonly models?: Ledger;
  /** Missing where nothing bounds it. */
  readonly time?: ToolTime;
}

/** What the pots of a run are made with. */
export interface PotPlace {
  readonly clock: Clock;
  readonly onLimit: OnLimit;
  /** Those that are told while a person is waited for. */
  readonly clocks: Set<Pick<ToolTime, "waiting">>;
  readonly isWaiting: () => boolean;
}

/** The pots of one run, one for each entry of `tools` that has limits, and for each stage that tightens them. */
export class ToolPots {
  readonly #pots = new Map<object, ToolPot>();
  readonly #place: PotPlace;

  constructor(place: PotPlace) {
    this.#place = place;
  }

  /** The pot for what `owner` says of an entry, which is the entry itself or a part of a stage; undefined without limits. */
  of(owner: object, name: string, limits: Limits | undefined): ToolPot | undefined {
    if (limits === undefined) return undefined;
    const pot = this.#pots.get(owner) ?? this.#open(name, limits);
    this.#pots.set(owner, pot);
    return pot;
  }

  #open(tool: string, limits: Limits): ToolPot {
    const { clock, clocks, isWaiting } = this.#place;
    const onLimit: OnLimit = (limit, ...rest) =>
      this.#place.onLimit(`tools.${tool}.${limit}`, ...rest);
    const { toolCalls, timeMs, workTimeMs, ...models } = limits;
    const counted = toolCalls === undefined ? {} : { toolCalls };
    const calls = new Ledger({ limits: counted, onLimit, tool });
    const hasTime = (timeMs ?? workTimeMs) !== undefined;
    const time = hasTime ? new ToolTime(tool, limits, { clock, onLimit }) : undefined;
    if (time !== undefined) {
      clocks.add(time);
      time.waiting(isWaiting());
    }
    return {
      name: tool,
      calls,
      ...(Object.keys(models).length === 0
        ? {}
        : { models: new Ledger({ limits: models, onLimit, tool }) }),
      ...(time === undefined ? {} : { time }),
    };
  }
}

/** Tells the limit of a pot that holds no further call, and gives its error; undefined where it holds one. */
export function refuseWhenUsedUp({ calls, time }: ToolPot): LimitError | undefined {
  if (time?.signal.aborted === true) return time.signal.reason as LimitError;
  return calls.refuseToolCall();
}
