import { rmSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { exampleProject } from "../../test/example-specs.ts";
import { runInProcess } from "../../test/run-in-process.ts";

const folder = exampleProject();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const plugins = (...argv: readonly string[]) => runInProcess("plugins", "--root", folder, ...argv);

test("lists the plugins of the project as a table, then the packages that are broken, by name", async () => {
  const { code, stdout, stderr } = await plugins();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^KIND +ID +PACKAGE\n/u);
  expect(stdout).toMatch(/^tool +acme\/write +acme-writer$/mu);
  expect(stdout).toMatch(/^provider +openai \(also .*ollama.*\) +@loopwright\/providers$/mu);
  expect(stdout).toMatch(/\nbroken: acme-old: .*plugin\/0/u);
});

test("--json tells the same as data", async () => {
  const { plugins: listed, broken } = JSON.parse((await plugins("--json")).stdout);
  expect(listed).toContainEqual(
    expect.objectContaining({ kind: "tool", id: "acme/write", package: "acme-writer" }),
  );
  expect(broken).toEqual({ "acme-old": expect.stringContaining("plugin/0") });
});

test("--no-discovery lists the built-in ones alone", async () => {
  const { stdout } = await plugins("--no-discovery");
  expect(stdout).toContain("react");
  expect(stdout).not.toContain("acme");
});
