import { PluginError } from "../errors/loopwright-error.ts";
import type { Program } from "../program/program.ts";
import { askerOf, definitionsOf, type Makeable, withAgents } from "./program-definitions.ts";
import type { ServiceScope } from "./services.ts";

/** A service that a plugin of a program needs and nobody provides, in words; its repair after a semicolon. */
export interface MissingService {
  readonly fault: string;
  readonly program: Program;
  readonly definition: Makeable;
}

/** Binds every service that the plugins of a program and of its agents need; what is missing, each fault once. */
export async function missingServices(
  program: Program,
  scope: ServiceScope,
): Promise<readonly MissingService[]> {
  const found = new Map<string, MissingService>();
  for (const one of withAgents(program)) {
    const own = scope.joined(one);
    for (const definition of definitionsOf(one).values()) {
      // oxlint-disable-next-line no-await-in-loop -- what one binds, the next one finds
      for (const fault of await own.missing(askerOf(definition)))
        if (!found.has(fault)) found.set(fault, { fault, program: one, definition });
    }
  }
  return [...found.values()];
}

/** Throws one PluginError that names every service that is missing. */
export async function requireServices(program: Program, scope: ServiceScope): Promise<void> {
  const faults = (await missingServices(program, scope)).map(({ fault }) => fault);
  if (faults.length === 0) return;
  throw new PluginError(
    "plugin-services-missing",
    `${faults.length} service${faults.length === 1 ? " is" : "s are"} not available:\n${faults.map((fault) => `  ${fault}`).join("\n")}`,
    { details: { faults } },
  );
}
