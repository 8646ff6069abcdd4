// Checks the Node version and installs the dependencies when the lock file differs from the installed one.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { runPnpm } from "./pnpm.mjs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Loopwright needs Node 20.19 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

const stampFile = new URL("../node_modules/.lock-sha256", import.meta.url);
const lock = readFileSync(new URL("../pnpm-lock.yaml", import.meta.url));
const wanted = createHash("sha256").update(lock).digest("hex");

if (readStamp() !== wanted) {
  // pnpm talks on stderr, so that the standard output of the command stays clean.
  const code = runPnpm(["install", "--frozen-lockfile"], ["ignore", 2, 2]);
  if (code !== 0) process.exit(code);
  writeFileSync(stampFile, wanted);
}

function readStamp() {
  try {
    return readFileSync(stampFile, "utf8");
  } catch {
    return "";
  }
}
