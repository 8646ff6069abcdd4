// Runs the command from source; without arguments, its demo.
import { spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import "./bootstrap.mjs";

const inRepository = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const given = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [
    "--conditions=@loopwright/source",
    "--import",
    import.meta.resolve("tsx"),
    inRepository("packages/cli/src/main.ts"),
    ...(given.length > 0 ? given : ["demo"]),
  ],
  {
    cwd: userFolder(),
    stdio: "inherit",
    env: { ...process.env, TSX_TSCONFIG_PATH: inRepository("tsconfig.json") },
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to the whole group, the child included: passed on, it would count twice.
    if (signal === "SIGINT" && isAtTerminal()) return;
    child.kill(signal);
  });
}
child.on("error", (fault) => {
  console.error(`loopwright did not start: ${fault.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  // 128 + the number of the signal: the shell's code for a process that was killed.
  process.exitCode = code ?? 128 + (signal === null ? 1 : constants.signals[signal]);
});

/** Where the user is: npm and pnpm change to the package's folder and leave word in INIT_CWD. */
function userFolder() {
  const { INIT_CWD, npm_package_json = "" } = process.env;
  // Set by another package's script, they say nothing about this start.
  const isOurs = realPath(npm_package_json) === realPath(inRepository("package.json"));
  return isOurs && INIT_CWD !== undefined ? INIT_CWD : process.cwd();
}

function realPath(path) {
  return existsSync(path) ? realpathSync(path) : path;
}

function isAtTerminal() {
  return [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
}
