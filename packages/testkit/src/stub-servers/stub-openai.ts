import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { splitBytes, toChunks, toCompletion, toSse } from "./openai-wire.ts";
import type { StubReply } from "./stub-reply.ts";

/** A request as it came. */
export interface StubRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A stub endpoint on loopback. */
export interface StubOpenAi {
  /** The base URL, up to /v1. */
  readonly url: string;
  /** The bodies of the requests so far. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  /** The requests so far with their paths and headers. */
  readonly received: readonly StubRequest[];
  /** How many replies are under way; one that its reader left is not. */
  readonly openReplyCount: () => number;
  readonly close: () => Promise<void>;
}

const MAX_BODY_BYTES = 8_000_000;

/**
 * Starts an OpenAI-compatible endpoint on loopback that answers chat completions, streamed or whole as the request asks.
 *
 * Contract: `replies` is asked once a request, in order of arrival; a throw of it answers 500 with the message; `close`
 * ends every connection.
 */
export async function stubOpenAi(options: {
  readonly replies: (request: StubRequest, index: number) => StubReply | Promise<StubReply>;
}): Promise<StubOpenAi> {
  const received: StubRequest[] = [];
  const requests: Readonly<Record<string, unknown>>[] = [];
  const sockets = new Set<Socket>();
  const open = new Set<ServerResponse>();
  const closing = new AbortController();
  const server = createServer((incoming, response) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    const answer = async (): Promise<void> => {
      const request = await readRequest(incoming);
      received.push(request);
      requests.push(request.body);
      const reply = await options.replies(request, requests.length - 1);
      await send(response, reply, request.body["stream"] === true, closing.signal);
    };
    answer().catch((thrown: unknown) => fail(response, thrown));
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    received,
    openReplyCount: () => open.size,
    close: () => {
      closing.abort();
      return closeAll(server, sockets);
    },
  };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function closeAll(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    for (const socket of sockets) socket.destroy();
  });
}

async function readRequest(incoming: IncomingMessage): Promise<StubRequest> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new Error("the request is larger than 8 MB");
    parts.push(part);
  }
  const text = Buffer.concat(parts).toString("utf8");
  const body = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  return { path: incoming.url ?? "", headers: incoming.headers, body };
}

async function send(
  response: ServerResponse,
  reply: StubReply,
  isStream: boolean,
  signal: AbortSignal,
): Promise<void> {
  if (reply.delayMs !== undefined) await sleep(reply.delayMs, undefined, { signal });
  const status = reply.status ?? 200;
  const isEvents = isStream && status < 400 && reply.body === undefined;
  response.writeHead(status, {
    "content-type": isEvents ? "text/event-stream" : "application/json",
    ...reply.headers,
  });
  response.flushHeaders();
  for (const [index, piece] of piecesOf(reply, status, isEvents).entries()) {
    if (reply.closeAfter === index) return void response.destroy();
    if (reply.hangAfter === index) return hang(response, reply.keepAliveMs, signal);
    if (reply.pieceDelayMs !== undefined) await sleep(reply.pieceDelayMs, undefined, { signal });
    if (response.destroyed) return;
    response.write(piece);
    // Each piece leaves on its own, so that readers see the cut.
    if (reply.pieceBytes !== undefined) await immediate();
  }
  response.end();
}

async function hang(
  response: ServerResponse,
  keepAliveMs: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  while (!response.destroyed) {
    await sleep(keepAliveMs ?? 50, undefined, { signal });
    if (keepAliveMs !== undefined) response.write(": keep-alive\n\n");
  }
}

function piecesOf(reply: StubReply, status: number, isEvents: boolean): readonly Uint8Array[] {
  const whole =
    reply.body ??
    JSON.stringify(
      status >= 400 ? { error: { message: reply.text ?? "stub" } } : toCompletion(reply),
    );
  const events = isEvents ? toSse(reply.chunks ?? toChunks(reply)) : [whole];
  if (reply.pieceBytes === undefined) return events.map((event) => Buffer.from(event));
  return splitBytes(Buffer.from(events.join("")), reply.pieceBytes);
}

function fail(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message } }));
}
