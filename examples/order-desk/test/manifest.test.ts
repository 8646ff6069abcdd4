import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly loopwright: {
    readonly apiVersion: string;
    readonly provides: readonly {
      readonly kind: string;
      readonly id: string;
      readonly export: string;
    }[];
  };
}

const manifest = JSON.parse(
  await readFile(new URL("../package.json", import.meta.url), "utf8"),
) as Manifest;

/** Every definition that a module exports, by the name of its export. */
async function definitionsOf(subpath: string): Promise<Map<string, { kind: string; id: string }>> {
  const module = (await import(`${manifest.name}${subpath.slice(1)}`)) as Record<string, unknown>;
  const definitions = new Map<string, { kind: string; id: string }>();
  for (const [name, value] of Object.entries(module)) {
    if (isDefinition(value)) definitions.set(name, value);
  }
  return definitions;
}

function isDefinition(value: unknown): value is { kind: string; id: string } {
  return typeof value === "object" && value !== null && "kind" in value && "id" in value;
}

describe("the manifest", () => {
  it("can be discovered", () => {
    expect(manifest.keywords).toContain("loopwright-plugin");
    expect(manifest.loopwright.apiVersion).toBe("plugin/1");
  });

  it.each(manifest.loopwright.provides)("provides $kind $id at $export", async (entry) => {
    const [subpath = "", name = ""] = entry.export.split("#");
    const definition = (await definitionsOf(subpath)).get(name);
    expect(definition).toMatchObject({ kind: entry.kind, id: entry.id });
  });

  it("leaves no definition out", async () => {
    const exported = [...(await definitionsOf("./tools")), ...(await definitionsOf("./services"))];
    const ids = exported.map(([, { id }]) => id).toSorted();
    expect(ids).toEqual(manifest.loopwright.provides.map(({ id }) => id).toSorted());
  });
});
