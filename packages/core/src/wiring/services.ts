import { Container } from "inversify";
import "reflect-metadata";
import type { PluginSource } from "../compile/plugin-source.ts";
import { Secrets, type ServiceDefinition } from "../contracts/service.ts";
import type { Inject, Token } from "../contracts/token.ts";
import type { Redactor } from "../events/redactor.ts";
import type { Program } from "../program/program.ts";
import { closeDeadlineMs, closeWithin } from "./close-within.ts";
import { createFailed } from "./create-failed.ts";

/** A service that the host brings, under its token. */
export interface ProvidedService {
  readonly token: Token<unknown>;
  readonly value: unknown;
}

/** Brings a service of the host's own; it stands in for the packages' service of the same token. */
export function provide<T>(token: Token<T>, value: T): ProvidedService {
  return { token, value };
}

/** Who asks for services. */
export interface Asker {
  readonly name: string;
  readonly inject: Inject;
}

/** What every scope of an app needs. */
interface ScopeSettings {
  readonly plugins: PluginSource;
  readonly redactor: Redactor;
}

interface Disposal {
  readonly id: string;
  readonly dispose: () => void | Promise<void>;
}

/** The app scope: services as lazy singletons, found by token among the host's, the parent container's, core's and the packages'. */
export class ServiceScope {
  readonly container: Container;
  readonly #plugins: PluginSource;
  readonly #redactor: Redactor;
  readonly #disposals: Disposal[];
  /** The scope that this one adds the services of further packages to. */
  readonly #outer: ServiceScope | undefined;
  readonly #inner = new Map<string, ServiceScope>();

  private constructor(container: Container, settings: ScopeSettings, outer?: ServiceScope) {
    this.container = container;
    this.#plugins = settings.plugins;
    this.#redactor = settings.redactor;
    this.#outer = outer;
    this.#disposals = outer === undefined ? [] : outer.#disposals;
  }

  /** Opens the scope of an app. */
  static open(
    options: ScopeSettings & {
      /** The host's own, above all others. */
      readonly provided: readonly ProvidedService[];
      /** Core's, where neither the host nor its container brings one. */
      readonly defaults: readonly ProvidedService[];
      readonly parent?: Container;
    },
  ): ServiceScope {
    const { parent, redactor } = options;
    const container = parent === undefined ? new Container() : new Container({ parent });
    const missing = options.defaults.filter(({ token }) => parent?.isBound(token.symbol) !== true);
    const bound = new Map(
      [...missing, ...options.provided].map(({ token, value }) => [token.symbol, value]),
    );
    for (const [symbol, value] of bound) {
      if (symbol !== Secrets.symbol) container.bind(symbol).toConstantValue(value);
    }
    const own = bound.get(Secrets.symbol) as Secrets | undefined;
    container.bind(Secrets.symbol).toDynamicValue(async () => {
      const secrets = own ?? (await parent?.getAsync<Secrets>(Secrets.symbol));
      return hidingSecrets(secrets, redactor);
    });
    return new ServiceScope(container, options);
  }

  /**
   * The scope of programs whose specs name the same packages in `plugins`: what this one finds is shared, and services that
   * only those packages bring are seen by those programs alone. Closed with this one.
   */
  joined({ root, packages = [] }: Pick<Program, "root" | "packages">): ServiceScope {
    if (packages.length === 0) return this;
    const key = [root, ...packages.map(({ name }) => name)].join("\n");
    const known = this.#inner.get(key);
    if (known !== undefined) return known;
    const plugins = this.#plugins.joined?.(packages) ?? this.#plugins;
    const settings = { plugins, redactor: this.#redactor };
    const scope = new ServiceScope(new Container({ parent: this.container }), settings, this);
    this.#inner.set(key, scope);
    return scope;
  }

  /** Binds every service that one asker needs; what is missing, in words, its repair after a semicolon. */
  async missing(asker: Asker): Promise<readonly string[]> {
    const faults: string[] = [];
    for (const token of Object.values(asker.inject)) await this.#bind(token, [asker.name], faults);
    return faults;
  }

  /** Disposes what was created, the last first; a service that takes longer than five seconds is left. */
  async close(): Promise<void> {
    for (const { id, dispose } of this.#disposals.splice(0).toReversed())
      await closeWithin(closeDeadlineMs, `service ${id}`, dispose, this.#redactor);
  }

  /** Binds a service with all that it needs; false, and nothing bound, where something is missing. */
  async #bind(token: Token<unknown>, trail: readonly string[], faults: string[]): Promise<boolean> {
    if (trail.includes(token.id)) {
      faults.push(
        `\`${token.id}\` needs itself: ${[...trail.slice(trail.indexOf(token.id)), token.id].join(" → ")}`,
      );
      return false;
    }
    const found = this.container.isBound(token.symbol)
      ? undefined
      : await this.#plugins.find("service", token.id);
    if (found === undefined) return true;
    if (found.status !== "found") {
      const why =
        found.status === "missing"
          ? "no installed package provides it"
          : found.status === "broken"
            ? `${found.package} is broken: ${found.message}`
            : `several provide it: ${found.ids.join(", ")}`;
      faults.push(
        `\`${token.id}\`, asked for by ${trail.join(" → ")}: ${why}; provide it to createApp({ services: [provide(token, …)] })`,
      );
      return false;
    }
    if (this.#outer !== undefined && (await this.#outer.#bind(token, trail, []))) return true;
    let isWhole = true;
    for (const inner of Object.values(found.definition.inject))
      isWhole = (await this.#bind(inner, [...trail, token.id], faults)) && isWhole;
    if (isWhole && !this.container.isBound(token.symbol)) this.#bindDefinition(found.definition);
    return isWhole;
  }

  #bindDefinition(definition: ServiceDefinition): void {
    const names = Object.keys(definition.inject);
    const tokens = names.map((name) => (definition.inject[name] as Token<unknown>).symbol);
    const create = async (...values: unknown[]): Promise<unknown> => {
      const services = Object.fromEntries(names.map((name, index) => [name, values[index]]));
      try {
        const service = await definition.create(services as never);
        if (definition.dispose !== undefined) {
          const { dispose } = definition;
          this.#disposals.push({ id: definition.id, dispose: () => dispose(service as never) });
        }
        return service;
      } catch (fault) {
        throw createFailed(`the service \`${definition.id}\``, fault, this.#redactor);
      }
    };
    this.container.bind(definition.token.symbol).toResolvedValue(create, tokens).inSingletonScope();
  }
}

/** Secrets of any origin, each hidden from events and errors from the moment it is read. */
function hidingSecrets(secrets: Secrets | undefined, redactor: Redactor): Secrets {
  return {
    get: (name) => {
      const value = secrets?.get(name);
      if (value !== undefined) redactor.add(value);
      return value;
    },
  };
}
