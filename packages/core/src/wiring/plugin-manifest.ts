import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  PluginDefinition,
  PluginEntry,
  PluginKind,
  PluginPackage,
} from "../contracts/plugin-definition.ts";
import { messageOf, PluginError } from "../errors/loopwright-error.ts";

const KINDS: ReadonlySet<string> = new Set<PluginKind>([
  "strategy",
  "provider",
  "tool",
  "check",
  "sink",
  "memory",
  "service",
]);
const API_VERSION = "plugin/1";

/** What reading manifests came to: the packages, and what is wrong with the others, by package name. */
export interface Discovery {
  readonly packages: readonly PluginPackage[];
  readonly broken: ReadonlyMap<string, string>;
}

/** Finds plugin packages among the direct dependencies of the project at `root`; reads JSON only, no code. */
export function discoverPlugins(root: string): Discovery {
  const file = join(root, "package.json");
  if (!existsSync(file)) return { packages: [], broken: new Map() };
  const manifest = readJson(file);
  const names = ["dependencies", "devDependencies", "optionalDependencies"].flatMap((field) =>
    Object.keys(recordAt(manifest, field)),
  );
  const packages: PluginPackage[] = [];
  const broken = new Map<string, string>();
  for (const name of [...new Set(names)].toSorted()) {
    try {
      const found = readPackage(root, name);
      if (found !== undefined) packages.push(found);
    } catch (fault) {
      broken.set(name, messageOf(fault));
    }
  }
  return { packages, broken };
}

function readPackage(root: string, name: string): PluginPackage | undefined {
  const file = manifestFile(root, name);
  return file === undefined ? undefined : packageAt(file, name, readJson(file));
}

/** The plugins of a package by its manifest; undefined where it is no plugin package; throws where the manifest is broken. */
export function packageAt(
  file: string,
  name: string,
  manifest: Record<string, unknown>,
): PluginPackage | undefined {
  const keywords = manifest["keywords"];
  if (!Array.isArray(keywords) || !keywords.includes("loopwright-plugin")) return undefined;
  const own = recordAt(manifest, "loopwright");
  if (own["apiVersion"] !== API_VERSION) {
    throw new PluginError(
      "plugin-broken",
      `${name} is made for the plugin API \`${String(own["apiVersion"])}\`; this is \`${API_VERSION}\``,
    );
  }
  const provides = Array.isArray(own["provides"]) ? own["provides"] : [];
  return { name, entries: provides.map((line: unknown) => readEntry(name, file, line)) };
}

/** The package's manifest, also where its `exports` do not list `./package.json`. */
function manifestFile(root: string, name: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const file = join(folder, "node_modules", name, "package.json");
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

function readEntry(name: string, file: string, line: unknown): PluginEntry {
  const entry = asRecord(line);
  const {
    kind,
    id,
    export: target,
    profiles,
  } = entry as { kind?: unknown; id?: unknown; export?: unknown; profiles?: unknown };
  if (
    typeof kind !== "string" ||
    !KINDS.has(kind) ||
    typeof id !== "string" ||
    typeof target !== "string" ||
    !target.includes("#")
  ) {
    throw new PluginError(
      "plugin-broken",
      `${name}: a line of \`loopwright.provides\` in its package.json must be { kind, id, export: "./path#name" }, not ${JSON.stringify(line)}`,
    );
  }
  return {
    kind: kind as PluginKind,
    id,
    ...(Array.isArray(profiles) ? { profiles: profiles.map(String) } : {}),
    load: () => loadExport(name, file, target),
  };
}

async function loadExport(name: string, file: string, target: string): Promise<PluginDefinition> {
  const [subpath = "", exported = ""] = target.split("#");
  const module = (await import(pathToFileURL(resolveExport(name, file, subpath)).href)) as Record<
    string,
    unknown
  >;
  const definition = module[exported];
  if (definition === undefined)
    throw new PluginError(
      "plugin-broken",
      `${name} has no export \`${exported}\` in \`${subpath}\``,
    );
  return definition as PluginDefinition;
}

function resolveExport(name: string, file: string, subpath: string): string {
  const specifier = subpath === "." ? name : `${name}/${subpath.replace(/^\.\//, "")}`;
  // A package may always import itself by name, so its own manifest is where its exports are resolved from.
  try {
    return createRequire(file).resolve(specifier);
  } catch (fault) {
    const target = importTarget(recordAt(readJson(file), "exports")[subpath]);
    if (target === undefined) throw fault;
    return join(dirname(file), target);
  }
}

/** The file of an export that only `import` may use. */
function importTarget(entry: unknown): string | undefined {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return undefined;
  const conditions = entry as Record<string, unknown>;
  return importTarget(conditions["import"] ?? conditions["node"] ?? conditions["default"]);
}

/** Reads a JSON file that holds a map. */
export function readJson(file: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(readFileSync(file, "utf8")));
  } catch (fault) {
    throw new PluginError("plugin-broken", `${file} is not readable as JSON: ${messageOf(fault)}`);
  }
}

function recordAt(value: Record<string, unknown>, field: string): Record<string, unknown> {
  return asRecord(value[field]);
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
