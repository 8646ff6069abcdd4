import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Container } from "inversify";
import { type CompileSettings, compileSpec, type SpecSource } from "../compile/compile-spec.ts";
import type { Program } from "../compile/program.ts";
import type { PluginPackage } from "../contracts/plugin-definition.ts";
import { SpecError } from "../errors/loopwright-error.ts";
import { Redactor } from "../events/redactor.ts";
import type { LinkedProgram } from "../run/linked-program.ts";
import type { Run, RunInput, RunSettings } from "../run/run.ts";
import { startRun } from "../run/start-run.ts";
import { type Diagnostic, formatDiagnostic } from "../spec/text/diagnostic.ts";
import { defaultServices } from "./default-services.ts";
import { linkProgram } from "./link-program.ts";
import { type Discovery, discoverPlugins } from "./plugin-manifest.ts";
import { type ListedPlugin, PluginRegistry } from "./plugin-registry.ts";
import { type ProvidedService, ServiceScope } from "./services.ts";

/** What an app is made of. */
export interface AppOptions {
  /** Plugin packages that the host brings, the built-in ones among them. */
  readonly plugins?: readonly PluginPackage[];
  /** Services of the host's own, made with `provide`. */
  readonly services?: readonly ProvidedService[];
  /** A container of the host's; it supplies services only. */
  readonly parentContainer?: Container;
  /** The project: where plugins are looked for and paths end. Default: the folder of the nearest package.json above the working folder. */
  readonly root?: string;
  /** Whether the project's direct dependencies are searched for plugins. Default true. */
  readonly discovery?: boolean;
  /** The environment for `${env:}` and secrets. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How one spec is compiled. */
export type CompileOptions = Omit<CompileSettings, "plugins" | "env">;

/** A program that can be run: compiled, checked, and linked with its configured plugins. */
export interface CompiledProgram extends LinkedProgram {
  /** Closes its sinks. */
  close(): Promise<void>;
}

/** What checking a spec came to. */
export interface CheckResult {
  readonly program?: Program;
  readonly diagnostics: readonly Diagnostic[];
  /** The lines of every file that was read, for excerpts. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
}

/** Compiles and runs specs with the plugins and services of one host. */
export interface App {
  /** Checks a spec; no plugin instance is made, no secret and no network needed. */
  check(source: SpecSource, options?: CompileOptions): Promise<CheckResult>;
  /** Checks and links a spec; throws a SpecError with all diagnostics, or a PluginError. */
  compile(source: SpecSource, options?: CompileOptions): Promise<CompiledProgram>;
  /** Starts a run; throws a SpecError for inputs that do not fit, nothing afterwards. */
  start(program: CompiledProgram, input?: RunInput, settings?: RunSettings): Run;
  /** Every plugin that a spec may name. */
  plugins(): {
    readonly plugins: readonly ListedPlugin[];
    readonly broken: ReadonlyMap<string, string>;
  };
  /** Closes programs and services, the last first. */
  close(): Promise<void>;
}

/** Makes an app. */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const root = resolve(options.root ?? projectRoot(process.cwd()));
  const env = options.env ?? process.env;
  const redactor = new Redactor(secretsOf(env));
  const found: Discovery =
    options.discovery === false ? { packages: [], broken: new Map() } : discoverPlugins(root);
  const brought = new Set((options.plugins ?? []).map((one) => one.name));
  const registry = new PluginRegistry(
    [...(options.plugins ?? []), ...found.packages.filter((one) => !brought.has(one.name))],
    found.broken,
  );
  const scope = new ServiceScope({
    plugins: registry,
    provided: [...defaultServices(root, env, redactor), ...(options.services ?? [])],
    ...(options.parentContainer === undefined ? {} : { parent: options.parentContainer }),
  });
  const programs: CompiledProgram[] = [];
  const check = (source: SpecSource, settings: CompileOptions = {}): Promise<CheckResult> =>
    compileSpec(source, {
      ...(options.root === undefined ? {} : { root }),
      ...settings,
      plugins: registry,
      env,
    });
  return {
    check,
    compile: async (source, settings) => {
      const { program, diagnostics, sources } = await check(source, settings);
      if (program === undefined) throw specError(diagnostics, sources);
      const linked = await linkProgram(program, scope, redactor);
      programs.push(linked);
      return linked;
    },
    start: (program, input = {}, settings = {}) => startRun(program, input, settings),
    plugins: () => ({ plugins: registry.list(), broken: registry.broken }),
    close: async () => {
      for (const program of programs.splice(0).toReversed()) await program.close();
      await scope.close();
    },
  };
}

/** The folder of the nearest package.json at or above a folder, else the folder itself. */
export function projectRoot(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, "package.json"))) return at;
    if (dirname(at) === at) return resolve(folder);
  }
}

function specError(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, readonly string[]>,
): SpecError {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === "error");
  const text = errors
    .map((diagnostic) => formatDiagnostic(diagnostic, sources.get(diagnostic.file)))
    .join("\n\n");
  return new SpecError("spec-invalid", text, { details: { diagnostics } });
}

const secretName = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL/i;

/** Values of the environment whose names say that they are secret; they are hidden even where no spec reads them. */
function secretsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 12 && secretName.test(name) ? [value] : [],
  );
}
