import { createApp, type Run } from "@loopwright/core";
import { scriptedProvider } from "@loopwright/providers";
import { builtIn, calling, packageOf, specOf, toolOf } from "../../promises/run-scripted.ts";

// Runs one agent in each of several ways, closes its app, and says so; then the process has nothing left to do.

const WAYS: Readonly<Record<string, (run: Run) => unknown>> = {
  done: () => undefined,
  aborted: (run) => run.on("tool-call.start", () => run.abort()),
  "with open approvals": () => undefined,
  "with a hanging tool": () => undefined,
  "with a model under way": () => undefined,
};

/** Resolves when a run has come so far that it is left as it is. */
function isLeft(way: string, run: Run): Promise<unknown> {
  const named = (name: "approval.requested" | "tool-call.start" | "model-call.start") =>
    new Promise((resolve) => run.on(name, resolve));
  switch (way) {
    case "with open approvals":
      return named("approval.requested");
    case "with a hanging tool":
      return named("tool-call.start");
    case "with a model under way":
      return named("model-call.start");
    default:
      return run.outcome;
  }
}

for (const [way, act] of Object.entries(WAYS)) {
  const never = new Promise(() => undefined);
  const stock = toolOf("stock", (item) => (way === "with a hanging tool" ? never : `${item}: 4`));
  const model = scriptedProvider("stub", [
    { ...calling("stock", "nut"), delayMs: way === "with a model under way" ? 3_600_000 : 0 },
    "4 nuts",
  ]);
  const app = await createApp({
    plugins: [...builtIn, packageOf([model, stock])],
    discovery: false,
    env: {},
  });
  const approval = way === "with open approvals" ? "always" : "never";
  const spec = `tools: { stock: { approval: ${approval}, timeout: 1h } }\nstrategy: react\nlimits: { time: 1h }\n`;
  const program = await app.compile({ text: specOf(spec) });
  const run = app.start(program);
  act(run);
  await isLeft(way, run);
  await app.close();
  console.log(`${way}: ${(await run.outcome).outcome}`);
}
console.log(`closed ${Date.now()}`);
