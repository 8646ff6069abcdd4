import { describe, expect, it } from "vitest";
import { WholeEvents } from "./whole-events.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (piece: Uint8Array | undefined): string =>
  piece === undefined ? "" : new TextDecoder().decode(piece);

function given(text: string, size: number): readonly string[] {
  const events = new WholeEvents(true);
  const made: string[] = [];
  for (let from = 0; from < text.length; from += size)
    made.push(textOf(events.push(bytes(text.slice(from, from + size)))));
  return [...made, `rest:${textOf(events.rest())}`].filter((piece) => piece !== "");
}

describe("the events of a stream", () => {
  it.each(["\n", "\r\n", "\r"])("are given whole, whatever ends their lines: %j", (line) => {
    const first = `id: 1${line}data: a${line}${line}`;
    const second = `: note${line}data: b${line}${line}`;
    expect(given(`${first}${second}dat`, 1_000)).toEqual([`${first}${second}`, "rest:dat"]);
    expect(given(first, 4).slice(0, -1).join("")).toBe(first);
    for (let size = 1; size < 40; size++) {
      const pieces = given(`${first}${second}dat`, size);
      expect(pieces.join(""), `pieces of ${size}`).toBe(`${first}${second}rest:dat`);
      const places = pieces
        .slice(0, -1)
        .map((_, index) => pieces.slice(0, index + 1).join("").length);
      // Only at the end of an event, or within the two characters that end its last line.
      const ends = [first.length, first.length + second.length].flatMap((end) => [end, end - 1]);
      for (const place of places) expect(ends, `pieces of ${size}`).toContain(place);
    }
  });

  it("may be many, but none may be too long, on one line or on many", () => {
    const million = "x".repeat(1_000_000);
    const many = new WholeEvents(true);
    for (let count = 0; count < 40; count++) many.push(bytes(`data: ${million}\n\n`));
    for (const piece of [million, `data: ${million}\n`]) {
      const long = new WholeEvents(true);
      expect(() => {
        for (let count = 0; count < 17; count++) long.push(bytes(piece));
      }).toThrow("a message of more than 16000000 characters");
    }
  });
});

it("a body of another kind is given as it comes, and counted as a whole", () => {
  const body = new WholeEvents(false);
  for (let count = 0; count < 16; count++)
    expect(body.push(new Uint8Array(1_000_000))).toHaveLength(1_000_000);
  expect(() => body.push(new Uint8Array(1))).toThrow("a message of more than 16000000 characters");
});
