import { resolve } from "node:path";
import type { Container } from "inversify";
import { CallPlaces } from "../calls/call-places.ts";
import {
  type CompileResult,
  type CompileSettings,
  compileSpec,
  type SpecSource,
} from "../compile/compile-spec.ts";
import { projectRoot } from "../compile/project-root.ts";
import type { PluginDefinition, PluginPackage } from "../contracts/plugin-definition.ts";
import { SpecError } from "../errors/loopwright-error.ts";
import { Redactor } from "../events/redactor.ts";
import type { Run, RunInput, RunSettings } from "../run/run.ts";
import { type Diagnostic, formatDiagnostic } from "../spec/text/diagnostic.ts";
import { YamlMemory } from "../spec/text/yaml-memory.ts";
import { checkServices } from "./check-services.ts";
import { defaultServices } from "./default-services.ts";
import { Embedder, type EmbedInput, type EmbedOutcome } from "./embedder.ts";
import { linkProgram } from "./link-program.ts";
import { requireServices } from "./missing-services.ts";
import { type CompiledProgram, OpenPrograms } from "./open-programs.ts";
import { wellFormed } from "./source-form.ts";
import { withMemoriesOnly } from "./program-definitions.ts";
import { type Discovery, discoverPlugins } from "./plugin-manifest.ts";
import { type ListedPlugin, PluginRegistry } from "./plugin-registry.ts";
import { type ProvidedService, ServiceScope } from "./services.ts";

/** What an app is made of. */
export interface AppOptions {
  /** Plugin packages that the host brings, the built-in ones among them. */
  readonly plugins?: readonly PluginPackage[];
  /** Services of the host's own, made with `provide`. */
  readonly services?: readonly ProvidedService[];
  /**
   * A container of the host's; it supplies services only, bound under `token.symbol`: below `services`, above core's own
   * and the packages'. What it makes stays its own: the app never disposes it.
   */
  readonly parentContainer?: Container;
  /** The project: where plugins are looked for and paths end. Default: the folder of the nearest package.json above the working folder. */
  readonly root?: string;
  /** Whether the project's direct dependencies are searched for plugins. Default true. */
  readonly discovery?: boolean;
  /** The environment for `${env:}` and secrets. Default: the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How one spec is compiled. */
export interface CompileOptions extends Omit<CompileSettings, "plugins" | "env" | "memory"> {
  /** Of a sound spec only the memories are made, for `memoryOf`: what comes of it can't be run, and needs no other secret. */
  readonly onlyMemories?: boolean;
}

/** What checking a spec came to: a program where `compile` would give one. */
export type CheckResult = CompileResult;

/** Compiles and runs specs with the plugins and services of one host. */
export interface App {
  /** Checks a spec; no plugin instance is made, no secret and no network needed. */
  check(source: SpecSource, options?: CompileOptions): Promise<CheckResult>;
  /** Checks and links a spec; throws a SpecError with all diagnostics, or a PluginError. */
  compile(source: SpecSource, options?: CompileOptions): Promise<CompiledProgram>;
  /** Starts a run; throws a SpecError for inputs that do not fit and for parts that can't run yet, an AbortError for what is closed, nothing afterwards. */
  start(program: CompiledProgram, input?: RunInput, settings?: RunSettings): Run;
  /**
   * Turns texts into vectors, within the limits that the runs of the app share; throws a SpecError for a model or texts that
   * do not fit, a ProviderError where the endpoint fails or has no embeddings, the signal's reason after an abort.
   */
  embed(input: EmbedInput): Promise<EmbedOutcome>;
  /** Every plugin that a spec may name. */
  plugins(): {
    readonly plugins: readonly ListedPlugin[];
    readonly broken: ReadonlyMap<string, string>;
  };
  /** Loads every installed plugin that can be used, by kind and id; one that is broken, or whose id two packages claim, is left out. */
  definitions(): Promise<readonly PluginDefinition[]>;
  /** Aborts what runs and waits for the outcomes, then closes programs and services, the last first; nothing starts afterwards. */
  close(): Promise<void>;
}

/** Makes an app. */
export async function createApp(options: AppOptions = {}): Promise<App> {
  const root = resolve(options.root ?? projectRoot(process.cwd()));
  const env = options.env ?? process.env;
  const redactor = new Redactor(secretsOf(env));
  const registry = openRegistry(options, root);
  const scope = openScope(options, { root, env, registry, redactor });
  const programs = new OpenPrograms(redactor);
  const calls = new CallPlaces();
  const embedder = new Embedder({
    scope,
    redactor,
    calls,
    settings: { plugins: registry, env, root },
  });
  const memory = new YamlMemory();
  const read = async (source: SpecSource, settings: CompileOptions = {}): Promise<CompileResult> =>
    compileSpec(wellFormed(source), {
      ...(options.root === undefined ? {} : { root }),
      ...settings,
      plugins: registry,
      env,
      memory,
    });
  return {
    check: async (source, settings) => checkServices(await read(source, settings), scope),
    compile: async (source, settings) => {
      programs.requireOpen();
      const result = await read(source, settings);
      // What is missing for the program itself is told by code; an overlay that lacks something is a fault of the spec.
      if (result.program !== undefined) await requireServices(result.program, scope);
      const { program, diagnostics, sources } = await checkServices(result, scope);
      if (program === undefined) throw specError(diagnostics, sources);
      const linked = settings?.onlyMemories === true ? withMemoriesOnly(program) : program;
      return programs.add(await linkProgram(linked, scope, redactor, calls));
    },
    start: (program, input = {}, settings = {}) => programs.start(program, input, settings),
    embed: (input) => embedder.embed(input),
    plugins: () => ({ plugins: registry.list(), broken: registry.broken }),
    definitions: () => loadAll(registry),
    close: async () => {
      const embedded = embedder.close();
      await programs.close();
      await embedded;
      await scope.close();
    },
  };
}

interface Base {
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly registry: PluginRegistry;
  readonly redactor: Redactor;
}

function openScope(
  { services = [], parentContainer: parent }: AppOptions,
  { root, env, registry, redactor }: Base,
): ServiceScope {
  return ServiceScope.open({
    plugins: registry,
    defaults: defaultServices(root, env),
    provided: services,
    redactor,
    ...(parent === undefined ? {} : { parent }),
  });
}

/** The plugins that the host brings, and those of the project's packages. */
function openRegistry({ plugins = [], discovery }: AppOptions, root: string): PluginRegistry {
  const found: Discovery =
    discovery === false ? { packages: [], broken: new Map() } : discoverPlugins(root);
  const brought = new Set(plugins.map((one) => one.name));
  return new PluginRegistry(
    [...plugins, ...found.packages.filter((one) => !brought.has(one.name))],
    found.broken,
  );
}

async function loadAll(registry: PluginRegistry): Promise<readonly PluginDefinition[]> {
  const all = await Promise.all(registry.list().map(({ kind, id }) => registry.find(kind, id)));
  return all.flatMap((found) => (found.status === "found" ? [found.definition] : []));
}

function specError(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, readonly string[]>,
): SpecError {
  // A fragment has no errors, and nothing to run.
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" || code === "LW-SPEC-FRAGMENT",
  );
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
