import type { CompileResult } from "../compile/compile-spec.ts";
import type { SpecIndex } from "../compile/spec-index.ts";
import type { Program } from "../program/program.ts";
import { Diagnostics, type Position } from "../spec/text/diagnostic.ts";
import { missingServices } from "./missing-services.ts";
import type { Makeable } from "./program-definitions.ts";
import type { ServiceScope } from "./services.ts";

/** Adds what the plugins of a spec and of its overlays need and nobody provides; no service is made for it. */
export async function checkServices(
  result: CompileResult,
  scope: ServiceScope,
): Promise<CompileResult> {
  const found = new Diagnostics();
  for (const item of result.diagnostics) found.add(item);
  const chosen = result.program === undefined ? [] : [result.program];
  const others = result.variants.flatMap(({ program }) => program ?? []);
  const told = new Set<string>();
  for (const one of [...chosen, ...others]) {
    // oxlint-disable-next-line no-await-in-loop -- what one binds, the next one finds
    for (const { fault, program, definition } of await missingServices(one, scope)) {
      if (told.has(fault)) continue;
      told.add(fault);
      const [message = fault, repair] = fault.split("; ");
      const at = placeOf(definition, program, result.index);
      found.error("LW-PLUGIN-SERVICES", at, message, repair);
    }
  }
  if (told.size === 0) return result;
  const { program: _, ...rest } = result;
  return { ...rest, diagnostics: found.sorted() };
}

/** Where the spec names a plugin; its first line where that is not known. */
function placeOf({ id }: Makeable, program: Program, index: SpecIndex): Position {
  const stage = [...program.stages.values()].find(({ definition }) => definition.id === id);
  const use = index.uses.find(({ kind, name }) => kind === "plugin" && name === id);
  return use?.at ?? stage?.position ?? { file: program.file, line: 1, column: 1 };
}
