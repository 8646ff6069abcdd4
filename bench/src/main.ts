import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Contestant, Endpoint } from "./contestants/contestant.ts";
import { fetchLoop } from "./contestants/fetch-loop.ts";
import { loopwright, readOpening } from "./contestants/loopwright.ts";
import { openaiLoop } from "./contestants/openai-loop.ts";
import { ratios, rotated, type Sample, sample, spread, spreadText } from "./measure.ts";
import { ANSWER, STEPS, TOOL_ROUNDS } from "./task.ts";

// All contestants are measured as a server runs them: after their first thousands of steps, when the code is compiled.
const WARM_UP_ROUNDS = 60;
const RUNS_A_SAMPLE = 10;
const maxRounds = 500;
const rounds = Math.min(Number(process.argv[2] ?? 60), maxRounds);

const server = fork(fileURLToPath(new URL("./stub-server.ts", import.meta.url)));
const [url] = (await once(server, "message")) as [string];
const opening = await readOpening(url);
for (const stream of [false, true]) await compete({ url, stream, opening });
server.disconnect();

async function compete(endpoint: Endpoint): Promise<void> {
  const contestants = [await loopwright(endpoint), fetchLoop(endpoint), openaiLoop(endpoint)];
  const samples = new Map<Contestant, Sample[]>(contestants.map((one) => [one, []]));
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (const contestant of rotated(contestants, round)) {
      // Not timed: the caches are still those of the contestant before.
      await contestant.run();
      const taken = await sample(() => runOften(contestant));
      if (round >= WARM_UP_ROUNDS) samples.get(contestant)?.push(taken);
    }
  }
  for (const contestant of contestants) await contestant.close();
  report(endpoint.stream, samples);
}

async function runOften(contestant: Contestant): Promise<void> {
  for (let count = 0; count < RUNS_A_SAMPLE; count += 1) {
    const answer = await contestant.run();
    if (answer !== ANSWER) throw new Error(`${contestant.name} answered: ${answer}`);
  }
}

function report(stream: boolean, samples: ReadonlyMap<Contestant, readonly Sample[]>): void {
  const all = [...samples].map(([{ name }, taken]) => ({
    name,
    wall: taken.map(({ wallMs }) => wallMs / (RUNS_A_SAMPLE * STEPS)),
    cpu: taken.map(({ cpuMs }) => cpuMs / (RUNS_A_SAMPLE * STEPS)),
  }));
  const [own, ...others] = all;
  if (own === undefined) return;
  console.log(
    `\n${TOOL_ROUNDS} tool rounds, ${stream ? "streaming" : "whole replies"}, ${rounds} rounds`,
  );
  for (const { name, wall, cpu } of all)
    console.log(
      `  ${name}: ${spreadText(spread(wall))} ms wall, ${spreadText(spread(cpu))} ms CPU a step`,
    );
  for (const { name, wall, cpu } of others)
    console.log(
      `  ${own.name} / ${name}: wall ${spreadText(ratios(own.wall, wall))}, CPU ${spreadText(ratios(own.cpu, cpu))}`,
    );
}
