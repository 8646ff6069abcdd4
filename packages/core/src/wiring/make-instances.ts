import type { Container } from "inversify";
import type { CheckEntry, CompiledStage, ModelEntry, Program } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Memory } from "../contracts/memory.ts";
import type { Provider } from "../contracts/provider.ts";
import { Secrets } from "../contracts/service.ts";
import type { Sink } from "../contracts/sink.ts";
import type { Token } from "../contracts/token.ts";
import type { ToolFunction, ToolSet } from "../contracts/tool.ts";
import { PluginError, SpecError } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";
import type { Instances } from "../run/linked-program.ts";
import type { Position } from "../spec/text/diagnostic.ts";
import { resolveSecrets } from "../spec/text/substitute.ts";
import { createFailed } from "./create-failed.ts";
import { keyOf, type Makeable } from "./program-definitions.ts";

function symbolOf(definition: Makeable): symbol {
  return Symbol.for(`loopwright:definition:${keyOf(definition)}`);
}

/** Binds a definition as a factory: its services are injected, its options come later. */
export function bindDefinition(container: Container, definition: Makeable): void {
  const names = Object.keys(definition.inject);
  const tokens = names.map((name) => (definition.inject[name] as Token<unknown>).symbol);
  const factory = (...values: unknown[]): Factory => ({
    services: Object.fromEntries(names.map((name, index) => [name, values[index]])),
  });
  container.bind(symbolOf(definition)).toResolvedValue(factory, tokens).inSingletonScope();
}

interface Factory {
  readonly services: Readonly<Record<string, unknown>>;
}

/** Makes instances: providers and tools with equal options share one, sinks and memories are one for each entry. */
export class InstanceMaker {
  readonly #container: Container;
  readonly #redactor: Redactor;
  readonly #shared = new Map<string, unknown>();
  /** Where the spec names each secret. */
  readonly #places: ReadonlyMap<string, Position>;

  constructor(
    container: Container,
    redactor: Redactor,
    places: ReadonlyMap<string, Position> = new Map(),
  ) {
    this.#container = container;
    this.#places = places;
    this.#redactor = redactor;
  }

  async services(definition: Makeable): Promise<Readonly<Record<string, unknown>>> {
    return (await this.#container.getAsync<Factory>(symbolOf(definition))).services;
  }

  async share(definition: Makeable, options: JsonObject, extra: JsonObject = {}): Promise<unknown> {
    const key = `${keyOf(definition)} ${JSON.stringify([options, extra])}`;
    if (!this.#shared.has(key)) this.#shared.set(key, await this.make(definition, options, extra));
    return this.#shared.get(key);
  }

  async make(definition: Makeable, options: JsonObject, extra: JsonObject = {}): Promise<unknown> {
    const services = await this.services(definition);
    const resolved = { ...(await this.#withSecrets(options, definition)), ...extra };
    try {
      return definition.create?.(resolved as never, services as never);
    } catch (fault) {
      throw createFailed(`the ${definition.kind} \`${definition.id}\``, fault, this.#redactor);
    }
  }

  async #withSecrets(options: JsonObject, definition: Makeable): Promise<JsonObject> {
    if (!JSON.stringify(options).includes("${secret:")) return options;
    const secrets = await this.#container.getAsync<Secrets>(Secrets.symbol);
    return replaceText(options, (text) => {
      const names = [...text.matchAll(/\$\{secret:([^}:]+)/g)].map((match) => match[1] as string);
      const env = Object.fromEntries(names.map((name) => [name, secrets.get(name)]));
      const resolved = resolveSecrets(text, env);
      if (resolved.missing.length > 0) throw this.#missing(resolved.missing, definition);
      for (const secret of resolved.secrets) this.#redactor.add(secret);
      return resolved.text;
    }) as JsonObject;
  }

  #missing(names: readonly string[], { kind, id }: Makeable): SpecError {
    const at = this.#places.get(names[0] ?? "");
    const place = at === undefined ? "" : `${at.file}:${at.line}: `;
    return new SpecError(
      "secret-missing",
      `${place}the ${kind} \`${id}\` needs the secret ${names.join(", ")}: set it in the environment`,
      { details: { secrets: [...names], ...(at === undefined ? {} : { ...at }) } },
    );
  }
}

type NamedSink = Instances["sinks"][number];

/**
 * Makes the instances of a program. Fills `sinks` one by one, so that the caller can close them where a later instance can't
 * be made; without it, as for an agent inside a run, no sink is made.
 */
export async function makeInstances(
  program: Program,
  maker: InstanceMaker,
  sinks?: NamedSink[],
): Promise<Instances> {
  const providers = new Map<ModelEntry, Provider>();
  for (const entry of program.models) {
    providers.set(
      entry,
      (await maker.share(entry.definition, entry.options, {
        profile: entry.profile,
        model: entry.model,
        ...(entry.overrides === undefined ? {} : { overrides: entry.overrides }),
      })) as Provider,
    );
  }
  // Of a set, what lists its tools.
  const tools = new Map<string, unknown>();
  for (const entry of program.tools.values())
    tools.set(entry.name, await maker.share(entry.definition, entry.options));
  const memories = new Map<string, Memory>();
  for (const entry of program.memories.values())
    memories.set(entry.name, (await maker.make(entry.definition, entry.options)) as Memory);
  const services = new Map<CompiledStage | CheckEntry, Readonly<Record<string, unknown>>>();
  for (const entry of [...program.stages.values(), ...program.checks])
    services.set(entry, await maker.services(entry.definition));
  for (const entry of sinks === undefined ? [] : program.sinks) {
    sinks?.push({
      name: entry.name,
      sink: (await maker.make(entry.definition, entry.options)) as Sink,
      overflow: entry.definition.overflow,
    });
  }
  return {
    provider: (entry) => made(providers.get(entry), `model ${entry.id}`),
    tool: (entry) =>
      made(tools.get(entry.name), `tool ${entry.name}`) as ToolFunction<Json, unknown>,
    toolSet: (entry) => made(tools.get(entry.name), `tool set ${entry.name}`) as ToolSet,
    memory: (entry) => made(memories.get(entry.name), `memory ${entry.name}`),
    services: (entry) => services.get(entry) ?? {},
    sinks: sinks ?? [],
  };
}

function made<T>(instance: T | undefined, what: string): T {
  if (instance === undefined)
    throw new PluginError(
      "plugin-broken",
      `${what} has no instance; its \`create\` returned nothing`,
    );
  return instance;
}

function replaceText(value: Json, replace: (text: string) => string): Json {
  if (typeof value === "string") return replace(value);
  if (Array.isArray(value)) return value.map((item: Json) => replaceText(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, item]) => [key, replaceText(item, replace)]),
  );
}
