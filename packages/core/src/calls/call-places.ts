import { LRUCache } from "lru-cache";
import type { ConstraintLayer, Provider, ProviderPlace } from "../contracts/provider.ts";
import type { Clock } from "../contracts/service.ts";
import type { ModelEntry } from "../program/program.ts";
import { Account } from "./account.ts";
import { Breaker } from "./breaker.ts";
import { Hold } from "./hold.ts";
import { KeptByName } from "./kept-by-name.ts";

/** So many are kept that nobody holds: an app that makes a model of many keys must not grow without end. */
const most = 1_000;

/** Where the calls of one model go, with what is shared there. */
export interface CallPlace {
  /** The endpoint and the name of the model there. */
  readonly endpoint: string;
  readonly account: Account;
  /** Shut where the account was asked for too long a wait at this model. */
  readonly hold: Hold;
  /** Missing where the spec turns it off. */
  readonly breaker?: Breaker;
}

/** The endpoints and accounts that an app calls: every agent, program and run of it shares them. */
export class CallPlaces {
  /** The highest layer that an endpoint takes a schema on, where it has said that it lacks the ones above; by `CallPlace.endpoint`. */
  readonly layers: LRUCache<string, ConstraintLayer> = new LRUCache({ max: most });
  readonly #places = new WeakMap<ModelEntry, CallPlace>();
  readonly #accounts = new KeptByName<Account>(most);
  readonly #breakers = new KeptByName<Breaker>(most);
  readonly #holds = new KeptByName<Hold>(most);

  /** Where a model is called; what its spec says about the account holds from the first call on. */
  of(entry: ModelEntry, provider: Provider, clock: Clock): CallPlace {
    const known = this.#places.get(entry);
    if (known !== undefined) return known;
    const { endpoint, account: name } = placeOf(entry, provider);
    const account = this.#accounts.get(name, () => new Account(clock));
    account.restrict(entry.calls);
    const model = `${endpoint} ${entry.model}`;
    const breaker = this.#breakerOf(model, entry, clock);
    const hold = this.#holds.get(`${name} ${model}`, () => new Hold(clock));
    const place = { endpoint: model, account, hold, ...(breaker === undefined ? {} : { breaker }) };
    this.#places.set(entry, place);
    return place;
  }

  #breakerOf(model: string, { calls }: ModelEntry, clock: Clock): Breaker | undefined {
    const { breaker } = calls;
    if (breaker === undefined) return undefined;
    const key = `${model} ${breaker.failures} ${breaker.restMs}`;
    return this.#breakers.get(key, () => new Breaker(breaker, clock));
  }
}

/** The place that a provider names; one that names none is a place for each of its profiles and options. */
function placeOf(entry: ModelEntry, provider: Provider): ProviderPlace {
  const { definition, profile, options, overrides = {} } = entry;
  const own = JSON.stringify([definition.id, profile, options, overrides]);
  try {
    return provider.place?.() ?? { endpoint: own, account: own };
  } catch {
    // Its next call tells what is wrong with it.
    return { endpoint: own, account: own };
  }
}
