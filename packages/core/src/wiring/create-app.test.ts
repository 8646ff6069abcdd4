import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defineMemory, type Memory } from "../contracts/memory.ts";
import type { PluginDefinition } from "../contracts/plugin-definition.ts";
import { Type } from "../contracts/schema.ts";
import { defineService } from "../contracts/service.ts";
import { defineSink, type Sink } from "../contracts/sink.ts";
import { NO_BOUNDS } from "../contracts/bounds.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import { defineToken } from "../contracts/token.ts";
import { type App, createApp } from "./create-app.ts";

const Pool = defineToken<{ readonly log: (text: string) => void }>("acme/pool");

let app: App;
/** What happened, in order. */
let log: string[];
/** Lets the strategy go on. */
let proceed: () => void;

const plugins = (): readonly PluginDefinition[] => [
  defineStrategy({
    id: "waiting",
    description: "Waits until the test lets it go, or the run ends.",
    options: Type.Object({}),
    flow: { sets: ["answer"] },
    bounds: () => NO_BOUNDS,
    async run(_state, { signal }) {
      log.push("run");
      await new Promise<void>((resolve) => {
        proceed = resolve;
        signal.addEventListener("abort", () => resolve());
      });
      return { answer: { text: "done" } };
    },
  }),
  defineService({
    token: Pool,
    create: () => ({ log: (text) => log.push(text) }),
    dispose: () => void log.push("pool disposed"),
  }),
  defineSink({
    id: "noting",
    description: "Notes the end of a run.",
    options: Type.Object({ label: Type.String({ default: "sink" }) }),
    inject: { pool: Pool },
    create: ({ label }, { pool }): Sink => ({
      handle: ({ name }) => {
        if (name === "run.end") pool.log(`${label} heard the end`);
      },
      close: () => pool.log(`${label} closed`),
    }),
  }),
  defineSink({
    id: "broken",
    description: "Can't be made.",
    options: Type.Object({}),
    create: () => {
      throw new Error("no");
    },
  }),
  defineSink({
    id: "stuck",
    description: "Never closes.",
    options: Type.Object({}),
    create: () => ({ handle: () => undefined, close: () => new Promise(() => undefined) }),
  }),
  defineMemory({
    id: "counted",
    description: "Tells how many were made.",
    options: Type.Object({}),
    create: () => {
      log.push("memory made");
      return {} as Memory;
    },
  }),
];

const spec = (more = "sinks: [noting]\n"): { readonly text: string } => ({
  text: `apiVersion: loopwright/v1\nname: t\ntask: T.\nmodel: none\nstrategy: waiting\n${more}`,
});

beforeEach(async () => {
  log = [];
  proceed = () => undefined;
  const entries = plugins().map((definition) => ({
    kind: definition.kind,
    id: definition.id,
    load: async () => definition as never,
  }));
  app = await createApp({ plugins: [{ name: "test", entries }], discovery: false, env: {} });
});

afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

describe("a source", () => {
  it.each([
    [{ ...spec(), overrides: [] }, /`overrides` is none of its keys: give options as the second/u],
    [{ path: "a.yaml" }, /name the file of the spec, or give its text/u],
    ["a.yaml", /a source is `\{ file \}`/u],
  ])("of another form is refused, with what to do: %#", async (source, message) => {
    await expect(app.compile(source as never)).rejects.toThrow(message);
    await expect(app.check(source as never)).rejects.toThrow(message);
  });
});

describe("an app that closes", () => {
  it("ends its runs first, then closes sinks, then disposes services", async () => {
    const run = app.start(await app.compile(spec()));
    await turn();
    await app.close();
    expect(log).toEqual(["run", "sink heard the end", "sink closed", "pool disposed"]);
    const { outcome, reason } = await run.outcome;
    expect({ outcome, reason }).toEqual({ outcome: "aborted", reason: "the app was closed" });
  });

  it("compiles and starts nothing afterwards", async () => {
    const program = await app.compile(spec());
    const late = app.compile(spec());
    await app.close();
    await expect(late).rejects.toThrow(/closed/u);
    expect(() => app.start(program)).toThrow(/closed/u);
    await expect(app.compile(spec())).rejects.toThrow(/closed/u);
  });

  it("leaves a sink that does not close, and says so", async () => {
    const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    await app.compile(spec("sinks: [noting, stuck]\n"));
    vi.useFakeTimers();
    const closed = app.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
    expect(log).toEqual(["sink closed", "pool disposed"]);
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toMatch(/sink stuck could not be closed: .*5 s/u);
    warn.mockRestore();
  });
});

describe("a program that closes", () => {
  it("ends its runs, closes its sinks once, and is forgotten", async () => {
    const program = await app.compile(spec());
    const run = app.start(program);
    await turn();
    await program.close();
    await program.close();
    expect(await run.outcome).toMatchObject({ outcome: "aborted" });
    expect(log).toEqual(["run", "sink heard the end", "sink closed"]);
    expect(() => app.start(program)).toThrow(/closed/u);
    await app.close();
    expect(log.slice(3)).toEqual(["pool disposed"]);
  });

  it("leaves runs that are over and those of other programs alone", async () => {
    const [one, other] = [await app.compile(spec()), await app.compile(spec())];
    const first = app.start(one);
    await turn();
    proceed();
    expect(await first.outcome).toMatchObject({ outcome: "done" });
    const second = app.start(other);
    await turn();
    await one.close();
    proceed();
    expect(await second.outcome).toMatchObject({ outcome: "done" });
  });
});

describe("the instances of a program", () => {
  it("are closed where a later one can't be made", async () => {
    await expect(app.compile(spec("sinks: [noting, broken]\n"))).rejects.toThrow(/broken/u);
    expect(log).toEqual(["sink closed"]);
  });

  it("are one for each sink and memory of the spec, also with equal options", async () => {
    const sinks = "sinks: { one: { use: noting }, two: { use: noting } }\n";
    const memory = "memory: { first: { use: counted }, second: { use: counted } }\n";
    const program = await app.compile(spec(sinks + memory));
    expect(log.splice(0)).toEqual(["memory made", "memory made"]);
    const run = app.start(program);
    await turn();
    proceed();
    await run.outcome;
    await program.close();
    expect(log).toEqual([
      "run",
      ...Array.from({ length: 2 }, () => "sink heard the end"),
      ...Array.from({ length: 2 }, () => "sink closed"),
    ]);
    const { sinks: made } = program.instances;
    expect(made[0]?.sink).not.toBe(made[1]?.sink);
  });
});
