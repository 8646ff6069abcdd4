import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import type { ToolSet } from "@loopwright/core/plugin";
import { tempFolder, toolContext } from "@loopwright/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { machineClock } from "./mcp/fixtures/test-servers.ts";
import { mcp } from "./mcp.ts";
import { openConnections } from "./shared/mcp/connections.ts";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
}

const projectRoot = tempFolder();
const cleanUps: (() => Promise<unknown>)[] = [];
const tool = { name: "a", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } };

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** A server that greets and lists as others do, and answers calls as a test wants. */
async function serve(
  onCall: (message: Message, response: ServerResponse) => void,
  tools: readonly unknown[] = [tool],
): Promise<ToolSet> {
  const server: Server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method !== "POST") return response.writeHead(405).end();
      const message = JSON.parse(body) as Message;
      if (message.id === undefined) return response.writeHead(202).end();
      const result = resultOf(message, tools);
      if (result === undefined) return onCall(message, response);
      response.writeHead(200, { "content-type": "application/json" });
      return response.end(answer(message, result));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUps.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  const connections = openConnections({ fetch, clock: machineClock });
  cleanUps.push(() => connections.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const given = { url, startTimeout: 30_000 };
  return mcp.create(given as never, { connections, projectRoot } as never) as unknown as ToolSet;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = "";
  for await (const piece of request) body += String(piece);
  return body;
}

function resultOf({ method, params }: Message, tools: readonly unknown[]): object | undefined {
  if (method === "tools/list") return { tools };
  if (method !== "initialize") return undefined;
  const serverInfo = { name: "test", version: "1" };
  return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
}

function answer({ id }: Message, result: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

async function call(set: ToolSet): Promise<unknown> {
  const [listed] = await set.list(new AbortController().signal, () => undefined);
  return await listed?.run({}, toolContext());
}

const text = (value: string) => ({ content: [{ type: "text", text: value }] });
const tooLong = "the connection was lost: it sent a message of more than 16000000 characters";

describe("a server at an address", { timeout: 60_000 }, () => {
  it.each(["\n", "\r\n"])("may answer in events whose lines end in %j", async (line) => {
    const set = await serve((message, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = `event: message${line}data: ${answer(message, text("fine"))}${line}${line}`;
      // The connection stays open: what is there must be read without its end.
      for (const piece of event.match(/[^]{1,7}/gu) ?? []) response.write(piece);
    });
    expect(await call(set)).toBe("fine");
  });

  it("can't send an answer that is too long, packed or not", async () => {
    const set = await serve((message, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
      response.end(gzipSync(answer(message, text("x".repeat(20_000_000)))));
    });
    await expect(call(set)).rejects.toThrow(tooLong);
  });

  it.each(["", "\n"])("can't send an event that never ends (%j)", async (line) => {
    const piece = `data: ${"x".repeat(1_000_000)}${line}`;
    const set = await serve((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const go = (): void => {
        if (response.destroyed) return;
        if (response.write(piece)) setImmediate(go);
        else response.once("drain", go);
      };
      go();
    });
    await expect(call(set)).rejects.toThrow(tooLong);
  });

  it("can't list too many tools on one page either", async () => {
    const set = await serve(
      () => undefined,
      Array.from({ length: 1_001 }, (_, index) => ({ ...tool, name: `a${index}` })),
    );
    await expect(call(set)).rejects.toThrow("it lists more than 1000 tools");
  });
});
