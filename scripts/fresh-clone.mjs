// Does what a newcomer does: clones the committed tree into an empty folder and runs the README's two commands there,
// with an empty home and nothing global but Node and npm. The clone must stay clean.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "loopwright-fresh-"));
const clone = join(folder, "loopwright");
const home = join(folder, "home");

try {
  mkdirSync(home);
  run("git", ["clone", "--quiet", root, clone], folder);
  run("npm", ["start"], clone);
  run("npm", ["test"], clone);
  const changed = run("git", ["status", "--porcelain"], clone);
  if (changed !== "") throw new Error(`the two commands left the clone changed:\n${changed}`);
  console.error("fresh clone: both commands passed and the clone is clean");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a program with the registry settings of npm, and nothing else of this environment. */
function run(program, args, cwd) {
  const path = [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":");
  const kept = Object.entries(process.env).filter(([name]) =>
    /^npm_config_registry$|_PROXY$/i.test(name),
  );
  const env = { ...Object.fromEntries(kept), PATH: path, HOME: home };
  const done = spawnSync(program, args, {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const tail = `${done.stdout}${done.stderr}`.split("\n").slice(-15).join("\n");
  if (done.status !== 0)
    throw new Error(`${program} ${args.join(" ")} exited ${done.status}:\n${tail}`);
  console.error(`${program} ${args.join(" ")}: ok\n${tail.replace(/^/gm, "  ")}`);
  return done.stdout;
}
