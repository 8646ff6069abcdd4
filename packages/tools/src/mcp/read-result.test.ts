import { expect, it } from "vitest";
import { readResult } from "./read-result.ts";

const image = (data: string): unknown =>
  readResult({ content: [{ type: "image", data, mimeType: "image/png" }] }, false);

it.each([
  ["AAAA", 3],
  ["AAA=", 2],
  ["AA==", 1],
  ["", 0],
  // More than two are no padding; a long row of them must not be looked through again and again.
  [`${"=".repeat(2_000_000)}A`, 1_500_000],
  ["A".repeat(2) + "=".repeat(4), 3],
])("tells how many bytes a picture has", (data, size) => {
  expect(image(data)).toBe(`[image, image/png, ${size} bytes]`);
});

it("reads no structure that is nested too deep", () => {
  const nested = (depth: number): unknown =>
    JSON.parse(`{"structuredContent":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`);
  expect(JSON.stringify(readResult(nested(400), true))).toHaveLength(806);
  expect(() => readResult(nested(200_000), true)).toThrow("nested deeper than 500 levels");
});
