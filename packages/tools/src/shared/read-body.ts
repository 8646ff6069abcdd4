import { messageOf, ToolError } from "@loopwright/core/plugin";
import { htmlText } from "./html-text.ts";

/** Markup is longer than its text: so many times the limit is read of it. */
const markupFactor = 10;
const maxMarkupBytes = 5_000_000;

/** How much of a reply is read, and how. */
export interface BodyReading {
  readonly maxBytes: number;
  /** HTML as it is, not as readable text. */
  readonly isRaw: boolean;
}

/** Reads a reply as JSON where it says so, HTML as readable text, else as text; text beyond the limit is cut, with a note at its end. */
export async function readBody(
  reply: Response,
  { maxBytes, isRaw }: BodyReading,
): Promise<unknown> {
  const type = reply.headers.get("content-type")?.toLowerCase() ?? "";
  if (/^(?:image|audio|video|font)\/(?!svg)|octet-stream|\/(?:pdf|zip|gzip)/.test(type)) {
    await reply.body?.cancel();
    throw new ToolError(
      "tool-failed",
      `The reply is binary (${type}); only text and JSON are read.`,
    );
  }
  if (!isRaw && /^(?:text\/html|application\/xhtml\+xml)\b/.test(type))
    return readHtml(reply, type, maxBytes);
  const { bytes, isCut } = await readBytes(reply, maxBytes);
  const text = decoderOf(type).decode(bytes);
  if (!/[/+]json\b/.test(type)) return isCut ? `${text}\n${cutNote(maxBytes)}` : text;
  if (isCut) {
    throw new ToolError(
      "tool-failed",
      `The JSON reply is longer than ${maxBytes} bytes; ask for less, or raise maxBytes in the spec.`,
    );
  }
  return parseJson(text);
}

/** Returns the first characters of a reply, for an error message. */
export async function readExcerpt(reply: Response, maxCharacters: number): Promise<string> {
  const { bytes } = await readBytes(reply, maxCharacters * 4);
  const text = new TextDecoder().decode(bytes).replaceAll(/\s+/g, " ").trim();
  return Array.from(text).slice(0, maxCharacters).join("");
}

async function readHtml(reply: Response, type: string, maxBytes: number): Promise<string> {
  const maxRead = Math.max(maxBytes, Math.min(maxBytes * markupFactor, maxMarkupBytes));
  const { bytes, isCut } = await readBytes(reply, maxRead);
  const text = Buffer.from(htmlText(decoderOf(type).decode(bytes)));
  if (!isCut && text.byteLength <= maxBytes) return text.toString();
  const head = new TextDecoder().decode(text.subarray(0, maxBytes)).replace(/\uFFFD$/, "");
  return `${head}\n${cutNote(maxBytes)}`;
}

function cutNote(maxBytes: number): string {
  return `[cut: the reply is longer than ${maxBytes} bytes]`;
}

async function readBytes(
  reply: Response,
  maxBytes: number,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  if (reply.body === null) return { bytes: new Uint8Array(), isCut: false };
  const reader: ReadableStreamDefaultReader<Uint8Array> = reply.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maxBytes) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw brokenOff(reply, size, cause);
    });
    if (done) break;
    chunks.push(value);
    size += value.byteLength;
  }
  if (size > maxBytes) await reader.cancel();
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: size > maxBytes };
}

/** A connection that dies may live the next time; what was packed wrongly will be so again. */
function brokenOff({ url }: Response, size: number, cause: unknown): ToolError {
  const reason = cause instanceof Error ? (cause.cause ?? cause) : cause;
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : "";
  const isPackedWrongly = /^(?:Z_(?!BUF_ERROR)|ERR_.*BROTLI|ERR_PADDING)/.test(code);
  const host = URL.canParse(url) ? new URL(url).host : "the server";
  const message = isPackedWrongly
    ? `The reply of ${host} can't be unpacked (${code}); ask for another form of it.`
    : `The reply of ${host} broke off after ${size} bytes: ${messageOf(reason)}`;
  return new ToolError("tool-failed", message, { cause, retryable: !isPackedWrongly });
}

function decoderOf(contentType: string): InstanceType<typeof TextDecoder> {
  const label = /charset="?([\w-]+)/.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ToolError(
      "tool-failed",
      "The reply says that it is JSON and is not readable as such.",
      { cause },
    );
  }
}
