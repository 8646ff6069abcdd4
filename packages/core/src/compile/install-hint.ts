import type { PluginKind } from "../contracts/plugin-definition.ts";

const kebab = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const scoped = new RegExp(`^${kebab}/${kebab}$`);

/** Packages of this repository that a command does not bring, by the kind and id of what they provide. */
const published: Readonly<Record<string, string>> = {
  "provider anthropic": "@loopwright/anthropic",
};

/** The package that brings a plugin, and how to install it; only for the packages of this repository. */
export function publishedHint(kind: PluginKind, id: string): string | undefined {
  const name = published[`${kind} ${id}`];
  return name === undefined ? undefined : `install it: \`npm i ${name}\``;
}

/** What to do for a plugin that is not installed. An id does not tell its package: a name on npm that looks like it may be anybody's. */
export function installHint(id: string): string | undefined {
  return scoped.test(id)
    ? `install the package that brings \`${id}\`; \`loopwright plugins\` lists what is installed, docs/spec.md#plugin-packages says how packages are named`
    : undefined;
}
