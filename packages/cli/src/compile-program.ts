import { resolve } from "node:path";
import {
  type CheckResult,
  type CompiledProgram,
  type CompileOptions,
  isLoopwrightError,
  type Program,
} from "@loopwright/core";
import { CommandError } from "./command-error.ts";
import { countText, diagnosticText, fromHere, placeText } from "./diagnostic-text.ts";
import { environmentOf, type OpenedApp } from "./open-app.ts";

/** Compiles and links a spec; what is wrong with it is thrown as one text with every place and repair. */
export async function compileProgram(
  opened: OpenedApp,
  spec: string,
  options: CompileOptions,
): Promise<CompiledProgram> {
  const { app, root } = opened;
  try {
    return await app.compile({ file: resolve(spec) }, { ...options, root });
  } catch (fault) {
    if (!isLoopwrightError(fault)) throw fault;
    if (fault.code !== "spec-invalid" && fault.code !== "secret-missing") throw fault;
    throw missingSecrets(await checkProgram(opened, spec, options), root) ?? fault;
  }
}

/** Checks a spec without making anything of it; throws like `compileProgram`. */
export async function checkProgram(
  { app, root }: OpenedApp,
  spec: string,
  options: CompileOptions,
): Promise<Program> {
  const found = await app.check({ file: resolve(spec) }, { ...options, root });
  if (found.program !== undefined) return found.program;
  throw specFault(spec, found, root);
}

/** Everything that is wrong with a spec, as one mistake. */
export function specFault(spec: string, found: CheckResult, root: string): CommandError {
  const { diagnostics } = found;
  const text = `${spec} can't be used: ${countText(diagnostics)}\n\n${diagnosticText(found, root)}`;
  const details = { diagnostics: diagnostics.map((one) => fromHere(one, root)) };
  return new CommandError(text, { code: "spec-invalid", details });
}

/** Every secret that the spec names and nobody has set, with its place; undefined where there is none. */
function missingSecrets({ secrets }: Program, root: string): CommandError | undefined {
  const env = environmentOf(root);
  const missing = [...(secrets ?? [])].filter(([name]) => (env[name] ?? "") === "");
  if (missing.length === 0) return undefined;
  const lines = missing.map(
    ([name, at]) =>
      `${placeText(at, root)} the secret ${name} is not set; set it in the environment, or in the project's .env file`,
  );
  const details = { secrets: missing.map(([name, at]) => ({ name, ...at })) };
  return new CommandError(lines.join("\n"), { code: "secret-missing", details });
}
