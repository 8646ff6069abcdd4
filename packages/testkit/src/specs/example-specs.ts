import { fileURLToPath } from "node:url";
import { checks } from "@loopwright/checks";
import type { PluginPackage } from "@loopwright/core";
import { memories } from "@loopwright/memories";
import { providers } from "@loopwright/providers";
import { sinks } from "@loopwright/sinks";
import { strategies } from "@loopwright/strategies";
import { tools } from "@loopwright/tools";

/** The folder of this repository. */
export const repositoryRoot: string = fileURLToPath(new URL("../../../../", import.meta.url));

/** The built-in plugins, as the command brings them. */
export const builtIn: readonly PluginPackage[] = [
  strategies,
  providers,
  tools,
  checks,
  sinks,
  memories,
];

/** An example spec or script, by its path under `specs/`. */
export function specFile(path: string): string {
  return fileURLToPath(new URL(`../../../../specs/${path}`, import.meta.url));
}
