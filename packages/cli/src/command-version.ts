import { readFileSync } from "node:fs";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

/** The version of this package. */
export function commandVersion(): string {
  return manifestOf().version;
}

/** The least version of Node that this package runs on. */
export function neededNode(): string {
  return manifestOf().engines.node.replace(/^[^\d]*/u, "");
}

function manifestOf(): Manifest {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Manifest;
}
