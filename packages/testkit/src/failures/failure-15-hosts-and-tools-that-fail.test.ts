import { createApp, type Run, type RunEvent } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { unbalanced } from "../events.ts";
import { builtIn, calling, packageOf, specOf, toolOf } from "../promises/run-scripted.ts";

// vercel/ai#7982, mastra#20307, pi#9826: listeners of the host and tools that fail in every way there is.

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(() => {
  process.off("unhandledRejection", note);
  vi.restoreAllMocks();
});

/** What was rejected and handled by nobody, once all is over. */
async function unhandledAtLast(): Promise<readonly unknown[]> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return unhandled;
}

/** Runs an agent with one tool; `listen` is the host's. */
async function runWith(act: () => unknown, listen: (run: Run) => void = () => undefined) {
  const app = await createApp({
    plugins: [
      ...builtIn,
      packageOf([
        scriptedProvider("stub", [calling("stock", "nut"), "4 nuts"]),
        toolOf("stock", act),
      ]),
    ],
    discovery: false,
    env: {},
  });
  const tools = "tools: { stock: { retry: 1 } }\n";
  const program = await app.compile({ text: specOf(`${tools}strategy: react\n`) });
  const run = app.start(program);
  listen(run);
  const events: RunEvent[] = [];
  run.on("*", (event) => void events.push(event));
  return { app, run, events };
}

const fail = (): never => {
  throw new Error("the host's own fault");
};

/** What can be awaited and is no promise. */
function thenable(then: (done: unknown, no: (why: Error) => void) => void): object {
  // oxlint-disable-next-line unicorn/no-thenable
  return Object.defineProperty({}, "then", { value: then });
}

const LISTENERS: Readonly<Record<string, (run: Run) => void>> = {
  "throws at every event": (run) => void run.on("*", fail),
  "rejects at every event": (run) => void run.on("*", async () => fail()),
  "rejects later": (run) =>
    void run.on("*", () => new Promise((_resolve, reject) => setTimeout(reject, 1))),
  "throws nothing at all": (run) =>
    void run.on("*", () => {
      throw undefined;
    }),
  "gives something that can be awaited and fails": (run) =>
    void run.on("*", () => thenable((_done, no) => no(new Error()))),
  "throws at the end": (run) => void run.on("run.end", fail),
  "throws at what is told of its own fault": (run) => {
    run.on("run.start", fail);
    run.on("sink.failed", async () => fail());
  },
  "aborts and throws": (run) =>
    void run.on("tool-call.start", () => {
      run.abort();
      fail();
    }),
};

describe.each(Object.keys(LISTENERS))("a listener that %s", (way) => {
  it("changes nothing: one end, and nothing rejected that nobody handles", async () => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    const { app, run, events } = await runWith(() => "4", LISTENERS[way]);
    const { outcome } = await run.outcome;
    expect(outcome).toBe(way.startsWith("aborts") ? "aborted" : "done");
    const end = events.findIndex(({ name }) => name === "run.end");
    expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
    expect(unbalanced(events.slice(0, end + 1))).toEqual([]);
    await app.close();
    expect(await unhandledAtLast()).toEqual([]);
  });

  it("changes nothing for a host that never looks at the outcome", async () => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    const { app, events } = await runWith(() => "4", LISTENERS[way]);
    await app.close();
    expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
    expect(await unhandledAtLast()).toEqual([]);
  });
});

const circular: { self?: unknown } = {};
circular.self = circular;

const TOOLS: Readonly<Record<string, () => unknown>> = {
  "throws a text": () => {
    throw "out of order";
  },
  "throws nothing": () => {
    throw undefined;
  },
  "throws null": () => {
    throw null;
  },
  "throws an object without a message": () => {
    throw { code: 7 };
  },
  "throws what throws when it is read": () => {
    throw {
      get message(): string {
        throw new Error("unreadable");
      },
    };
  },
  "rejects with a number": () => Promise.reject(4),
  "gives something that can be awaited and throws": () => thenable(fail),
  "gives a circle": () => circular,
  "gives a bigint": () => 4n,
  "gives a function": () => fail,
  "gives a symbol": () => Symbol("4"),
};

describe.each(Object.keys(TOOLS))("a tool that %s", (way) => {
  it("fails its call alone", async () => {
    const { app, run, events } = await runWith(TOOLS[way] as () => unknown);
    const { outcome, answer, state } = await run.outcome;
    expect({ outcome, text: answer.text }).toEqual({ outcome: "done", text: "4 nuts" });
    expect(state.observations).toHaveLength(1);
    expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
    expect(unbalanced(events)).toEqual([]);
    await app.close();
    expect(await unhandledAtLast()).toEqual([]);
  });
});
