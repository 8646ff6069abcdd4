// Packs every package, installs the tarballs in an empty project as a user would, and runs the built command there
// with the order desk's plugin package found by its manifest. Needs a build, and the npm registry for dependencies.
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runPnpm } from "./pnpm.mjs";

/** A spec whose provider is found by the manifest of its package. */
const CLAUDE = `apiVersion: loopwright/v1
name: claude
task: Say hello.
model: anthropic/claude-sonnet-5-5
strategy: direct
`;

/** An endpoint that nobody serves: what is loaded when calls fail must be in the bundle too. */
const NOBODY = `apiVersion: loopwright/v1
name: nobody
inputs: { name: string }
task: Say hello to {{ inputs.name }}.
model:
  use: custom/stub
  baseUrl: http://127.0.0.1:9/v1
  retry: { attempts: 2, first: 10ms }
  breaker: { failures: 2, rest: 1s }
  maxParallel: 1
strategy: direct
output: { fields: { greeting: string } }
`;

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "loopwright-consumer-"));
const tarballs = join(folder, "tarballs");
const project = join(folder, "project");

try {
  mkdirSync(tarballs);
  mkdirSync(join(project, "scripts"), { recursive: true });
  if (runPnpm(["-r", "pack", "--pack-destination", tarballs], ["ignore", 2, 2]) !== 0)
    throw new Error("packing failed");
  const files = readdirSync(tarballs).map((file) => `file:../tarballs/${file}`);
  const names = Object.fromEntries(files.map((file) => [nameOf(file), file]));
  const wanted = [
    "loopwright",
    "@loopwright/core",
    "@acme/loopwright-orders",
    "@loopwright/providers",
    "@loopwright/anthropic",
    "@loopwright/strategies",
    "@loopwright/tools",
    "@loopwright/checks",
    "@loopwright/sinks",
    "@loopwright/memories",
  ];
  const dependencies = Object.fromEntries(wanted.map((name) => [name, names[name]]));
  writeFileSync(
    join(project, "package.json"),
    JSON.stringify({ name: "consumer", private: true, type: "module", dependencies }),
  );
  copyFileSync(join(root, "specs/order-desk.yaml"), join(project, "order-desk.yaml"));
  cpSync(join(root, "specs/scripts/order-desk.yaml"), join(project, "scripts/order-desk.yaml"));
  run("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
  const command = join(project, "node_modules/loopwright/bundle/main.js");
  expect(run(process.execPath, [command, "--version"]), /^\d+\.\d+\.\d+\n$/);
  expect(run(process.execPath, [command, "check", "order-desk.yaml"]), /ok; at most/);
  const scripted = ["--model", "*=scripted/order-desk", "--replies", "scripts/order-desk.yaml"];
  const ask = [
    "run",
    "order-desk.yaml",
    "Where is my parcel?",
    "-i",
    "orderId=A20260824001",
    "--json",
  ];
  const outcome = JSON.parse(run(process.execPath, [command, ...ask, ...scripted]));
  expect(
    `${outcome.outcome} ${outcome.verified} ${outcome.value.addressChanged}`,
    /^done pass false$/,
  );
  writeFileSync(join(project, "claude.yaml"), CLAUDE);
  expect(run(process.execPath, [command, "check", "claude.yaml"]), /ok; at most/);
  writeFileSync(join(project, "nobody.yaml"), NOBODY);
  const lone = [command, "run", "nobody.yaml", "-i", "name=Ada", "--json"];
  expect(run(process.execPath, lone, 1), /"code": "provider-unavailable"/);
  writeFileSync(join(project, "names.csv"), "name\nAda\n");
  const rows = [command, "batch", "nobody.yaml", "--from", "names.csv", "--json"];
  expect(run(process.execPath, rows, 1), /"provider-unavailable": 1/);
  console.error("consumer: installed from tarballs, checked and ran the order desk");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(program, args, status = 0) {
  const shell = process.platform === "win32" && program === "npm";
  const done = spawnSync(program, args, {
    cwd: project,
    encoding: "utf8",
    shell,
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (done.status !== status)
    throw new Error(
      `${program} ${args.join(" ")} exited ${done.status}:\n${done.stdout}${done.stderr}`,
    );
  return done.stdout;
}

function expect(text, pattern) {
  if (!pattern.test(text)) throw new Error(`expected ${pattern}, got:\n${text}`);
}

/** The package name of a tarball: `@scope/name` is packed as `scope-name-version.tgz`. */
function nameOf(file) {
  const base = file
    .split("/")
    .at(-1)
    .replace(/-\d+\.\d+\.\d+.*$/, "");
  if (base.startsWith("loopwright-")) return `@loopwright/${base.slice("loopwright-".length)}`;
  return base.startsWith("acme-") ? `@acme/${base.slice("acme-".length)}` : base;
}
