import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { readBody } from "./read-body.ts";
import { exchange } from "./web-exchange.ts";

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function ask(answer: (reply: ServerResponse) => void, isOwn: boolean): Promise<unknown> {
  const server = createServer((_, reply) => answer(reply));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const rules = { own: isOwn ? url : undefined, allow: ["*:*"], isPrivateAllowed: true };
  const wire = { fetch, signal: new AbortController().signal };
  return exchange({ url, method: "GET", headers: {} }, rules, wire, async (reply) =>
    readBody(reply, { maxBytes: 1_000, isRaw: false }),
  );
}

const packed = (times: number) => ({
  "content-encoding": Array.from({ length: times }, () => "gzip").join(", "),
  "content-type": "text/plain",
});

describe.each([true, false])("a reply, from the address of the spec: %s", (isOwn) => {
  it.each([
    ["stays open", 10, false],
    ["is longer than is read", 200_000, true],
  ])(
    "that is packed too often and %s is a failure of the call alone",
    async (_, bytes, isEnded) => {
      const answering = ask((reply) => {
        reply.writeHead(200, packed(6)).write(Buffer.alloc(bytes));
        if (isEnded) reply.end();
      }, isOwn);
      // An error that nobody owns would come after the call, and fail the whole run of the tests.
      await expect(answering).rejects.toMatchObject({
        code: "tool-failed",
        message: expect.stringMatching(/is packed 6 times over; it is not read/),
        retryable: false,
      });
    },
  );

  it("that is packed as often as can be read is read", async () => {
    let body = Buffer.from("inside");
    for (let times = 0; times < 5; times += 1) body = gzipSync(body);
    expect(await ask((reply) => reply.writeHead(200, packed(5)).end(body), isOwn)).toBe("inside");
  });

  it("that is packed wrongly is told as such", async () => {
    const answering = ask((reply) => reply.writeHead(200, packed(1)).end("no gzip"), isOwn);
    await expect(answering).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringMatching(/^The reply of 127\.0\.0\.1:\d+ can't be unpacked \(Z_/),
      retryable: false,
    });
  });

  it("that breaks off may come whole the next time", async () => {
    const answering = ask((reply) => {
      reply.writeHead(200, { "content-type": "text/plain" });
      reply.write("half", () => reply.destroy());
    }, isOwn);
    await expect(answering).rejects.toMatchObject({
      code: "tool-failed",
      message: expect.stringMatching(/^The reply of 127\.0\.0\.1:\d+ broke off after 4 bytes: /),
      retryable: true,
    });
  });
});
