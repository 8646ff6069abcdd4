import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ratios, rotated, spread, spreadText } from "./measure.ts";

const WARM_UP_ROUNDS = 3;
const maxRounds = 200;
const rounds = Math.min(Number(process.argv[2] ?? 20), maxRounds);

const root = fileURLToPath(new URL("../..", import.meta.url));
const command = commandFile();

if (existsSync(command)) compare();
else {
  console.error(`The command is not built: there is no ${command}. Run \`npm run build\` first.`);
  process.exitCode = 1;
}

/** The file that the package of the command names under `bin`. */
function commandFile(): string {
  const folder = new URL("../../packages/cli/", import.meta.url);
  const { bin } = JSON.parse(readFileSync(new URL("package.json", folder), "utf8")) as {
    readonly bin: { readonly loopwright: string };
  };
  return fileURLToPath(new URL(bin.loopwright, folder));
}

/** Starts the commands in turn and prints how they stand to a bare Node. */
function compare(): void {
  const bare = { name: "node -e 0", given: ["-e", "0"], times: [] as number[] };
  const own = [
    { name: "--version", goal: 1.5, given: [command, "--version"], times: [] as number[] },
    {
      name: "check specs/order-desk.yaml",
      goal: 4,
      given: [command, "check", "specs/order-desk.yaml"],
      times: [] as number[],
    },
  ];
  for (let round = 0; round < WARM_UP_ROUNDS + rounds; round += 1) {
    for (const { given, times } of rotated([bare, ...own], round)) {
      const wallMs = start(given);
      if (round >= WARM_UP_ROUNDS) times.push(wallMs);
    }
  }
  console.log(`${rounds} rounds; ${bare.name}: ${spreadText(spread(bare.times))} ms`);
  for (const { name, goal, times } of own) {
    const ofMedians = spread(times).median / spread(bare.times).median;
    const pairs = spreadText(ratios(times, bare.times));
    console.log(
      `  ${name}: ${ofMedians.toFixed(2)} times a bare Node (goal ${goal}); by pairs ${pairs}`,
    );
  }
}

/** Runs Node to its end and gives the milliseconds; a command that fails ends the benchmark. */
function start(given: readonly string[]): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, given, { cwd: root, encoding: "utf8" });
  const wallMs = performance.now() - before;
  if (status !== 0) throw new Error(`node ${given.join(" ")} ended with ${status}: ${stderr}`);
  return wallMs;
}
