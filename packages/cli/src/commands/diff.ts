import {
  type CompileOptions,
  diffPrograms,
  formatDifference,
  type Program,
} from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { refusePositionals } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { checkProgram } from "../compile-program.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";

/** Says what differs in what two specs do, or in what a spec does with an overlay. */
export const diff: CommandFunction = async (given) => {
  const [before, after, ...extra] = given.positionals;
  if (before === undefined) {
    throw usageError("diff needs two specs, like loopwright diff a.yaml b.yaml");
  }
  refusePositionals("diff", extra);
  const settings = readSettings(given);
  if (after === undefined && settings.overlays?.length === 0) {
    throw usageError("diff needs a second spec, or --overlay to compare a spec with its overlay");
  }
  const plain = after === undefined ? { ...settings, overlays: [] } : settings;
  const first = await programOf(before, plain, given);
  const second = await programOf(after ?? before, settings, given);
  const difference = diffPrograms(first, second);
  if (given.has("json")) printJson({ isEqual: difference.length === 0, difference });
  else if (difference.length === 0) process.stdout.write("no difference in what runs\n");
  else process.stdout.write(`${difference.map(formatDifference).join("\n")}\n`);
  return difference.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
};

async function programOf(
  spec: string,
  settings: CompileOptions,
  given: Arguments,
): Promise<Program> {
  const discovery = !given.has("no-discovery");
  const opened = await openApp({ root: rootFor(given, spec), discovery });
  try {
    return await checkProgram(opened, spec, settings);
  } finally {
    await opened.app.close();
  }
}
