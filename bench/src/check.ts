import { createApp } from "@loopwright/core";
import { providers } from "@loopwright/providers";
import { strategies } from "@loopwright/strategies";
import { longSpec } from "./long-spec.ts";
import { spread, spreadText } from "./measure.ts";

const GOAL_MS = 300;
const maxRounds = 200;
const rounds = Math.min(Number(process.argv[2] ?? 20), maxRounds);
const lines = Number(process.argv[3] ?? 2_000);
const shortest = 30;

const text = longSpec(lines);
const app = await createApp({
  plugins: [strategies, providers],
  discovery: false,
});
const start = await timeOf(longSpec(shortest), "short.yaml");
const first = await timeOf(text, "long.yaml");
const again: number[] = [];
const edited: number[] = [];
for (let round = 1; round <= rounds; round += 1) {
  again.push(await timeOf(text, `long-${round}.yaml`));
  edited.push(await timeOf(`${text}# ${round}\n`, "long.yaml"));
}
console.log(`check of ${text.split("\n").length - 1} lines, ${rounds} rounds after the first`);
console.log(`  start, plugins loaded with a spec of ${shortest} lines: ${start.toFixed(1)} ms`);
console.log(`  first after start: ${first.toFixed(1)} ms (goal ${GOAL_MS})`);
console.log(`  later, each a file of its own: ${spreadText(spread(again))} ms`);
console.log(`  later, the same file with a line changed: ${spreadText(spread(edited))} ms`);
await app.close();

async function timeOf(spec: string, file: string): Promise<number> {
  const before = performance.now();
  const { diagnostics } = await app.check({ text: spec, file });
  const time = performance.now() - before;
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) throw new Error(`the spec is not sound: ${JSON.stringify(error)}`);
  return time;
}
