import { Container } from "inversify";
import "reflect-metadata";
import type { PluginSource } from "../compile/plugin-source.ts";
import type { ServiceDefinition } from "../contracts/service.ts";
import type { Inject, Token } from "../contracts/token.ts";
import { messageOf, PluginError } from "../errors/loopwright-error.ts";

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

interface Disposal {
  readonly id: string;
  readonly dispose: () => void | Promise<void>;
}

const disposeDeadlineMs = 5_000;

/** The app scope: services as lazy singletons, found by token among the host's, the parent container's and the packages'. */
export class ServiceScope {
  readonly container: Container;
  readonly #plugins: PluginSource;
  readonly #disposals: Disposal[] = [];

  constructor(options: {
    readonly plugins: PluginSource;
    readonly provided: readonly ProvidedService[];
    readonly parent?: Container;
  }) {
    this.#plugins = options.plugins;
    this.container =
      options.parent === undefined ? new Container() : new Container({ parent: options.parent });
    const last = new Map(options.provided.map(({ token, value }) => [token.symbol, value]));
    for (const [symbol, value] of last) this.container.bind(symbol).toConstantValue(value);
  }

  /** Binds every service that the askers need, directly or through other services; throws one PluginError that names all that is missing. */
  async preflight(askers: readonly Asker[]): Promise<void> {
    const faults: string[] = [];
    for (const asker of askers) {
      for (const token of Object.values(asker.inject))
        await this.#bind(token, [asker.name], faults);
    }
    if (faults.length === 0) return;
    throw new PluginError(
      "plugin-services-missing",
      `${faults.length} service${faults.length === 1 ? " is" : "s are"} not available:\n${[...new Set(faults)].map((fault) => `  ${fault}`).join("\n")}`,
      {
        details: { faults },
      },
    );
  }

  /** Disposes what was created, the last first; a service that takes longer than five seconds is left. */
  async close(): Promise<void> {
    for (const { id, dispose } of this.#disposals.splice(0).toReversed()) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, disposeDeadlineMs);
      });
      try {
        await Promise.race([Promise.resolve(dispose()), late]);
      } catch (fault) {
        process.emitWarning(
          `service ${id} could not be disposed: ${messageOf(fault)}`,
          "LoopwrightWarning",
        );
      } finally {
        clearTimeout(timer);
      }
    }
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
        throw new PluginError(
          "plugin-create-failed",
          `the service \`${definition.id}\` could not be made: ${messageOf(fault)}`,
          { cause: fault },
        );
      }
    };
    this.container.bind(definition.token.symbol).toResolvedValue(create, tokens).inSingletonScope();
  }
}
