import { OrderDatabase } from "@acme/loopwright-orders";
import { createApp, provide } from "@loopwright/core";
import { tools } from "@loopwright/tools";
import { describe, expect, it } from "vitest";
import { builtIn, repositoryRoot } from "./example-specs.ts";
import { orderTools } from "./order-desk-run.ts";

/** Options of the tools that do nothing without any. */
const needed: Readonly<Record<string, string>> = {
  "http-request": "{ url: 'https://api.example.com/orders' }",
  mcp: "{ url: 'https://mcp.example.com' }",
  shell: "{ allow: [ls, { command: git show, arguments: ['[0-9a-f]+'] }] }",
  "sqlite-execute": "{ file: data/shop.db }",
  "sqlite-query": "{ file: README.md }",
  "web-search": "{ url: 'https://search.example.com' }",
};

describe("the tools that come along", () => {
  it("say what they are for, when, when not, and what comes back", async () => {
    const app = await createApp({
      plugins: [...builtIn, orderTools],
      services: [provide(OrderDatabase, {} as OrderDatabase)],
      discovery: false,
      root: repositoryRoot,
      env: {},
    });
    const ids = [...tools.entries, ...orderTools.entries]
      .filter(({ kind }) => kind === "tool")
      .map(({ id }) => id);
    const list = ids.map((id) => `  ${id}: ${needed[id] ?? "{}"}\n`).join("");
    const text = `apiVersion: loopwright/v1\nname: all\nmodel: ollama/s\ntools:\n${list}strategy: react\n`;
    const { diagnostics } = await app.check({ text });
    await app.close();
    expect(ids.length).toBeGreaterThan(4);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });
});
