import { resolve } from "node:path";
import {
  type CompiledProgram,
  type CompileOptions,
  isLoopwrightError,
  type Program,
} from "@loopwright/core";
import { CommandError } from "./command-error.ts";
import { countText, diagnosticText, fromHere } from "./diagnostic-text.ts";
import type { OpenedApp } from "./open-app.ts";

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
    if (!isLoopwrightError(fault) || fault.code !== "spec-invalid") throw fault;
    await checkProgram(opened, spec, options);
    throw fault;
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
  const { diagnostics } = found;
  const text = `${spec} can't be used: ${countText(diagnostics)}\n\n${diagnosticText(found, root)}`;
  const details = { diagnostics: diagnostics.map((one) => fromHere(one, root)) };
  throw new CommandError(text, { code: "spec-invalid", details });
}
