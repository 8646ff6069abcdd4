import { OrderDatabase } from "@acme/loopwright-orders";
import { createApp, provide } from "@loopwright/core";
import { tools } from "@loopwright/tools";
import { describe, expect, it } from "vitest";
import { builtIn, repositoryRoot } from "./example-specs.ts";
import { orderTools } from "./order-desk-run.ts";

describe("the tools that come along", () => {
  it("say what they are for, when, when not, and what comes back", async () => {
    const app = await createApp({
      plugins: [...builtIn, orderTools],
      services: [provide(OrderDatabase, {} as OrderDatabase)],
      discovery: false,
      root: repositoryRoot,
      env: {},
    });
    const ids = [...tools.entries, ...orderTools.entries].map(({ id }) => id);
    const text = `apiVersion: loopwright/v1\nname: all\nmodel: ollama/s\ntools: [${ids.join(", ")}]\nstrategy: react\n`;
    const { diagnostics } = await app.check({ text });
    await app.close();
    expect(ids.length).toBeGreaterThan(4);
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([]);
  });
});
