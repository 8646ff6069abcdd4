/** The kebab-case form of a name, for repairs; undefined where nothing of it is left. */
export function kebabCase(name: string): string | undefined {
  const kebab = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .toLowerCase()
    .replaceAll(/^[-0-9]+|-+$/g, "");
  return kebab === "" ? undefined : kebab;
}

/** Whether a name is kebab-case, as ids are. */
export function isKebabCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name);
}
