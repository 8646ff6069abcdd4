// Runs the pnpm version that package.json pins: the one on PATH when it is the same, npx otherwise.
import { spawnSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const shell = process.platform === "win32";

/** Runs pnpm in the repository root and returns its exit code. */
export function runPnpm(args, stdio = "inherit") {
  const { packageManager } = JSON.parse(
    readFileSync(new URL("../package.json", import.meta.url), "utf8"),
  );
  const version = packageManager.split("@")[1];
  const env = { ...process.env, npm_config_update_notifier: "false" };
  // Asked outside the repository: inside it another pnpm may try to switch its own version.
  const found = spawnSync("pnpm", ["--version"], { cwd: tmpdir(), env, shell, encoding: "utf8" });
  const [command, ...before] =
    found.status === 0 && found.stdout.trim() === version
      ? ["pnpm"]
      : ["npx", "--yes", packageManager];
  const result = spawnSync(command, [...before, ...args], { cwd: root, env, shell, stdio });
  if (result.error) console.error(`${command} did not start: ${result.error.message}`);
  return result.status ?? 1;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = runPnpm(process.argv.slice(2));
}
