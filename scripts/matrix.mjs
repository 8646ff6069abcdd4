// Runs the tests under other Node versions: node scripts/matrix.mjs 22 24 26
import { spawnSync } from "node:child_process";

const versions = process.argv.slice(2);
if (versions.length === 0) {
  console.error("Name the Node versions, for example: node scripts/matrix.mjs 22 24 26");
  process.exit(2);
}
for (const version of versions) {
  const { status } = spawnSync(
    "npx",
    ["--yes", "-p", `node@${version}`, "node", "node_modules/vitest/vitest.mjs", "run"],
    { stdio: ["ignore", "inherit", "inherit"], shell: process.platform === "win32" },
  );
  console.log(`node@${version}: ${status === 0 ? "ok" : "failed"}`);
  if (status !== 0) process.exitCode = 1;
}
