import { resolve } from "node:path";
import {
  type CompileOptions,
  diffPrograms,
  explainProgram,
  formatDifference,
  formatExplain,
  mermaidChart,
  type Program,
} from "@loopwright/core";
import { stringify } from "yaml";
import type { Arguments } from "../arguments.ts";
import { refusePositionals } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { checkProgram } from "../compile-program.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { explainPath } from "../explain-path.ts";
import { type OpenedApp, openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";

const PIPE_COLUMNS = 100;

/** Shows what a spec compiles to, or where one of its values comes from. */
export const explain: CommandFunction = async (given) => {
  const [spec, path, ...extra] = given.positionals;
  if (spec === undefined) {
    throw usageError("explain needs a spec, like loopwright explain agent.yaml");
  }
  refusePositionals("explain", extra);
  requireOneForm(given, path);
  const discovery = !given.has("no-discovery");
  const opened = await openApp({ root: rootFor(given, spec), discovery });
  const settings = readSettings(given);
  try {
    if (path !== undefined)
      return await explainPath(opened, { spec, path, settings, isJson: given.has("json") });
    const program = await checkProgram(opened, spec, settings);
    if (given.has("spec")) printCanonical(program, given);
    else if (given.has("mermaid")) process.stdout.write(mermaidChart(explainProgram(program)));
    else await printTree(program, { opened, spec, settings }, given);
    return EXIT_CODES.done;
  } finally {
    await opened.app.close();
  }
};

function requireOneForm(given: Arguments, path: string | undefined): void {
  const forms = ["spec", "mermaid"].filter((name) => given.has(name)).map((name) => `--${name}`);
  if (given.has("mermaid") && given.has("json")) forms.push("--json");
  const [first, second] = path === undefined ? forms : ["a path", ...forms];
  if (first === undefined || second === undefined) return;
  throw usageError(`${first} and ${second} exclude each other; see loopwright explain --help`);
}

function printCanonical({ canonical }: Program, given: Arguments): void {
  if (given.has("json")) printJson(canonical);
  else process.stdout.write(stringify(canonical, { lineWidth: 0, aliasDuplicateObjects: false }));
}

interface Explained {
  readonly opened: OpenedApp;
  readonly spec: string;
  readonly settings: CompileOptions;
}

async function printTree(program: Program, explained: Explained, given: Arguments): Promise<void> {
  const tree = explainProgram(program);
  const { overlays = [] } = explained.settings;
  const difference =
    overlays.length === 0 ? [] : diffPrograms(await plainProgram(explained), program);
  if (given.has("json")) {
    printJson(overlays.length === 0 ? tree : { ...tree, difference });
    return;
  }
  const columns = process.stdout.columns ?? PIPE_COLUMNS;
  process.stdout.write(`${formatExplain(tree, columns)}\n`);
  if (overlays.length === 0) return;
  const lines = difference.map((one) => `  ${formatDifference(one)}`);
  const names = overlays.map((name) => `\`${name}\``).join(" and ");
  const told = lines.length === 0 ? ["  no difference in what runs"] : lines;
  process.stdout.write(`\nWhat overlay ${names} changes\n${told.join("\n")}\n`);
}

/** The spec without its overlays; what is set over it may fit only a stage of an overlay, and is then left out. */
async function plainProgram({ opened, spec, settings }: Explained): Promise<Program> {
  const { app, root } = opened;
  const plain = { ...settings, overlays: [], root };
  const { program } = await app.check({ file: resolve(spec) }, plain);
  return program ?? checkProgram(opened, spec, { ...plain, overrides: [] });
}
