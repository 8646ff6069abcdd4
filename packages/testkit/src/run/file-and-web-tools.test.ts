import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Clock, Fetch, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { runScripted } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

function project(): string {
  const root = tempFolder();
  mkdirSync(join(root, "work", "docs"), { recursive: true });
  writeFileSync(join(root, "work", "docs", "ports.md"), "web: 8080\nmail: 25\n");
  writeFileSync(join(root, "secret.txt"), "outside the workspace");
  return root;
}

const call = (name: string, input: object) => ({ calls: [{ name, arguments: input as never }] });

describe("the tools with files", () => {
  const body = (policy: string): string =>
    `workspace: work\ntools:\n  list-files: {}\n  search-files: {}\n  read-file: {}\n  write-file: ${policy}\nstrategy: { react: { maxSteps: 8 } }\n`;
  const change = call("write-file", {
    path: "docs/ports.md",
    replace: { old: "mail: 25", new: "mail: 587" },
  });

  it("find, read and change a file of the workspace, and see nothing beside it", async () => {
    const root = project();
    const { outcome } = await runScripted(
      body("{ approval: never }"),
      [
        call("list-files", { depth: 2 }),
        call("search-files", { text: "mail" }),
        change,
        call("read-file", { path: "docs/ports.md" }),
        call("read-file", { path: "../secret.txt" }),
        "Mail goes out at 587 [observation-4].",
      ],
      { root },
    );
    expect(outcome.outcome).toBe("done");
    expect(outcome.state.observations.map(({ content }) => content)).toEqual([
      "docs/\ndocs/ports.md (19 bytes)",
      "docs/ports.md:2: mail: 25",
      "Changed line 2 of docs/ports.md: 2 lines, 19 bytes before, 2 lines, 20 bytes now.",
      "web: 8080\nmail: 587",
      expect.stringContaining("outside the folder"),
    ]);
  });

  it("change nothing where a person says no", async () => {
    const root = project();
    const asked: unknown[] = [];
    await runScripted(body("{}"), [change, "It stays."], {
      root,
      onRun: (live) =>
        live.on("approval.requested", ({ data }) => {
          asked.push(data.tool);
          setImmediate(() => live.respond(data.id, { approved: false }));
        }),
    });
    expect(asked).toEqual(["write-file"]);
    expect(readFileSync(join(root, "work", "docs", "ports.md"), "utf8")).toContain("mail: 25");
  });

  it("change nothing in a dry run", async () => {
    const root = project();
    const made = call("write-file", { path: "new.txt", content: "new" });
    await runScripted(`dryRun: true\n${body("{ approval: never }")}`, [made, "Done."], { root });
    expect(existsSync(join(root, "work", "new.txt"))).toBe(false);
  });
});

describe("the tools with the web", () => {
  it("send a request once, with a key of the call", async () => {
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push([request.method, request.url, typeof request.headers["idempotency-key"]]);
      response.writeHead(503).end("busy");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { outcome } = await runScripted(
      `tools:\n  close-order: { use: http-request, url: "http://127.0.0.1:${port}/orders/{id}", method: DELETE, approval: never, input: { id: string }, description: Closes an order. }\nstrategy: react\n`,
      [call("close-order", { id: "A 1" }), "It failed."],
    );
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(seen).toEqual([["DELETE", "/orders/A%201", "string"]]);
    expect(outcome.state.observations[0]?.content).toMatch(/answered with status 503 with: busy/);
  });

  it("give a search that does not answer up after three seconds", async () => {
    const clock = testClock();
    let asked = 0;
    const neverAnswers = async (): Promise<Response> => {
      asked += 1;
      setImmediate(() => void clock.advance(3_000));
      return new Promise(() => undefined);
    };
    const { outcome } = await runScripted(
      `tools: { web-search: { url: "https://search.example.com/", retry: 1 } }\nstrategy: react\n`,
      [call("web-search", { query: "stock" }), "I do not know."],
      { services: [provide(Clock, clock), provide(Fetch, neverAnswers as typeof fetch)] },
    );
    expect(asked).toBe(1);
    expect(outcome.state.observations[0]?.content).toMatch(/did not answer within 3000 ms/);
  });
});
