import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { OrderDatabase } from "@acme/loopwright-orders";
import { type App, createApp, formatDiagnostic, provide } from "@loopwright/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { galleryPackages } from "./gallery-packages.ts";

const folder = fileURLToPath(new URL("../../../../fixtures/gallery/", import.meta.url));
const specs = readdirSync(folder).filter((file) => file.endsWith(".yaml"));
const warnings = JSON.parse(readFileSync(`${folder}warnings.json`, "utf8")) as Readonly<
  Record<string, readonly string[]>
>;

const noOrders: OrderDatabase = {
  findOrder: async () => undefined,
  updateAddress: async () => ({ changed: false, reason: "there are no orders here" }),
} as unknown as OrderDatabase;

describe("the gallery", () => {
  let app: App;

  beforeAll(async () => {
    app = await createApp({
      plugins: galleryPackages,
      services: [provide(OrderDatabase, noOrders)],
      discovery: false,
      root: folder,
      env: {},
    });
  });
  afterAll(() => app.close());

  it("has a row of warnings for each of its fourteen specs", () => {
    expect(specs).toHaveLength(14);
    expect(Object.keys(warnings).toSorted()).toEqual(specs.toSorted());
  });

  it.each(specs)("%s has no errors and exactly its warnings", async (spec) => {
    const { program, diagnostics, sources } = await app.check({ file: `${folder}${spec}` });
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    expect(errors.map((item) => formatDiagnostic(item, sources.get(item.file)))).toEqual([]);
    expect(program).toBeDefined();
    const found = diagnostics.map(({ code, file, line, column }) => {
      const elsewhere = basename(file) === spec ? "" : ` ${basename(file)}`;
      return `${code} ${line}:${column}${elsewhere}`;
    });
    expect(found).toEqual(warnings[spec]);
  });
});
