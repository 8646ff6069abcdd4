import type { JsonObject } from "../contracts/json.ts";
import type { PluginSource } from "./plugin-source.ts";
import type { Override } from "../program/program.ts";
import type { YamlMemory } from "../spec/text/yaml-memory.ts";

/** What a compilation needs beside the spec. */
export interface CompileSettings {
  readonly plugins: PluginSource;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project root; without it the folder of the nearest `package.json` above the spec, else the spec's own. */
  readonly root?: string;
  /** Values set over the file, in order. */
  readonly overrides?: readonly Override[];
  /** Models set over those of the spec. */
  readonly models?: readonly ModelOverride[];
  /** Overlays of the spec to lay over it, in order. */
  readonly overlays?: readonly string[];
  readonly dryRun?: boolean;
  /** What earlier readings of the same files found: only what changed since is read again. */
  readonly memory?: YamlMemory;
}

/** A model that stands in for a role's, for the spec's own (`default`), or for every one (`*`). */
export interface ModelOverride {
  readonly match: string;
  /** `provider/name`. */
  readonly model: string;
  readonly options?: JsonObject;
}
