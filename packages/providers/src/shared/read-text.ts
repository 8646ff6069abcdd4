import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gunzipSync } from "node:zlib";
import { messageOf, ProviderError } from "@loopwright/core/plugin";

const LIMIT = { maxOutputLength: 256 * 1024 * 1024 };

/** Reads a text file; one that ends in `.gz` is unpacked, to 256 MB at most. */
export async function readText(file: string, reader: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    return toText(isPacked(file) ? await promisify(gunzip)(bytes, LIMIT) : bytes);
  } catch (thrown) {
    throw new ProviderError(
      "provider-failed",
      `${reader} can't read ${file}: ${messageOf(thrown)}. Check the path under \`file\`.`,
      { details: { file }, cause: thrown },
    );
  }
}

/** Reads a text file as `readText` does, at once; throws what the system says. */
export function readTextNow(file: string): string {
  const bytes = readFileSync(file);
  return toText(isPacked(file) ? gunzipSync(bytes, LIMIT) : bytes);
}

/** Whether the lines of a file are those of the text that it packs. */
export function isPacked(file: string): boolean {
  return file.endsWith(".gz");
}

function toText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.startsWith("\uFEFF") ? text.slice(1) : text;
}
