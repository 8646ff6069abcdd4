import { Container } from "inversify";
import { LRUCache } from "lru-cache";
import type { CheckEntry, ModelEntry, Program, CompiledStage } from "../program/program.ts";
import type { Json, JsonObject } from "../contracts/json.ts";
import type { Memory } from "../contracts/memory.ts";
import type { Provider } from "../contracts/provider.ts";
import { Clock, Ids, ProjectRoot, Secrets } from "../contracts/service.ts";
import type { Sink } from "../contracts/sink.ts";
import type { Inject, Token } from "../contracts/token.ts";
import type { ToolFunction } from "../contracts/tool.ts";
import { PluginError, SpecError } from "../errors/loopwright-error.ts";
import type { Redactor } from "../events/redactor.ts";
import type { Instances, LinkedProgram, ToolCache } from "../run/linked-program.ts";
import { resolveSecrets } from "../spec/text/substitute.ts";
import { closeDeadlineMs, closeWithin } from "./close-within.ts";
import { createFailed } from "./create-failed.ts";
import type { Asker, ServiceScope } from "./services.ts";

/** A definition that core makes instances of. */
interface Makeable {
  readonly kind: string;
  readonly id: string;
  readonly inject: Inject;
  readonly create?: (options: never, services: never) => unknown;
}

/** Makes the configured instances of a program in a scope of its own below the app's; what is missing is told at once. */
export async function linkProgram(
  program: Program,
  scope: ServiceScope,
  redactor: Redactor,
): Promise<LinkedProgram & { close(): Promise<void> }> {
  const definitions = definitionsOf(program);
  await scope.preflight([...definitions.values()].map(askerOf));
  const container = new Container({ parent: scope.container });
  container.bind(ProjectRoot.symbol).toConstantValue(program.root);
  for (const definition of definitions.values()) bindDefinition(container, definition);
  const maker = new InstanceMaker(container, redactor);
  const clock = await container.getAsync<Clock>(Clock.symbol);
  const ids = await container.getAsync<{ next(): string }>(Ids.symbol);
  const sinks: NamedSink[] = [];
  const close = (): Promise<void> => closeSinks(sinks, redactor);
  const instances = await makeInstances(program, maker, sinks).catch(async (fault: unknown) => {
    await close();
    throw fault;
  });
  return {
    program,
    instances,
    clock,
    nextId: () => ids.next(),
    redactor,
    cache: toolCache(clock),
    close,
  };
}

type NamedSink = Instances["sinks"][number];

/** Closes every sink, also after one that can't be closed; one that takes longer than five seconds is left. */
async function closeSinks(sinks: readonly NamedSink[], redactor: Redactor): Promise<void> {
  const closeOne = ({ name, sink }: NamedSink): Promise<void> =>
    closeWithin(closeDeadlineMs, `sink ${name}`, () => sink.close?.(), redactor);
  await Promise.all(sinks.map(closeOne));
}

function definitionsOf(program: Program): ReadonlyMap<string, Makeable> {
  const all: Makeable[] = [
    ...program.models.map((entry) => entry.definition),
    ...[...program.tools.values()].map((entry) => entry.definition),
    ...[...program.memories.values()].map((entry) => entry.definition),
    ...program.checks.map((entry) => entry.definition),
    ...program.sinks.map((entry) => entry.definition),
    ...[...program.stages.values()].map((entry) => entry.definition),
  ];
  return new Map(all.map((definition) => [keyOf(definition), definition]));
}

function keyOf(definition: Makeable): string {
  return `${definition.kind} ${definition.id}`;
}

function symbolOf(definition: Makeable): symbol {
  return Symbol.for(`loopwright:definition:${keyOf(definition)}`);
}

function askerOf(definition: Makeable): Asker {
  return { name: `${definition.kind} \`${definition.id}\``, inject: definition.inject };
}

/** Binds a definition as a factory: its services are injected, its options come later. */
function bindDefinition(container: Container, definition: Makeable): void {
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
class InstanceMaker {
  readonly #container: Container;
  readonly #redactor: Redactor;
  readonly #shared = new Map<string, unknown>();

  constructor(container: Container, redactor: Redactor) {
    this.#container = container;
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
      if (resolved.missing.length > 0) {
        throw new SpecError(
          "secret-missing",
          `the ${definition.kind} \`${definition.id}\` needs the secret ${resolved.missing.join(", ")}: set it in the environment`,
        );
      }
      for (const secret of resolved.secrets) this.#redactor.add(secret);
      return resolved.text;
    }) as JsonObject;
  }
}

/** Fills `sinks` one by one, so that the caller can close them where a later instance can't be made. */
async function makeInstances(
  program: Program,
  maker: InstanceMaker,
  sinks: NamedSink[],
): Promise<Instances> {
  const providers = new Map<ModelEntry, Provider>();
  for (const entry of program.models) {
    providers.set(
      entry,
      (await maker.share(entry.definition, entry.options, {
        profile: entry.profile,
        model: entry.model,
      })) as Provider,
    );
  }
  const tools = new Map<string, ToolFunction<Json, unknown>>();
  for (const entry of program.tools.values())
    tools.set(
      entry.name,
      (await maker.share(entry.definition, entry.options)) as ToolFunction<Json, unknown>,
    );
  const memories = new Map<string, Memory>();
  for (const entry of program.memories.values())
    memories.set(entry.name, (await maker.make(entry.definition, entry.options)) as Memory);
  const services = new Map<CompiledStage | CheckEntry, Readonly<Record<string, unknown>>>();
  for (const entry of [...program.stages.values(), ...program.checks])
    services.set(entry, await maker.services(entry.definition));
  for (const entry of program.sinks) {
    sinks.push({
      name: entry.name,
      sink: (await maker.make(entry.definition, entry.options)) as Sink,
      overflow: entry.definition.overflow,
    });
  }
  return {
    provider: (entry) => made(providers.get(entry), `model ${entry.id}`),
    tool: (entry) => made(tools.get(entry.name), `tool ${entry.name}`),
    memory: (entry) => made(memories.get(entry.name), `memory ${entry.name}`),
    services: (entry) => services.get(entry) ?? {},
    sinks,
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

const maxCacheChars = 16_000_000;

function toolCache(clock: Clock): ToolCache {
  const entries = new LRUCache<string, { readonly text: string; readonly time: number }>({
    max: 1_000,
    maxSize: maxCacheChars,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  let clearCount = 0;
  return {
    get: (key) => entries.get(key),
    set: (key, text) => {
      entries.set(key, { text, time: clock.now() });
    },
    clear: () => {
      clearCount += 1;
      entries.clear();
    },
    get clearCount() {
      return clearCount;
    },
  };
}
