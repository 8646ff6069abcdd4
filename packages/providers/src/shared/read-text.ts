import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { messageOf, ProviderError } from "@loopwright/core/plugin";

const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a text file; one that ends in `.gz` is unpacked, to 256 MB at most. */
export async function readText(file: string, reader: string): Promise<string> {
  try {
    const bytes = await readFile(file);
    const text = file.endsWith(".gz")
      ? await promisify(gunzip)(bytes, { maxOutputLength: MAX_BYTES })
      : bytes;
    return text.toString("utf8");
  } catch (thrown) {
    throw new ProviderError(
      "provider-failed",
      `${reader} can't read ${file}: ${messageOf(thrown)}. Check the path under \`file\`.`,
      { details: { file }, cause: thrown },
    );
  }
}
