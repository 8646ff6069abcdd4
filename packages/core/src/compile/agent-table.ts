import type { Program } from "../program/program.ts";
import type { Diagnostic } from "../spec/text/diagnostic.ts";
import type { CompileSettings } from "./compile-settings.ts";

/** How many specs of agents are compiled for one spec, those inside them included. */
export const maxAgents: number = 64;

/** What became of compiling the spec of an inner agent. */
interface AgentReading {
  readonly program?: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** True for one that was not compiled: there are too many. */
  readonly isLeftOut?: true;
}

/** The agents around a spec that is compiled. */
export interface AgentTrail {
  /** Their files, the outermost first. */
  readonly files: readonly string[];
  /** How many agents may still be compiled; shared by all of one spec. */
  readonly budget: { left: number };
}

/** The trail of a spec that is no agent of another one. */
export function outermost(): AgentTrail {
  return { files: [], budget: { left: maxAgents } };
}

type LoadAgent = (file: string, trail: AgentTrail) => Promise<AgentReading>;

/**
 * Specs of inner agents, by absolute path.
 *
 * As with plugins, a pass asks here, what it lacks is compiled, and the pass is repeated.
 */
export class AgentTable {
  /** This spec and the agents around it. */
  readonly trail: AgentTrail;
  readonly #load: LoadAgent;
  readonly #found = new Map<string, AgentReading>();
  readonly #wanted = new Set<string>();

  constructor(around: AgentTrail, file: string, load: LoadAgent) {
    this.trail = { ...around, files: [...around.files, file] };
    this.#load = load;
  }

  /** What is known of an agent; undefined where it must be compiled first. */
  find(file: string): AgentReading | undefined {
    const found = this.#found.get(file);
    if (found === undefined) this.#wanted.add(file);
    return found;
  }

  /** Compiles every agent that was asked for and not known; false when there was none. */
  async loadWanted(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    const found = await Promise.all(wanted.map((file) => this.#compile(file)));
    for (const [index, reading] of found.entries()) this.#found.set(wanted[index] ?? "", reading);
    return wanted.length > 0;
  }

  async #compile(file: string): Promise<AgentReading> {
    const { budget } = this.trail;
    budget.left -= 1;
    return budget.left < 0 ? { diagnostics: [], isLeftOut: true } : this.#load(file, this.trail);
  }
}

/** What the spec of an inner agent is compiled with: the world of the outer one, and nothing that is set over its values. */
export function innerSettings(settings: CompileSettings, root: string): CompileSettings {
  const { plugins, env, models = [], dryRun, memory } = settings;
  return {
    plugins,
    env,
    root,
    models: models.filter(({ match }) => match === "*"),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...(memory === undefined ? {} : { memory }),
  };
}
