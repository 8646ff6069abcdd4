import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DoorExport, doors, exportsOf } from "./door-exports.ts";

/** The committed report. */
export const exportsFile: string = fileURLToPath(new URL("../docs/exports.md", import.meta.url));

/** Lists what each door exports; a change of it is a change of what users can rely on. */
export function renderExports(): string {
  const parts = doors().map(({ name, file }) => {
    const found = exportsOf(file);
    const values = found.filter(({ isValue }) => isValue);
    const types = found.filter(({ isValue }) => !isValue);
    return [`## ${name}`, ...group("Values", values), ...group("Types", types)].join("\n\n");
  });
  return `${HEAD}\n\n${parts.join("\n\n")}\n`;
}

function group(title: string, exports: readonly DoorExport[]): readonly string[] {
  if (exports.length === 0) return [];
  const names = exports.map(
    ({ name, isValue, isType }) => `- \`${name}\`${isValue && isType ? " (also a type)" : ""}`,
  );
  return [`${title}:`, names.join("\n")];
}

const HEAD = `# Exports

What each package lets others import. \`npm run docs:exports\` writes this file; a test compares it. Review a change of it as a change of the contract.`;

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(exportsFile, renderExports());
