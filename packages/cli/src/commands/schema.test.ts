import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-schema-")));
writeFileSync(join(folder, "package.json"), "{}");

// Every plugin is loaded, from source.
describe("loopwright schema", { timeout: 60_000 }, () => {
  it("prints the schema of what is installed", async () => {
    const { code, stdout } = await runInProcess("schema", "--root", folder);
    expect(code).toBe(0);
    const schema = JSON.parse(stdout) as { readonly $schema: string; readonly $defs: object };
    expect(schema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(Object.keys(schema.$defs)).toEqual(
      expect.arrayContaining(["strategy.react", "tools.calculator", "checks.evidence"]),
    );
  });

  it("writes a file, and the folder that it stands in, which it tells", async () => {
    const out = join(folder, "schema", "loopwright.schema.json");
    const { code, stdout, stderr } = await runInProcess("schema", "--root", folder, "--out", out);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toBe(`loopwright: made the folder ${join(folder, "schema")}\n`);
    expect(JSON.parse(readFileSync(out, "utf8"))).toHaveProperty("$defs.stage");
  });

  it("refuses what it does not take", async () => {
    const { code, stderr } = await runInProcess("schema", "spec.yaml");
    expect(code).toBe(64);
    expect(stderr).toContain("schema takes no `spec.yaml`");
  });
});
