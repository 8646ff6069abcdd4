import { existsSync } from "node:fs";
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
  const [left, right] =
    after === undefined ? alone(before, settings) : [before, after].map(readSide);
  if (left === undefined || right === undefined) {
    throw usageError("diff needs a second spec, or --overlay to compare a spec with its overlay");
  }
  const shared = after === undefined ? [] : (settings.overlays ?? []);
  const first = await programOf(left, { ...settings, overlays: shared }, given);
  const second = await programOf(right, { ...settings, overlays: shared }, given);
  const difference = diffPrograms(first, second);
  if (given.has("json")) printJson({ isEqual: difference.length === 0, difference });
  else if (difference.length === 0) process.stdout.write("no difference in what runs\n");
  else process.stdout.write(`${difference.map(formatDifference).join("\n")}\n`);
  return difference.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
};

/** One side of a comparison. */
interface Side {
  readonly spec: string;
  /** Laid over it after those that are laid over both. */
  readonly overlays: readonly string[];
}

const withOverlays = /^(.+?)((?:@[a-z][a-z0-9-]*)+)$/u;

/** Reads `SPEC` or `SPEC@OVERLAY`; a file that is called so goes first. */
function readSide(text: string): Side {
  const [, spec, names] = existsSync(text) ? [] : (withOverlays.exec(text) ?? []);
  if (spec === undefined || names === undefined) return { spec: text, overlays: [] };
  return { spec, overlays: names.slice(1).split("@") };
}

/** A spec, and the same one with its overlays; none where no overlay is named. */
function alone(text: string, settings: CompileOptions): readonly Side[] {
  const { spec, overlays } = readSide(text);
  const all = [...(settings.overlays ?? []), ...overlays];
  return all.length === 0
    ? []
    : [
        { spec, overlays: [] },
        { spec, overlays: all },
      ];
}

async function programOf(
  { spec, overlays }: Side,
  settings: CompileOptions,
  given: Arguments,
): Promise<Program> {
  const discovery = !given.has("no-discovery");
  const opened = await openApp({ root: rootFor(given, spec), discovery });
  const all = [...(settings.overlays ?? []), ...overlays];
  try {
    return await checkProgram(opened, spec, { ...settings, overlays: all });
  } finally {
    await opened.app.close();
  }
}
