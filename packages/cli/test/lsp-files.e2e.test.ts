import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LspClient } from "./lsp-client.ts";

const HEAD = "apiVersion: loopwright/v1\nname: example\nmodel: ollama/small\n";
const CHILD = "apiVersion: loopwright/v1\nname: child\n";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-lsp-")));
writeFileSync(join(folder, "package.json"), "{}");

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name)).href;
}

const client = new LspClient(folder);
beforeAll(async () => {
  await client.start({ workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } });
}, 30_000);
afterAll(() => {
  client.kill();
});

const quiet = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 400);
  });

it("completes what a spec defines right after it is opened", async () => {
  const text = `${HEAD}strategy:\n  - react\n  - direct: { when: results. }\n`;
  const uri = file("early.yaml", text);
  await client.open(uri, text);
  const items = (await client.request("textDocument/completion", {
    textDocument: { uri },
    position: { line: 5, character: 28 },
  })) as readonly { readonly label: string }[];
  expect(items.map(({ label }) => label)).toContain("react");
});

it("tells a fault of an open base once, and nothing that its text does not have", async () => {
  const text = `${HEAD}strategy: [dirct]\n`;
  const base = file("pbase.yaml", text);
  const child = `${CHILD}extends: ./pbase.yaml\n`;
  const uri = file("p.yaml", child);
  await client.open(uri, child);
  await client.diagnostics(base, (found) => found.length > 0);
  await client.open(base, text);
  await client.diagnostics(base, () => client.versions.get(base) === 1);
  await quiet();
  expect(await client.diagnostics(base, () => true)).toHaveLength(1);

  const mended = text.replace("dirct", "direct");
  await client.change(base, 2, mended);
  expect(await client.diagnostics(base, () => client.versions.get(base) === 2)).toEqual([]);
  await client.change(uri, 2, `${child}# more\n`);
  await quiet();
  expect(await client.diagnostics(base, () => true)).toEqual([]);

  await client.change(base, 3, text);
  await client.diagnostics(base, (found) => found.length === 1);
  await client.change(base, 4, mended);
  file("pbase.yaml", mended);
  await client.save(base);
  await quiet();
  expect(await client.diagnostics(base, () => true)).toEqual([]);
  await client.close(base);
  await client.close(uri);
});

it("tells a fault that only the child makes in an open base, while that is as saved", async () => {
  const text = `${HEAD}models: { judge: ollama/big }\nstrategy: { direct: { model: judge } }\n`;
  const base = file("roles.yaml", text);
  const child = `${CHILD}extends: ./roles.yaml\nmodels-: [judge]\n`;
  const uri = file("taker.yaml", child);
  await client.open(base, text);
  expect(await client.diagnostics(base, () => true)).toEqual([]);
  await client.open(uri, child);
  const told = await client.diagnostics(base, (found) => found.length > 0);
  expect(told[0]?.message).toContain("judge");
  await client.change(base, 2, `# above\n${text}`);
  await client.diagnostics(base, (found) => found.length === 0);
  await client.close(base);
  await client.close(uri);
});

it("says of which version the diagnostics are", async () => {
  const uri = file("versions.yaml", `${HEAD}strategy: direct\n`);
  await client.open(uri, `${HEAD}strategy: direct\n`);
  await client.diagnostics(uri, () => client.versions.get(uri) === 1);
  await client.change(uri, 7, `${HEAD}strategy: dirct\n`);
  await client.diagnostics(uri, (found) => found.length > 0);
  expect(client.versions.get(uri)).toBe(7);
  await client.close(uri);
});

it("checks open specs again when a file that they are built on is deleted and comes back", async () => {
  const text = `${HEAD}strategy: direct\n`;
  const base = file("gone.yaml", text);
  const child = `${CHILD}extends: ./gone.yaml\n`;
  const uri = file("left.yaml", child);
  await client.open(uri, child);
  await client.diagnostics(uri, (found) => found.length === 0);
  expect(client.registered).toContain("workspace/didChangeWatchedFiles");
  rmSync(join(folder, "gone.yaml"));
  const changed = (type: number): Promise<void> =>
    client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: base, type }] });
  await changed(3);
  const told = await client.diagnostics(uri, (found) => found.length > 0);
  expect(told.map(({ code }) => code)).toContain("LW-FILE-MISSING");
  file("gone.yaml", text);
  await changed(1);
  await client.diagnostics(uri, (found) => found.length === 0);
  await client.close(uri);
});

it("tells a misspelt `apiVersion` of a document that is opened with it", async () => {
  const text = `${HEAD.replace("apiVersion", "apiVersio")}strategy: direct\n`;
  const uri = file("slip.yaml", text);
  await client.open(uri, text);
  const told = await client.diagnostics(uri, (found) => found.length > 0);
  expect(told.map(({ code, range: { start } }) => [code, start.line])).toEqual([
    ["LW-SPEC-UNKNOWN-KEY", 0],
  ]);
  await client.close(uri);
});
