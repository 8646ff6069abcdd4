const kebab = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const scoped = new RegExp(`^${kebab}/${kebab}$`);

/** What to do for a plugin that is not installed. An id does not tell its package: a name on npm that looks like it may be anybody's. */
export function installHint(id: string): string | undefined {
  return scoped.test(id)
    ? `install the package that brings \`${id}\`; \`loopwright plugins\` lists what is installed, docs/spec.md#plugin-packages says how packages are named`
    : undefined;
}
