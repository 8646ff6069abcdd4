import { createApp } from "@loopwright/core";
import { providers } from "@loopwright/providers";
import { strategies } from "@loopwright/strategies";
import { longSpec } from "./long-spec.ts";
import { spread, spreadText } from "./measure.ts";

const GOAL_MS = 300;
const maxRounds = 200;
const rounds = Math.min(Number(process.argv[2] ?? 20), maxRounds);
const lines = Number(process.argv[3] ?? 2_000);

const text = longSpec(lines);
const app = await createApp({
  plugins: [strategies, providers],
  discovery: false,
});
const times: number[] = [];
for (let round = 0; round <= rounds; round += 1) {
  const before = performance.now();
  const { diagnostics } = await app.check({ text, file: "long.yaml" });
  times.push(performance.now() - before);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(`the spec is not sound: ${JSON.stringify(errors[0])}`);
}
const [first = Number.NaN, ...later] = times;
console.log(`check of ${text.split("\n").length - 1} lines, ${rounds} rounds after the first`);
console.log(`  first, plugins loaded: ${first.toFixed(1)} ms (goal ${GOAL_MS})`);
console.log(`  later: ${spreadText(spread(later))} ms`);
await app.close();
