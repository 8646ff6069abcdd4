import { Container } from "inversify";
import { afterEach, describe, expect, it } from "vitest";
import { defineProvider, NO_USAGE } from "../contracts/provider.ts";
import { defineService, Fetch, Secrets } from "../contracts/service.ts";
import { defineSink } from "../contracts/sink.ts";
import { generations } from "../contracts/bounds.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import type { PluginDefinition, PluginPackage } from "../contracts/plugin-definition.ts";
import { Type } from "../contracts/schema.ts";
import { defineToken } from "../contracts/token.ts";
import { type App, createApp } from "./create-app.ts";
import { provide, type ProvidedService } from "./services.ts";

const CANARY = "postgres://u:hunter2@db/shop";
const Pool = defineToken<{ readonly name: string }>("acme/pool");

/** Says what the secret is that it reads when it is asked. */
const telling = defineProvider({
  id: "telling",
  free: ["telling"],
  description: "Tells the database's address.",
  options: Type.Object({}),
  inject: { secrets: Secrets },
  create: (_options, { secrets }) => ({
    generate: async () => ({
      message: {
        role: "assistant" as const,
        text: `it is ${secrets.get("DB")}`,
        reasoning: "",
        toolCalls: [],
      },
      usage: NO_USAGE,
      finishReason: "stop" as const,
    }),
    capabilities: () => ({ tools: false, structured: "prompt" as const }),
  }),
});

const answering = defineStrategy({
  id: "answering",
  description: "Answers.",
  options: Type.Object({}),
  flow: { sets: ["answer"] },
  bounds: () => generations(1),
  async run(_state, context) {
    const reply = await context.generate({ prompt: "Answer.", answer: true });
    return reply.answer === undefined ? {} : { answer: reply.answer };
  },
});

/** A sink that asks for the pool, and tells its name. */
const pooled = (names: string[]) =>
  defineSink({
    id: "pooled",
    description: "Asks for a pool.",
    options: Type.Object({}),
    inject: { pool: Pool, fetch: Fetch },
    create: (_options, { pool }) => {
      names.push(pool.name);
      return { handle: () => undefined };
    },
  });

const packagePool = defineService({ token: Pool, create: () => ({ name: "package" }) });

function packageOf(definitions: readonly PluginDefinition[]): PluginPackage {
  const entries = definitions.map((definition) => ({
    kind: definition.kind,
    id: definition.id,
    load: async () => definition as never,
  }));
  return { name: "test", entries };
}

const spec = (more = ""): string =>
  `apiVersion: loopwright/v1\nname: t\ntask: T.\nmodel: telling/m\nstrategy: answering\n${more}`;

let app: App | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function open(options: {
  readonly services?: readonly ProvidedService[];
  readonly parentContainer?: Container;
  readonly plugins?: readonly PluginDefinition[];
}): Promise<App> {
  const { plugins = [], ...rest } = options;
  app = await createApp({
    plugins: [packageOf([telling, answering, ...plugins])],
    discovery: false,
    env: {},
    ...rest,
  });
  return app;
}

async function answerOf(from: App): Promise<string> {
  const { outcome, reason, answer } = await from.start(await from.compile({ text: spec() }))
    .outcome;
  expect({ outcome, reason }).toEqual({ outcome: "done" });
  return answer.text;
}

describe("secrets that a host brings", () => {
  class Vault {
    readonly #values = new Map([["DB", CANARY]]);
    get(name: string): string | undefined {
      return this.#values.get(name);
    }
  }

  it("are hidden once they are read", async () => {
    const from = await open({ services: [provide(Secrets, new Vault())] });
    expect(await answerOf(from)).toBe("it is [redacted]");
  });

  it("are hidden where they come from its container", async () => {
    const parentContainer = new Container();
    parentContainer.bind(Secrets.symbol).to(Vault);
    expect(await answerOf(await open({ parentContainer }))).toBe("it is [redacted]");
  });

  it("never reach the error of a service or a sink that can't be made, its cause or its stack", async () => {
    const pool = defineService({
      token: Pool,
      inject: { secrets: Secrets },
      create: ({ secrets }) => {
        throw new Error(`can't connect to ${secrets.get("DB")}`);
      },
    });
    const broken = defineSink({
      id: "broken",
      description: "Can't be made.",
      options: Type.Object({}),
      inject: { secrets: Secrets },
      create: (_options, { secrets }) => {
        throw new Error(`no file for ${secrets.get("DB")}`);
      },
    });
    const from = await open({
      services: [provide(Secrets, new Vault())],
      plugins: [pool, pooled([]), broken],
    });
    for (const [id, message] of [
      ["pooled", /can't connect to \[redacted\]/u],
      ["broken", /no file for \[redacted\]/u],
    ] as const) {
      const fault = await from.compile({ text: spec(`sinks: [${id}]\n`) }).catch((error) => error);
      expect(fault).toMatchObject({ code: "plugin-create-failed" });
      expect(fault.message).toMatch(message);
      expect(fault.cause.message).toMatch(message);
      for (const error of [fault, fault.cause]) {
        expect(`${error.message} ${error.stack}`).not.toContain("hunter2");
      }
    }
  });
});

describe("a host's container", () => {
  const text = spec("sinks: [pooled]\n");

  it("supplies services before the packages do, each as often as it is bound to be made", async () => {
    let made = 0;
    const parentContainer = new Container();
    const make = (): { readonly name: string } => ({ name: `host ${(made += 1)}` });
    parentContainer.bind(Pool.symbol).toDynamicValue(make).inSingletonScope();
    const names: string[] = [];
    const from = await open({ parentContainer, plugins: [packagePool, pooled(names)] });
    await from.compile({ text });
    await from.compile({ text });
    expect(names).toEqual(["host 1", "host 1"]);
    expect(made).toBe(1);
  });

  it("supplies core's own services too, and loses against what is provided by token", async () => {
    const parentContainer = new Container();
    parentContainer.bind(Secrets.symbol).toConstantValue({ get: () => "of the container" });
    expect(await answerOf(await open({ parentContainer }))).toBe("it is [redacted]");
    await app?.close();
    const services = [provide(Secrets, { get: () => "short" })];
    expect(await answerOf(await open({ parentContainer, services }))).toBe("it is short");
  });

  it("gets nothing from an app: neither a binding nor an end", async () => {
    let isGone = false;
    const parentContainer = new Container();
    parentContainer
      .bind(Pool.symbol)
      .toDynamicValue(() => ({ name: "host" }))
      .inSingletonScope()
      .onDeactivation(() => {
        isGone = true;
      });
    const names: string[] = [];
    const from = await open({ parentContainer, plugins: [packagePool, pooled(names)] });
    await from.compile({ text });
    await from.close();
    expect(parentContainer.isBound(Fetch.symbol)).toBe(false);
    expect({ names, isGone }).toEqual({ names: ["host"], isGone: false });
  });
});
