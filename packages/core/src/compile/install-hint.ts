const kebab = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
const scoped = new RegExp(`^(${kebab})/(${kebab})$`);

/** How a plugin that is not installed may be: packages are named after the ids that they bring. */
export function installHint(id: string): string | undefined {
  const [, scope, name] = scoped.exec(id) ?? [];
  return scope === undefined || name === undefined
    ? undefined
    : `\`npm i @${scope}/loopwright-${name}\` provides it, if its package is named by the rule`;
}
