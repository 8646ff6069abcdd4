// Runs the command from source; without arguments, its demo.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import "./bootstrap.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const given = process.argv.slice(2);
const child = spawn(
  process.execPath,
  [
    "--conditions=@loopwright/source",
    "--import",
    "tsx",
    "packages/cli/src/main.ts",
    ...(given.length > 0 ? given : ["demo"]),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      TSX_TSCONFIG_PATH: fileURLToPath(new URL("../tsconfig.json", import.meta.url)),
    },
  },
);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("exit", (code, signal) => {
  // 128 + 15: the shell's code for a terminated process.
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 143);
});
