import { existsSync } from "node:fs";
import { join } from "node:path";
import type { InstalledPackage } from "../compile/plugin-source.ts";
import { messageOf } from "../errors/loopwright-error.ts";
import { packageAt, readJson } from "./plugin-manifest.ts";

/** Looks for a package that a spec names below a project's own `node_modules`; reads its manifest, no code. */
export function installedPackage(name: string, root: string): InstalledPackage | undefined {
  const file = join(root, "node_modules", ...name.split("/"), "package.json");
  if (!existsSync(file)) return undefined;
  try {
    const manifest = readJson(file);
    const version = typeof manifest["version"] === "string" ? manifest["version"] : "";
    const found = packageAt(file, name, manifest);
    return { name, version, ...(found === undefined ? {} : { plugins: found }) };
  } catch (fault) {
    return { name, version: "", fault: messageOf(fault) };
  }
}
