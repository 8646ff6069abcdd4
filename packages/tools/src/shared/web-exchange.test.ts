import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import type { Lookup } from "./public-address.ts";
import { readBody } from "./read-body.ts";
import { exchange, type WebRules } from "./web-exchange.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(answer: Answer): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const open: WebRules = { own: undefined, allow: ["*:*"], isPrivateAllowed: true };

function get(
  url: string,
  {
    rules = open,
    lookup = async () => [{ address: "127.0.0.1", family: 4 }],
    signal = new AbortController().signal,
    headers = {},
    maxBytes = 1_000,
  }: {
    rules?: WebRules;
    lookup?: Lookup;
    signal?: AbortSignal;
    headers?: Record<string, string>;
    maxBytes?: number;
  } = {},
): Promise<unknown> {
  const request = { url: new URL(url), method: "GET", headers };
  const wire = { fetch, signal, lookup };
  return exchange(request, rules, wire, async (reply) =>
    readBody(reply, { maxBytes, isRaw: false }),
  );
}

describe("a request to an address that a model gave", () => {
  it("connects to the address that was checked: a name that changes its address meanwhile gains nothing", async () => {
    const port = await serve((request, response) => response.end(request.headers.host));
    const asked: string[] = [];
    const lookup: Lookup = async (host) => {
      asked.push(host);
      // The system does not know this name: only the address given here can be connected to.
      return [{ address: asked.length === 1 ? "127.0.0.1" : "127.0.0.2", family: 4 }];
    };
    expect(await get(`http://pinned.example:${port}/`, { lookup })).toBe(`pinned.example:${port}`);
    expect(asked).toEqual(["pinned.example"]);
  });

  it.each([
    ["127.0.0.1", "10.1.2.3", "169.254.169.254", "0.0.0.0", "100.64.0.1", "192.168.0.9"],
    [
      "::1",
      "fe80::1",
      "fd00::1",
      "::ffff:127.0.0.1",
      "::127.0.0.1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
    ],
  ])(
    "is refused where the name resolves to a private address, be it one of several",
    async (...list) => {
      for (const address of list) {
        const family = address.includes(":") ? 6 : 4;
        const lookup: Lookup = async () => [
          { address: "93.184.216.34", family: 4 },
          { address, family },
        ];
        const rules = { ...open, allow: undefined, isPrivateAllowed: false };
        await expect(get("http://any.example/", { lookup, rules })).rejects.toThrow(
          /any\.example is a private or local address/,
        );
      }
    },
  );

  it("says that a name is not known, and lets the call be made again where that may pass", async () => {
    const failing =
      (code: string): Lookup =>
      async () =>
        Promise.reject(Object.assign(new Error("no"), { code }));
    await expect(
      get("http://any.example/", { lookup: failing("ENOTFOUND") }),
    ).rejects.toMatchObject({
      message: expect.stringContaining("any.example can't be found (ENOTFOUND)"),
      retryable: false,
    });
    await expect(
      get("http://any.example/", { lookup: failing("EAI_AGAIN") }),
    ).rejects.toMatchObject({ retryable: true });
    await expect(get("http://any.example/", { lookup: async () => [] })).rejects.toThrow(
      /has no address/,
    );
  });

  it("checks each redirect, and leaves its headers behind on the way to another host", async () => {
    const seen: string[] = [];
    const port = await serve((request, response) => {
      seen.push(`${request.headers.host} ${String(request.headers["x-token"])}`);
      const to: Record<string, string> = {
        "/": "/second",
        "/second": `http://other.example:${port}/third`,
        "/third": `http://first.example:${port}/last`,
        "/closed": `http://closed.example:${port}/`,
        "/private": `http://private.internal:${port}/`,
      };
      const location = to[request.url ?? ""];
      if (location === undefined) response.end("here");
      else response.writeHead(302, { location }).end();
    });
    const rules = { ...open, allow: ["first.example:*", "other.example:*"] };
    const headers = { "X-Token": "t" };
    expect(await get(`http://first.example:${port}/`, { rules, headers })).toBe("here");
    expect(seen).toEqual([
      `first.example:${port} t`,
      `first.example:${port} t`,
      `other.example:${port} undefined`,
      `first.example:${port} undefined`,
    ]);
    await expect(get(`http://first.example:${port}/closed`, { rules })).rejects.toThrow(
      /redirects to http:\/\/closed\.example:\d+, another host; it is not followed/,
    );
  });

  it("is refused after a redirect to an allowed name with a private address", async () => {
    const port = await serve((_, response) =>
      response.writeHead(302, { location: `http://x.internal:${port}/` }).end(),
    );
    const own = new URL(`http://127.0.0.1:${port}/`);
    const rules = { own, allow: ["*:*"], isPrivateAllowed: false };
    await expect(get(own.href, { rules })).rejects.toThrow(/x\.internal:\d+ is a private or local/);
  });

  it("stops in the middle of a body that never ends when it is aborted, and lets the server go", async () => {
    const abort = new AbortController();
    let isClosed: Promise<void> = Promise.resolve();
    const port = await serve((request, response) => {
      isClosed = new Promise((resolve) => request.on("close", () => resolve()));
      response.writeHead(200, { "content-type": "text/plain" });
      response.write("slow", () => abort.abort(new Error("the run ended")));
    });
    await expect(get(`http://slow.example:${port}/`, { signal: abort.signal })).rejects.toThrow(
      "the run ended",
    );
    await isClosed;
  });

  it("reads no more than its limit of an endless body, and lets the server go", async () => {
    let isClosed: Promise<void> = Promise.resolve();
    const port = await serve((_, response) => {
      isClosed = new Promise((resolve) => response.on("close", () => resolve()));
      const more = (): void => {
        if (!response.destroyed) response.write("x".repeat(1_000), more);
      };
      more();
    });
    expect(await get(`http://endless.example:${port}/`)).toBe(
      `${"x".repeat(1_000)}\n[cut: the reply is longer than 1000 bytes]`,
    );
    await isClosed;
  });

  it("counts the bytes of a packed body unpacked", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000, 97));
    const port = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-type": "text/plain" });
      response.end(bomb);
    });
    const text = await get(`http://packed.example:${port}/`);
    expect(text).toBe(`${"a".repeat(1_000)}\n[cut: the reply is longer than 1000 bytes]`);
  });

  it("tells how long the server asks to be left alone", async () => {
    const port = await serve((_, response) =>
      response.writeHead(429, { "retry-after": "7" }).end("later"),
    );
    await expect(get(`http://busy.example:${port}/`)).rejects.toMatchObject({
      retryable: true,
      details: { status: 429, retryAfterMs: 7_000 },
    });
  });
});
