import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LspClient } from "./lsp-client.ts";

const HEAD = "apiVersion: loopwright/v1\nname: example\nmodel: ollama/small\n";
const BASE = `${HEAD}task: Add.\nmodels: { judge: ollama/big }\nstrategy: [direct, verify]\n`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-lsp-")));
writeFileSync(join(folder, "package.json"), "{}");

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return pathToFileURL(join(folder, name)).href;
}

describe("the language server", () => {
  const client = new LspClient(folder);
  beforeAll(async () => {
    await client.start();
  }, 30_000);
  afterAll(() => {
    client.kill();
  });

  /** Opens a text with a `▮`; gives the place of that. */
  async function opened(name: string, marked: string): Promise<object> {
    const offset = marked.indexOf("▮");
    const uri = pathToFileURL(join(folder, name)).href;
    await client.open(uri, marked.replace("▮", ""));
    await client.diagnostics(uri, () => true);
    const before = marked.slice(0, offset).split("\n");
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return { textDocument: { uri }, position };
  }

  it("tells diagnostics when a spec is opened, and takes them back when it is mended", async () => {
    const uri = file("broken.yaml", `${HEAD}strategy:\n  - react: { maxStep: 6 }\n`);
    await client.open(uri, readFileSync(join(folder, "broken.yaml"), "utf8"));
    const told = await client.diagnostics(uri, (found) => found.length > 0);
    expect(told.map(({ code, range: { start } }) => [code, start])).toContainEqual([
      "LW-STAGE-UNKNOWN-OPTION",
      { line: 4, character: 13 },
    ]);
    expect(told[0]?.message).toContain("maxSteps");
    await client.change(uri, 2, `${HEAD}strategy: direct\n`);
    const isMended = await client.diagnostics(uri, (found) => found.length === 0);
    expect(isMended).toEqual([]);
  });

  it("tells a fault of a base in the file of the base", async () => {
    const base = file("base.yaml", `${HEAD}strategy: directt\n`);
    const text = "apiVersion: loopwright/v1\nname: child\nextends: ./base.yaml\n";
    const uri = file("child.yaml", text);
    await client.open(uri, text);
    const told = await client.diagnostics(base, (found) => found.length > 0);
    expect(told.map(({ code }) => code)).toContain("LW-PLUGIN-UNKNOWN");
  });

  it("leaves other YAML alone", async () => {
    const uri = file("compose.yaml", "services: { web: { image: nginx } }\n");
    await client.open(uri, "services: { web: { image: nginx } }\n");
    const place = { textDocument: { uri }, position: { line: 0, character: 0 } };
    expect(await client.request("textDocument/hover", place)).toBeNull();
    expect(await client.request("textDocument/completion", place)).toEqual([]);
  });

  it("completes options while the text is broken", async () => {
    const place = await opened("half.yaml", `${HEAD}strategy:\n  - react: { maxS▮\n`);
    const items = (await client.request("textDocument/completion", place)) as readonly {
      readonly label: string;
    }[];
    expect(items.map(({ label }) => label)).toContain("maxSteps");
  });

  it("says what a key means", async () => {
    const place = await opened("hover.yaml", `${HEAD}strategy:\n  - react: { max▮Steps: 6 }\n`);
    expect(JSON.stringify(await client.request("textDocument/hover", place))).toContain(
      "a whole number from 1 to 100",
    );
  });

  it("finds where a role is defined, and renames it", async () => {
    const place = await opened(
      "role.yaml",
      BASE.replace("verify]", "{ verify: { model: ju▮dge } }]"),
    );
    expect(await client.request("textDocument/definition", place)).toMatchObject({
      range: { start: { line: 4, character: 10 } },
    });
    const { changes } = (await client.request("textDocument/rename", {
      ...place,
      newName: "critic",
    })) as { readonly changes: Readonly<Record<string, readonly unknown[]>> };
    expect(Object.values(changes).flat()).toHaveLength(2);
    await expect(
      client.request("textDocument/rename", { ...place, newName: "a/b" }),
    ).rejects.toThrow("cannot name a role");
  });

  it("formats as the command does", async () => {
    const text =
      "name: example\napiVersion: loopwright/v1\nmodel: ollama/small\nstrategy: direct\n";
    const uri = file("order.yaml", text);
    await client.open(uri, text);
    const edits = (await client.request("textDocument/formatting", {
      textDocument: { uri },
      options: { tabSize: 2, insertSpaces: true },
    })) as readonly { readonly newText: string }[];
    expect(edits[0]?.newText.startsWith("apiVersion: loopwright/v1\nname: example\n")).toBe(true);
  });
});

describe("the end of the language server", () => {
  it("comes with `exit` after `shutdown`", async () => {
    const client = new LspClient(folder);
    await client.start();
    expect(await client.stop()).toBe(0);
  });

  it("comes with the end of standard input", async () => {
    const client = new LspClient(folder);
    await client.start();
    client.child.stdin?.end();
    expect(await client.ended).not.toBeNull();
  });
});
