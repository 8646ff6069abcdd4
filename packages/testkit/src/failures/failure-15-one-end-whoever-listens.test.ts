import { createApp, type Run, type RunEvent } from "@loopwright/core";
import { defineProvider, ProviderError, Type } from "@loopwright/core/plugin";
import type { Provider } from "@loopwright/core/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { builtIn, packageOf, specOf } from "../promises/run-scripted.ts";

// vercel/ai#7982, mastra#20307, pi#9826: only the events or only the result are read; a provider throws at once.

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => void process.off("unhandledRejection", note));

/** What was rejected and handled by nobody, once all is over. */
async function unhandledAtLast(): Promise<readonly unknown[]> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return unhandled;
}

const USAGE = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1, reasoning: 0 };

const WAYS: Readonly<Record<string, Provider["generate"]>> = {
  answers: async () => ({
    message: { role: "assistant", text: "hello", reasoning: "", toolCalls: [] },
    usage: USAGE,
    finishReason: "stop",
  }),
  "throws at once": () => {
    throw new Error("at once");
  },
  "throws a fault that may be tried again at once": () => {
    throw new ProviderError("provider-unavailable", "busy", { retryable: true });
  },
  rejects: () => Promise.reject(new ProviderError("provider-rejected", "no")),
  "rejects with nothing": () => Promise.reject(undefined),
  "rejects when it is given up": (_request, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    }),
  "never ends": () => new Promise(() => undefined),
};
const ABORTED: ReadonlySet<string> = new Set(["rejects when it is given up", "never ends"]);

async function start(way: string, listen: (run: Run) => void = () => undefined) {
  const stub = defineProvider({
    id: "stub",
    description: "Does one thing.",
    options: Type.Object({}),
    create: () => ({
      generate: WAYS[way] as Provider["generate"],
      capabilities: () => ({ tools: true, structured: "prompt" }),
    }),
  });
  const app = await createApp({
    plugins: [...builtIn, packageOf([stub])],
    discovery: false,
    env: {},
  });
  const model = "model: { use: stub/model, retry: { attempts: 2, first: 1ms, max: 2ms } }\n";
  const program = await app.compile({ text: specOf(`${model}strategy: direct\n`) });
  const run = app.start(program);
  listen(run);
  if (ABORTED.has(way)) setTimeout(() => run.abort("the client went away"), 5);
  return { app, run };
}

describe.each(Object.keys(WAYS))("a provider that %s", (way) => {
  it("leaves one end to who reads only the events", async () => {
    const events: RunEvent[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { app } = await start(way, (run) => {
      run.on("*", (event) => {
        events.push(event);
        if (event.name === "run.end") end();
      });
    });
    await ended;
    expect(unbalanced(events)).toEqual([]);
    expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
    await app.close();
    expect(await unhandledAtLast()).toEqual([]);
  });

  it("leaves one outcome to who reads only that", async () => {
    const { app, run } = await start(way);
    const { outcome } = await run.outcome;
    const wanted = way === "answers" ? "done" : ABORTED.has(way) ? "aborted" : "failed";
    expect(outcome).toBe(wanted);
    await app.close();
    expect(await unhandledAtLast()).toEqual([]);
  });

  it("leaves nothing open for who reads neither", async () => {
    const { app } = await start(way);
    await app.close();
    expect(await unhandledAtLast()).toEqual([]);
  });
});
