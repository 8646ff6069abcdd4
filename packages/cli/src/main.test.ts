import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Everything that is loaded before a command is chosen. */
function staticImports(file: URL, seen: Set<string>): Set<string> {
  const source = readFileSync(file, "utf8");
  for (const [, specifier = ""] of source.matchAll(/^(?:import|export) [^;]*?from "([^"]+)"/gmu)) {
    if (source.includes(`import type`) && isTypeOnly(source, specifier)) continue;
    if (!specifier.startsWith(".")) seen.add(specifier);
    else if (!seen.has(specifier)) {
      seen.add(specifier);
      staticImports(new URL(specifier, file), seen);
    }
  }
  return seen;
}

function isTypeOnly(source: string, specifier: string): boolean {
  return new RegExp(`import type [^;]*from "${specifier}"`, "u").test(source);
}

test("the start imports nothing but node's own modules", () => {
  const imported = [...staticImports(new URL("./main.ts", import.meta.url), new Set())];
  expect(imported).toContain("./command-table.ts");
  expect(imported.filter((name) => !/^(?:\.|node:)/u.test(name))).toEqual([]);
  expect(imported.filter((name) => name.includes("commands/"))).toEqual([]);
});
