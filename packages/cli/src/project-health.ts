import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  CheckResult,
  CompileOptions,
  Json,
  JsonObject,
  ListedPlugin,
  Program,
} from "@loopwright/core";
import { commandVersion, neededNode } from "./command-version.ts";
import { placeText } from "./diagnostic-text.ts";
import { environmentOf, type OpenedApp } from "./open-app.ts";
import { pluginFaults } from "./plugin-faults.ts";

/** What specs need to run here, and what of it is there. */
export interface ProjectHealth {
  readonly isWell: boolean;
  readonly node: { readonly version: string; readonly needed: string; readonly isWell: boolean };
  readonly specs: readonly SpecHealth[];
  readonly plugins: readonly PackageHealth[];
}

/** What one spec needs. */
export interface SpecHealth {
  readonly spec: string;
  /** False where its check finds errors. */
  readonly isSound: boolean;
  readonly variables: readonly VariableHealth[];
  readonly models: readonly ModelHealth[];
}

/** A variable of the environment; never its value. */
interface VariableHealth {
  readonly name: string;
  readonly isSet: boolean;
  /** False where a default stands in for it, or only an overlay that is not laid asks for it. */
  readonly isNeeded: boolean;
  /** Where the spec says it, or which model's key it holds. */
  readonly uses: readonly string[];
}

/** A model and where it is asked. */
interface ModelHealth {
  readonly id: string;
  /** Left out where the provider does not say. */
  readonly endpoint?: string;
}

/** A package of plugins. */
interface PackageHealth {
  readonly package: string;
  readonly version?: string;
  readonly ids: readonly string[];
  /** Why it can't be used. */
  readonly fault?: string;
}

/** Looks at a project and at the specs in it; asks no network. */
export async function projectHealth(
  opened: OpenedApp,
  specs: readonly string[],
  settings: CompileOptions,
): Promise<ProjectHealth> {
  const checked: SpecHealth[] = [];
  for (const spec of specs) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other: the specs share the app's plugins
    const result = await opened.app.check(
      { file: resolve(spec) },
      { ...settings, root: opened.root },
    );
    checked.push(specHealth(spec, result, opened.root, settings.overlays ?? []));
  }
  const node = nodeHealth();
  const plugins = await packagesOf(opened);
  const isWell =
    node.isWell &&
    plugins.every(({ fault }) => fault === undefined) &&
    checked.every(({ isSound, variables }) => isSound && !variables.some(isMissing));
  return { isWell, node, specs: checked, plugins };
}

/** Whether a variable has to be set and is not. */
export function isMissing({ isSet, isNeeded }: VariableHealth): boolean {
  return isNeeded && !isSet;
}

function nodeHealth(): ProjectHealth["node"] {
  const version = process.versions.node;
  const needed = neededNode();
  const isWell = version.localeCompare(needed, "en", { numeric: true }) >= 0;
  return { version, needed, isWell };
}

function specHealth(
  spec: string,
  result: CheckResult,
  root: string,
  overlays: readonly string[],
): SpecHealth {
  const env = environmentOf(root);
  const programs = result.program === undefined ? [] : withAgents(result.program);
  const models = programs.flatMap(modelsOf);
  const variables = new Map<string, VariableHealth>();
  const note = (name: string, isSet: boolean, isNeeded: boolean, use: string): void => {
    const known = variables.get(name);
    variables.set(name, {
      name,
      isSet,
      isNeeded: isNeeded || known?.isNeeded === true,
      uses: [...new Set([...(known?.uses ?? []), use])],
    });
  };
  for (const { kind, name, isSet, hasDefault, at, path } of result.index.environment) {
    if (kind !== "env" && kind !== "secret") continue;
    const overlay = /^overlays\.([^.[]+)/u.exec(path)?.[1];
    const isLaid = overlay === undefined || overlays.includes(overlay);
    note(name, isSet, isLaid && !hasDefault, placeText(at, root));
  }
  // The index is that of the spec itself; what its agents take from the world is in their programs.
  for (const { secrets = new Map() } of programs.slice(1))
    for (const [name, at] of secrets)
      note(name, (env[name] ?? "") !== "", true, placeText(at, root));
  const named = new Set(variables.keys());
  for (const { id, keys } of models)
    for (const key of keys.filter((one) => !named.has(one)))
      note(key, (env[key] ?? "") !== "", true, `the key of ${id}`);
  return {
    spec,
    isSound: !result.diagnostics.some(({ severity }) => severity === "error"),
    variables: [...variables.values()],
    models: models.map(({ id, endpoint }) => ({
      id,
      ...(endpoint === undefined ? {} : { endpoint }),
    })),
  };
}

/** A program and those of the agents in it, at any depth. */
function withAgents(program: Program): readonly Program[] {
  return [program, ...[...(program.agents?.values() ?? [])].flatMap(withAgents)];
}

/** Each model with the variables that hold its keys, and its endpoint as it may be shown. */
function modelsOf({
  canonical,
  models,
}: Program): readonly (ModelHealth & { readonly keys: readonly string[] })[] {
  const contents = (canonical["models"] ?? []) as readonly JsonObject[];
  return models.map((entry, index) => {
    const { id, definition, profile, options } = entry;
    const at = { options, shown: contents[index]?.["options"] };
    const { baseUrl } = options;
    const told = typeof baseUrl === "string" ? { endpoint: baseUrl } : {};
    const { keys, endpoint } = {
      keys: [],
      ...told,
      ...definition.describe?.(profile, options, entry),
    };
    return {
      id,
      keys,
      ...(endpoint === undefined ? {} : { endpoint: shownEndpoint(endpoint, at) }),
    };
  });
}

/** An address that an option gives is shown as the canonical spec shows the option; any other without user and query. */
function shownEndpoint(
  endpoint: string,
  { options, shown }: { readonly options: JsonObject; readonly shown: Json | undefined },
): string {
  const key = Object.keys(options).find((name) => options[name] === endpoint);
  const said = key === undefined ? undefined : ((shown ?? {}) as JsonObject)[key];
  if (typeof said === "string" && said !== endpoint) return said;
  if (!/^https?:/iu.test(endpoint) || !URL.canParse(endpoint)) return "an address that is no URL";
  const { protocol, host, pathname } = new URL(endpoint);
  return `${protocol}//${host}${pathname === "/" ? "" : pathname}`;
}

/** Every package of plugins, with the reason where it can't be loaded. */
async function packagesOf({ app, root }: OpenedApp): Promise<readonly PackageHealth[]> {
  const { plugins, broken } = app.plugins();
  const byPackage = new Map<string, ListedPlugin[]>();
  for (const plugin of plugins)
    byPackage.set(plugin.package, [...(byPackage.get(plugin.package) ?? []), plugin]);
  const found = await Promise.all(
    [...byPackage].map(async ([name, own]) => {
      const faults = await pluginFaults(app, own);
      return {
        package: name,
        ...versionOf(name, root),
        ids: own.map(({ id }) => id),
        ...(faults.length === 0 ? {} : { fault: faults.join("; ") }),
      };
    }),
  );
  const faulty = [...broken].map(([name, fault]) => ({
    package: name,
    ...versionOf(name, root),
    ids: [],
    fault,
  }));
  return [...found, ...faulty];
}

/** The built-in packages are a part of this command. */
function versionOf(name: string, root: string): { readonly version?: string } {
  if (name.startsWith("@loopwright/")) return { version: commandVersion() };
  const file = join(root, "node_modules", name, "package.json");
  if (!existsSync(file)) return {};
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version?: unknown };
  return typeof version === "string" ? { version } : {};
}
