import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** Reads the text of a file under `fixtures`, packed with gzip where its name says so. */
export function fixtureText(path: string): string {
  const bytes = readFileSync(new URL(`../../../../fixtures/${path}`, import.meta.url));
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** Reads a JSON Lines file under `fixtures`. */
export function fixtureLines(path: string): readonly unknown[] {
  const lines = fixtureText(path).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as unknown);
}
