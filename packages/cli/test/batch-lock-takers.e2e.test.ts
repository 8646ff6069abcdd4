import { spawn } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { repository } from "./spawn-command.ts";
import { tempFiles } from "./temp-files.ts";

const TAKERS = 4;
const LOCKS = 60;

/** Takes one lock after the other, each at the moment at which all others try it too; then says which it got. */
const SCRIPT = `
const { lockOutput } = await import(process.argv[1]);
process.setMaxListeners(0);
const [folder, count] = [process.argv[2], Number(process.argv[3])];
process.stdout.write("ready\\n");
const start = await new Promise((resolve) => process.stdin.once("data", (text) => resolve(Number(text))));
const got = [];
for (let at = 0; at < count; at++) {
  while (Date.now() < start + at * 15);
  try { lockOutput(folder + "/" + at); got.push(at); } catch (fault) { if (fault.code !== "batch-busy") throw fault; }
}
process.stdout.write(JSON.stringify(got) + "\\n");
process.stdin.once("data", () => process.exit(0));
`;

interface Taker {
  /** What it says next. */
  readonly line: () => Promise<string>;
  readonly tell: (text: string) => void;
  readonly ended: Promise<void>;
}

function taker(folder: string): Taker {
  const loader = pathToFileURL(join(repository, "node_modules/tsx/dist/loader.mjs")).href;
  const lock = new URL("../src/batch/batch-lock.ts", import.meta.url).href;
  const run = ["--input-type=module", "-e", SCRIPT, lock, folder, String(LOCKS)];
  const child = spawn(
    process.execPath,
    ["--conditions=@loopwright/source", "--import", loader, ...run],
    {
      cwd: fileURLToPath(new URL(".", import.meta.url)),
      env: { PATH: process.env["PATH"], TSX_TSCONFIG_PATH: join(repository, "tsconfig.json") },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  onTestFinished(() => void child.kill());
  const line = (): Promise<string> =>
    new Promise((resolve) => child.stdout.once("data", (piece) => resolve(String(piece))));
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return { line, tell: (text) => child.stdin.write(text), ended };
}

test("of several processes that find the lock of a dead one, one takes it over", async () => {
  const folder = tempFiles();
  for (let at = 0; at < LOCKS; at++)
    writeFileSync(join(folder, `${at}.lock`), `999999999 ${hostname()} 0\n`);
  const takers = Array.from({ length: TAKERS }, () => taker(folder));
  await Promise.all(takers.map(({ line }) => line()));
  const said = takers.map(({ line }) => line());
  const start = String(Date.now() + 50);
  for (const { tell } of takers) tell(start);
  const got = (await Promise.all(said)).flatMap((text) => JSON.parse(text) as number[]);
  expect(got.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LOCKS }, (_, at) => at));
  for (const { tell } of takers) tell("end");
  await Promise.all(takers.map(({ ended }) => ended));
  expect(readdirSync(folder)).toEqual(["package.json"]);
});
