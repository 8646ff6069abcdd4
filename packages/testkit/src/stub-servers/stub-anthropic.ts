import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import { type StubMessage, toEvents, toEventText, toMessage } from "./anthropic-wire.ts";
import { splitBytes } from "./openai-wire.ts";
import type { StubRequest } from "./stub-openai.ts";

/** A stub endpoint on loopback that speaks the messages protocol. */
export interface StubAnthropic {
  /** The base URL, without /v1. */
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
const KEEP_ALIVE = toEventText({ type: "ping" });

/**
 * Starts an endpoint on loopback that answers `/v1/messages`, streamed or whole as the request asks.
 *
 * Contract: `replies` is asked once a request, in order of arrival; a throw of it answers 500 with the message; `close`
 * ends every connection.
 */
export async function stubAnthropic(options: {
  readonly replies: (request: StubRequest, index: number) => StubMessage | Promise<StubMessage>;
}): Promise<StubAnthropic> {
  const received: StubRequest[] = [];
  const open = new Set<ServerResponse>();
  const closing = new AbortController();
  const server = createServer((incoming, response) => {
    open.add(response);
    response.on("close", () => open.delete(response));
    const answer = async (): Promise<void> => {
      const request = await readRequest(incoming);
      received.push(request);
      const reply = await options.replies(request, received.length - 1);
      await send(response, reply, request.body["stream"] === true, closing.signal);
    };
    answer().catch((thrown: unknown) => fail(response, thrown));
  });
  const url = await listen(server);
  return {
    url,
    received,
    get requests() {
      return received.map(({ body }) => body);
    },
    openReplyCount: () => open.size,
    close: () => {
      closing.abort();
      return closeAll(server);
    },
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

function closeAll(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
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
  reply: StubMessage,
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
    if (keepAliveMs !== undefined) response.write(KEEP_ALIVE);
  }
}

function piecesOf(reply: StubMessage, status: number, isEvents: boolean): readonly Uint8Array[] {
  const whole = reply.body ?? JSON.stringify(status >= 400 ? errorOf(reply) : toMessage(reply));
  const chunks = reply.chunks as readonly Readonly<Record<string, unknown>>[] | undefined;
  const pieces = isEvents ? (chunks ?? toEvents(reply)).map(toEventText) : [whole];
  if (reply.pieceBytes === undefined) return pieces.map((piece) => Buffer.from(piece));
  return splitBytes(Buffer.from(pieces.join("")), reply.pieceBytes);
}

function errorOf({ text, finishReason }: StubMessage): unknown {
  return { type: "error", error: { type: finishReason ?? "api_error", message: text ?? "stub" } };
}

function fail(response: ServerResponse, thrown: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  response.writeHead(500, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type: "api_error", message } }));
}
