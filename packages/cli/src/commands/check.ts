import { resolve } from "node:path";
import type { App, CompileOptions } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { refusePositionals } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { explanationText } from "../explanation-text.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { nearestName } from "../nearest-name.ts";
import { openApp, rootFor } from "../open-app.ts";
import { readSettings } from "../read-settings.ts";
import type { CheckedSpec } from "../report/checked-spec.ts";
import { githubAnnotations } from "../report/github-annotations.ts";
import { jsonLines } from "../report/json-lines.ts";
import { launchReport } from "../report/launch-report.ts";
import { sarif } from "../report/sarif.ts";
import { summaryLines, textReport } from "../report/text-report.ts";

/** The formats that a machine reads: standard output then carries nothing else. */
const FORMATS: Readonly<Record<string, (checked: readonly CheckedSpec[]) => string>> = {
  json: jsonLines,
  sarif,
  github: githubAnnotations,
};

/** Checks specs and tells everything that is wrong with them; or explains a code. */
export const check: CommandFunction = async (given) => {
  const code = given.text("explain");
  if (code !== undefined) return explainOne(given, code);
  if (given.positionals.length === 0) {
    throw usageError("check needs a spec, like loopwright check agent.yaml");
  }
  const format = readFormat(given);
  const checked = await checkAll(given, readSettings(given));
  if (format === undefined) process.stdout.write(textReport(checked, given.has("strict")));
  else {
    process.stdout.write(format(checked));
    process.stderr.write(summaryLines(checked, given.has("strict")));
  }
  const isSound = checked.every((one) => isPassed(one, given.has("strict")));
  const isReady = !given.has("launch") || printLaunch(checked);
  return isSound && isReady ? EXIT_CODES.done : EXIT_CODES.invalid;
};

async function explainOne(given: Arguments, code: string): Promise<typeof EXIT_CODES.done> {
  refusePositionals("check --explain", given.positionals);
  process.stdout.write(await explanationText(code));
  return EXIT_CODES.done;
}

/** How the findings are printed; undefined for a person to read. */
function readFormat(given: Arguments): ((checked: readonly CheckedSpec[]) => string) | undefined {
  const name = given.text("format") ?? "text";
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  if (format !== undefined && given.has("launch")) {
    throw usageError("--launch is for a person to read; leave --format out");
  }
  if (format !== undefined || name === "text") return format;
  const names = ["text", ...Object.keys(FORMATS)];
  const near = nearestName(name, names);
  const hint = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
  throw usageError(`there is no --format ${name}; ${hint}`);
}

/** Specs of one project share an app. */
async function checkAll(
  given: Arguments,
  settings: CompileOptions,
): Promise<readonly CheckedSpec[]> {
  const apps = new Map<string, App>();
  const checked: CheckedSpec[] = [];
  try {
    for (const spec of given.positionals) {
      const root = rootFor(given, spec);
      const discovery = !given.has("no-discovery");
      const app = apps.get(root) ?? (await openApp({ root, discovery })).app;
      apps.set(root, app);
      const result = await app.check({ file: resolve(spec) }, { ...settings, root });
      checked.push({ spec, root, result });
    }
    return checked;
  } finally {
    for (const app of apps.values()) await app.close();
  }
}

/** A fragment passes without a program: it can't run, which is no fault of it. */
function isPassed({ result }: CheckedSpec, isStrict: boolean): boolean {
  const { diagnostics, program } = result;
  if (isStrict && diagnostics.length > 0) return false;
  const isFragment = diagnostics.some(({ code }) => code === "LW-SPEC-FRAGMENT");
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  return !hasErrors && (program !== undefined || isFragment);
}

/** Prints the launch checks of every spec; returns whether all of them pass. */
function printLaunch(checked: readonly CheckedSpec[]): boolean {
  const reports = checked.map(launchReport);
  process.stdout.write(reports.map(({ text }) => text).join(""));
  return reports.every(({ isReady }) => isReady);
}
