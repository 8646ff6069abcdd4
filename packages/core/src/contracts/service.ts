import { defineToken, type Inject, type Services, type Token } from "./token.ts";

/** A shared object of a package: made once per app on first use, disposed in reverse order of creation. */
export interface ServiceDefinition {
  readonly kind: "service";
  readonly id: string;
  readonly token: Token<unknown>;
  readonly inject: Inject;
  readonly create: (services: never) => unknown;
  readonly dispose?: (service: never) => void | Promise<void>;
}

/**
 * Declares a service.
 *
 * Contract: `create` runs at most once per app and may be async; `dispose` runs when the app closes, after everything
 * that was made later, and is awaited at most five seconds.
 */
export function defineService<T, const I extends Inject = Record<never, never>>(definition: {
  readonly token: Token<T>;
  readonly inject?: I;
  readonly create: (services: Services<I>) => T | Promise<T>;
  readonly dispose?: (service: T) => void | Promise<void>;
}): ServiceDefinition {
  return {
    kind: "service",
    id: definition.token.id,
    inject: {},
    ...definition,
  };
}

/** Milliseconds since the epoch, and timers that a test can own. */
export interface Clock {
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. */
  after(ms: number, callback: () => void): () => void;
}

/** The environment variables of the process; what is read here, a host's own included, never appears in events, outcomes or errors. */
export interface Secrets {
  get(name: string): string | undefined;
}

/** The time. */
export const Clock: Token<Clock, "pure"> = defineToken<Clock>("core/clock", "pure");
/** Unique ids. */
export const Ids: Token<{ next(): string }, "pure"> = defineToken<{ next(): string }>(
  "core/ids",
  "pure",
);
/** HTTP, with the shape of the platform's `fetch`. */
export const Fetch: Token<typeof fetch> = defineToken<typeof fetch>("core/fetch");
/** Environment variables by name. */
export const Secrets: Token<Secrets> = defineToken<Secrets>("core/secrets");
/** Where a program's relative paths start and end. */
export const ProjectRoot: Token<string> = defineToken<string>("core/project-root");
/** The streams of a terminal, for sinks that print. */
export const Terminal: Token<Terminal> = defineToken<Terminal>("core/terminal");

/** A place to print to; `columns` is undefined where it is not a terminal. */
export interface Terminal {
  write(text: string): void;
  readonly isInteractive: boolean;
  readonly hasColors: boolean;
  columns(): number | undefined;
}
