import {
  Clock,
  Fetch,
  Ids,
  type Inject,
  Secrets,
  Terminal,
  type Token,
} from "@loopwright/core/plugin";
import { testClock } from "../test-clock.ts";

/** Services by the name under which a plugin asks for them. */
export type ServiceValues = Readonly<Record<string, unknown>>;

/** Stand-ins for the services of core: a clock that stands still, counted ids, no secrets, no network, a silent terminal. */
const standIns: ReadonlyMap<symbol, () => unknown> = new Map<symbol, () => unknown>([
  [Clock.symbol, () => testClock()],
  [Ids.symbol, countedIds],
  [Secrets.symbol, () => ({ get: () => undefined })],
  [Fetch.symbol, () => () => Promise.reject(new Error("a conformance suite has no network"))],
  [
    Terminal.symbol,
    () => ({
      write: () => undefined,
      isInteractive: false,
      hasColors: false,
      columns: () => undefined,
    }),
  ],
]);

/** The services that a plugin asks for: those given, stand-ins for core's; throws where one is missing. */
export function servicesFor(inject: Inject, given: ServiceValues = {}): ServiceValues {
  return Object.fromEntries(
    Object.entries(inject).map(([name, token]) => [name, given[name] ?? standIn(name, token)]),
  );
}

function standIn(name: string, token: Token<unknown>): unknown {
  const make = standIns.get(token.symbol);
  if (make === undefined)
    throw new Error(`the plugin asks for ${token.id}; give \`services: () => ({ ${name}: … })\``);
  return make();
}

function countedIds(): { next(): string } {
  let count = 0;
  return { next: () => `id-${++count}` };
}
