import { resolve } from "node:path";
import type { App, CheckResult, CompileOptions, Program } from "@loopwright/core";
import type { Arguments } from "../arguments.ts";
import { usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { countText, counted, diagnosticText, fromHere } from "../diagnostic-text.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { openApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";

/** Checks specs and tells everything that is wrong with them. */
export const check: CommandFunction = async (given) => {
  if (given.positionals.length === 0) {
    throw usageError("check needs a spec, like loopwright check agent.yaml");
  }
  const checked = await checkAll(given, readSettings(given));
  if (given.has("json")) printJson({ specs: checked.map(specJson) });
  else process.stdout.write(checked.map(specText).join(""));
  const isSound = checked.every(({ result }) => result.program !== undefined);
  return isSound ? EXIT_CODES.done : EXIT_CODES.invalid;
};

interface Checked {
  readonly spec: string;
  readonly root: string;
  readonly result: CheckResult;
}

/** Specs of one project share an app. */
async function checkAll(given: Arguments, settings: CompileOptions): Promise<readonly Checked[]> {
  const apps = new Map<string, App>();
  const checked: Checked[] = [];
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

function specText({ spec, root, result }: Checked): string {
  const { program, diagnostics } = result;
  const worst = program === undefined ? "" : `; ${worstCase(program)}`;
  if (diagnostics.length === 0) return `${spec}: ok${worst}\n`;
  return `${diagnosticText(result, root)}\n\n${spec}: ${countText(diagnostics)}${worst}\n\n`;
}

/** At most so many calls, whatever the models say; a limit may end a run earlier. */
function worstCase({ bounds, limits }: Program): string {
  const capped = (most: number, limit: number | undefined): number => Math.min(most, limit ?? most);
  const models = capped(bounds.requests[1], limits.modelCalls);
  const tools = capped(bounds.toolCalls[1], limits.toolCalls);
  return `at most ${counted(models, "model call")} and ${counted(tools, "tool call")}`;
}

function specJson({ spec, root, result }: Checked): object {
  const { program, diagnostics } = result;
  return {
    spec,
    ok: program !== undefined,
    diagnostics: diagnostics.map((found) => fromHere(found, root)),
    ...(program === undefined ? {} : { bounds: program.bounds, limits: program.limits }),
  };
}
