import { getEventListeners } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, createApp, provide, type Run, type RunSettings } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { calling, builtIn, packageOf, specOf, toolOf } from "../../promises/run-scripted.ts";
import { testClock } from "../../test-clock.ts";

// Makes many runs on one shared signal and prints what they leave behind; needs `--expose-gc`.

const [count = "1000"] = process.argv.slice(2);
const collect = globalThis.gc as () => void;

const inner = `apiVersion: loopwright/v1
name: clerk
inputs: { item: string }
task: "Count {{ inputs.item }}."
model: stub/model
tools: [stock]
strategy: { react: { maxSteps: 3 } }
limits: { time: 1m, modelCalls: 9 }
`;
const outer = `tools: { clerk: { use: agent, spec: inner.yaml, timeout: 50s }, stock: {} }
strategy:
  - self-consistency: { samples: 2, maxParallel: 2, do: { react: { id: sampled, maxSteps: 2, tools: [stock], limits: { time: 30s } } } }
  - react: { maxSteps: 3 }
limits: { time: 2m, workTime: 2m }
`;

/** Every run works with tools, branches, an agent and limits of time. */
async function openRuns(root: string) {
  const model = scriptedProvider("stub", ({ key, tools, messages }) => {
    const isFirst = messages.at(-1)?.role === "user";
    if (!isFirst || tools.length === 0) return "4 nuts";
    return key.includes("/call:") || key.includes("sampled")
      ? calling("stock", "nut")
      : calling("clerk", "nut", "bolt");
  });
  const stock = toolOf("stock", (item) => `${item}: 4`);
  const clock = testClock();
  const app = await createApp({
    plugins: [...builtIn, packageOf([model, stock])],
    services: [provide(Clock, clock)],
    discovery: false,
    root,
    env: {},
  });
  const program = await app.compile({ text: specOf(outer) });
  return { app, clock, start: (settings: RunSettings) => app.start(program, {}, settings) };
}

const root = await mkdtemp(join(tmpdir(), "loopwright-many-runs-"));
await writeFile(join(root, "inner.yaml"), inner);
const { app, clock, start } = await openRuns(root);
const shared = new AbortController();
const outcomes: Record<string, number> = {};
/** Runs that the host holds on to, and what its listeners held. */
const held: unknown[] = [];
const heard: WeakRef<object>[] = [];

/** A scope of its own: the stack of an error, such as the abort's, holds on to all that its functions see. */
function listen(run: Run): WeakRef<object> {
  const note = { id: run.id };
  run.on("run.end", () => void note.id);
  return new WeakRef(note);
}

async function makeRuns(runs: number): Promise<number> {
  for (let index = 0; index < runs; index += 1) {
    const run = start({ signal: shared.signal });
    const note = listen(run);
    if (index % 100 === 0) {
      held.push(run);
      heard.push(note);
    }
    if (index % 3 === 0) run.on("tool-call.start", () => run.abort("enough"));
    const { outcome } = await run.outcome;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  }
  // Twice: what the first round frees may hold more.
  for (const _ of [1, 2]) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  return process.memoryUsage().heapUsed;
}

const warm = await makeRuns(Math.ceil(Number(count) / 4));
const after = await makeRuns(Number(count));
console.log(
  JSON.stringify({
    outcomes,
    grownBytes: after - warm,
    listeners: getEventListeners(shared.signal, "abort").length,
    timers: clock.timers,
    listenersKept: heard.filter((note) => note.deref() !== undefined).length,
    held: held.length,
  }),
);
await app.close();
await rm(root, { recursive: true, force: true });
