/** What the first bytes of a file say: text in an encoding, or a binary of some kind. */
export type FileNature =
  | { readonly kind: "text"; readonly encoding: string }
  | { readonly kind: "binary"; readonly what: string };

/** How many bytes from the start `natureOf` wants to see. */
export const HEAD_BYTES = 4096;

/** Where the sign of a format stands, the sign in Latin-1, and what it says. */
const SIGNS: readonly (readonly [at: number, sign: string, what: string])[] = [
  [0, "\x89PNG", "a PNG picture"],
  [0, "\xff\xd8\xff", "a JPEG picture"],
  [0, "GIF8", "a GIF picture"],
  [8, "WEBP", "a WebP picture"],
  [8, "WAVE", "a WAV sound"],
  [0, "%PDF-", "a PDF document"],
  [0, "PK\x03\x04", "a ZIP archive or office document"],
  [0, "\x1f\x8b", "a gzip archive"],
  [0, "7z\xbc\xaf\x27\x1c", "a 7z archive"],
  [0, "\xfd7zXZ\0", "an xz archive"],
  [0, "\x28\xb5\x2f\xfd", "a zstd archive"],
  [0, "SQLite format 3\0", "an SQLite database"],
  [0, "\x7fELF", "an ELF program"],
  [0, "MZ", "a Windows program"],
  [0, "\0asm", "a WebAssembly module"],
  [0, "ID3", "an MP3 sound"],
  [4, "ftyp", "an MP4 film or a HEIF picture"],
];

/** Tells text from binary by a byte-order mark, by the first bytes of well-known formats, and by NUL bytes. */
export function natureOf(head: Uint8Array): FileNature {
  const [first, second, third] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf)
    return { kind: "text", encoding: "utf-8" };
  if (first === 0xff && second === 0xfe) return { kind: "text", encoding: "utf-16le" };
  if (first === 0xfe && second === 0xff) return { kind: "text", encoding: "utf-16be" };
  const start = Buffer.from(head.subarray(0, 32)).toString("latin1");
  const what = SIGNS.find(([at, sign]) => start.startsWith(sign, at))?.[2];
  if (what === "a PDF document") return { kind: "binary", what };
  // "MZ" or "WAVE" may stand in a text: only NUL bytes or bytes above ASCII make a binary of it.
  if (what !== undefined && !head.every((byte) => byte > 0 && byte < 128))
    return { kind: "binary", what };
  return head.includes(0)
    ? { kind: "binary", what: "a binary file" }
    : { kind: "text", encoding: "utf-8" };
}
