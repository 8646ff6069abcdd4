import { describe, expect, it } from "vitest";
import { VendorFields } from "./vendor-fields.ts";

function joined(...pieces: readonly object[]): unknown {
  const fields = new VendorFields("message");
  for (const piece of pieces) fields.add(piece);
  return fields.fields;
}

describe("a vendor's own fields", () => {
  it("are put together from their pieces, and leave those as they are", () => {
    const first = { signature: "a", details: [{ type: "t", index: 0, text: "x" }] };
    const before = structuredClone(first);
    const whole = joined(
      first,
      { signature: "b", details: [{ type: "t", index: 0, text: "y", id: null, mark: 1 }] },
      { details: [{ type: "t", index: 1, text: "z" }, { text: "w" }, "v"] },
    );
    expect(whole).toEqual({
      signature: "ab",
      details: [
        { type: "t", index: 0, text: "xy", mark: 1 },
        { type: "t", index: 1, text: "z" },
        { text: "w" },
        "v",
      ],
    });
    expect(first).toEqual(before);
  });

  it("are what came last where their types differ", () => {
    expect(joined({ a: [1] }, { a: "x" }, { a: [2] }, { a: [3] })).toEqual({ a: [2, 3] });
    expect(joined({ content: "x", role: "assistant", b: null })).toBeUndefined();
  });

  it.each([{ text: "abc" }, { index: 0, text: "abc" }])(
    "take work that grows with the pieces and no faster: %j",
    (part) => {
      const timeOf = (count: number): number => {
        const times = Array.from({ length: 3 }, () => {
          const fields = new VendorFields("message");
          const start = process.cpuUsage();
          for (let index = 0; index < count; index++) fields.add({ details: [part] });
          const { user, system } = process.cpuUsage(start);
          return user + system;
        });
        // The least time of the processor, since what else goes on only adds.
        return Math.min(...times);
      };
      timeOf(1_000);
      // Sixteen times the pieces: 256 times the time where each piece copies those before it.
      expect(timeOf(32_000)).toBeLessThan(80 * Math.max(timeOf(2_000), 500));
    },
  );
});
