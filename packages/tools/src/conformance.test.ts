import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeService, describeTool, describeToolSet, tempFolder } from "@loopwright/testkit";
import { afterAll, expect } from "vitest";
import { askPerson } from "./ask-person.ts";
import { calculator } from "./calculator.ts";
import { currentTime } from "./current-time.ts";
import { httpGet } from "./http-get.ts";
import { httpRequest } from "./http-request.ts";
import { javascript } from "./javascript.ts";
import { listFiles } from "./list-files.ts";
import { machineClock, programOptions, ServerLog } from "./mcp/fixtures/test-servers.ts";
import { mcp } from "./mcp.ts";
import { mcpConnections } from "./mcp-connections.ts";
import { type McpConnections, openConnections } from "./shared/mcp/connections.ts";
import { readFile } from "./read-file.ts";
import { reflection } from "./reflection.ts";
import { searchFiles } from "./search-files.ts";
import { shell } from "./shell.ts";
import { sqliteExecute } from "./sqlite-execute.ts";
import { sqliteQuery } from "./sqlite-query.ts";
import { webSearch } from "./web-search.ts";
import { writeFile } from "./write-file.ts";

describeTool(calculator, {
  examples: [
    { input: { expression: "(249 - 40) * 0.92" }, matches: 192.28 },
    { input: { expression: "2 ^ 80" }, matches: "1208925819614629174706176" },
  ],
  badInputs: [{ expression: "1 / 0" }, { expression: "process.exit()" }, { expression: "" }],
});

const projectRoot = tempFolder();
writeFileSync(join(projectRoot, "notes.txt"), "one\ntwo\nthree\n");

describeTool(readFile, {
  services: () => ({ projectRoot }),
  examples: [
    { input: { path: "notes.txt" }, matches: "one\ntwo\nthree" },
    { input: { path: "notes.txt", offset: 2, limit: 1 }, matches: expect.stringContaining("two") },
  ],
  badInputs: [{ path: "missing.txt" }, { path: "../notes.txt" }, { path: "." }, { path: "" }],
});

describeTool(listFiles, {
  services: () => ({ projectRoot }),
  examples: [
    { input: { glob: "*.txt" }, matches: "notes.txt (14 bytes)" },
    { input: {}, matches: expect.stringContaining("notes.txt") },
  ],
  badInputs: [{ path: "missing" }, { path: ".." }, { path: "notes.txt" }, { depth: 0 }],
});

describeTool(searchFiles, {
  services: () => ({ projectRoot }),
  examples: [
    { input: { text: "two" }, matches: "notes.txt:2: two" },
    { input: { text: "^t", isRegex: true }, matches: "notes.txt:2: two\nnotes.txt:3: three" },
    { input: { text: "four" }, matches: "[no match]" },
  ],
  badInputs: [{ text: "" }, { text: "(", isRegex: true }, { text: "two", path: ".." }],
});

const writtenRoot = tempFolder();

describeTool(writeFile, {
  services: () => ({ projectRoot: writtenRoot }),
  examples: [
    { input: { path: "a/new.txt", content: "one" }, matches: expect.stringContaining("a/new.txt") },
  ],
  badInputs: [
    { path: "../out.txt", content: "" },
    { path: "a.txt" },
    { path: ".env", content: "" },
    { path: "none.txt", replace: { old: "a", new: "b" } },
  ],
});

describeTool(reflection, {
  examples: [
    {
      input: { moment: "tool-error", analysis: "The order number has a digit too many." },
      matches: expect.stringContaining("Next:"),
    },
  ],
  badInputs: [
    { moment: "later", analysis: "…" },
    { moment: "tool-error", analysis: "" },
  ],
});

describeTool(httpGet, {
  options: {
    url: "https://api.example.com/rates",
    input: {
      type: "object",
      properties: { currency: { type: "string", description: "Three letters." } },
      required: ["currency"],
    },
  },
  services: () => ({ fetch: serveRates }),
  examples: [{ input: { currency: "EUR" }, matches: { rate: 1 } }],
  badInputs: [{ currency: "XXX" }, {}],
});

async function serveRates(url: URL, { signal }: RequestInit): Promise<Response> {
  signal?.throwIfAborted();
  const isKnown = url.searchParams.get("currency") === "EUR";
  return isKnown ? Response.json({ rate: 1 }) : new Response("no such currency", { status: 404 });
}

describeTool(httpRequest, {
  options: {
    url: "https://api.example.com/orders/{id}",
    method: "PATCH",
    input: {
      type: "object",
      properties: {
        id: { type: "string", description: "The order." },
        city: { type: "string", description: "Where it goes." },
      },
      required: ["id", "city"],
    },
  },
  services: () => ({ fetch: changeOrder }),
  examples: [{ input: { id: "a/1", city: "Ulm" }, matches: { changed: "/orders/a%2F1" } }],
  badInputs: [{ id: "..", city: "Ulm" }, { id: "2", city: "" }, {}],
});

async function changeOrder(url: URL, { signal, body }: RequestInit): Promise<Response> {
  signal?.throwIfAborted();
  const isRight = body === JSON.stringify({ city: "Ulm" });
  return isRight ? Response.json({ changed: url.pathname }) : new Response("no", { status: 422 });
}

describeTool(webSearch, {
  options: { url: "https://search.example.com/search?format=json" },
  services: () => ({ fetch: answerSearch }),
  examples: [
    {
      input: { query: "order desk" },
      matches: "1. Order desk\n   https://a.example/\n   About order desk",
    },
    { input: { query: "nothing" }, matches: "no result" },
  ],
  badInputs: [{ query: "" }, { query: " " }, {}],
});

async function answerSearch(url: URL, { signal }: RequestInit): Promise<Response> {
  signal?.throwIfAborted();
  const isKnown = url.search === "?format=json&q=order+desk";
  const found = { title: "Order desk", url: "https://a.example/", content: "About order desk" };
  return Response.json({ results: isKnown ? [found] : [] });
}

describeTool(askPerson, {
  examples: [{ input: { question: "Which city?" }, matches: expect.stringMatching(/^Nobody/) }],
  badInputs: [{ question: " " }, { question: "Which?", options: ["a", "a"] }, {}],
});

describeTool(currentTime, {
  examples: [{ input: { timeZone: "Asia/Tokyo" }, matches: { timeZone: "Asia/Tokyo" } }],
  badInputs: [{ timeZone: "Mars/Base" }],
});

describeTool(javascript, {
  examples: [
    { input: { code: "input.map((one) => one * 2)", input: [1, 2] }, matches: { result: [2, 4] } },
  ],
  badInputs: [{ code: "for (;;) {" }, { code: "null.x" }, { code: "" }],
});

describeTool(shell, {
  options: { allow: ["echo"] },
  services: () => ({ projectRoot }),
  examples: [{ input: { command: "echo", args: ["$HOME"] }, matches: { stdout: "$HOME\n" } }],
  badInputs: [{ command: "ls" }, { command: "echo", args: ["a\0b"] }, { command: "echo a" }],
});

describeTool(sqliteExecute, {
  options: { file: join(projectRoot, "shop.db") },
  services: () => ({ projectRoot }),
  examples: [
    { input: { sql: "CREATE TABLE IF NOT EXISTS orders(id)" }, matches: { changes: 0 } },
    { input: { sql: "INSERT INTO orders VALUES (?)", params: [7] }, matches: { changes: 1 } },
  ],
  badInputs: [{ sql: "SELECT 1" }, { sql: "INSERT INTO nothing VALUES (1)" }, { sql: "" }],
});

describeTool(sqliteQuery, {
  options: { file: join(projectRoot, "shop.db") },
  services: () => ({ projectRoot }),
  examples: [{ input: { sql: "SELECT 1 AS one" }, matches: { columns: ["one"], rows: [[1]] } }],
  badInputs: [{ sql: "DROP TABLE orders" }, { sql: "SELECT ?" }, { sql: "" }],
});

const opened: McpConnections[] = [];

afterAll(async () => {
  for (const connections of opened) await connections.close();
});

describeToolSet(mcp, {
  options: { ...programOptions(new ServerLog()), only: ["get_*", "fail"] },
  services: () => {
    const connections = openConnections({ fetch, clock: machineClock });
    opened.push(connections);
    return { connections, projectRoot };
  },
  examples: [
    { tool: "get_item", input: { item: "a" }, matches: "get_item a" },
    { tool: "get_count", input: {}, matches: { count: 2 } },
  ],
  badCall: { tool: "fail", input: {} },
  unreachable: { command: "no-such-command-here" },
});

describeService<McpConnections>(mcpConnections, {
  services: () => ({ fetch, clock: machineClock }),
  use: async (connections) => {
    const server = {
      ...programOptions(new ServerLog()),
      folder: projectRoot,
      startTimeoutMs: 30_000,
    };
    const { signal } = new AbortController();
    const settings = { effect: "read", canRepeat: true, signal } as const;
    const connection = connections.to(server);
    if (connections.to(server) !== connection) throw new Error("one server has two connections");
    await connection.request("tools/list", {}, settings);
  },
});
