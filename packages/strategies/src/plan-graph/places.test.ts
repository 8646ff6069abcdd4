import { describe, expect, it } from "vitest";
import { Places } from "./places.ts";

describe("places", () => {
  it("let in so many, and the others by the order of asking as places come free", async () => {
    const places = new Places(2);
    const inside: number[] = [];
    const all = [1, 2, 3, 4].map(async (one) => {
      await places.take();
      inside.push(one);
    });
    await Promise.all(all.slice(0, 2));
    expect(inside).toEqual([1, 2]);
    places.free();
    await all[2];
    expect(inside).toEqual([1, 2, 3]);
    places.free();
    await all[3];
    places.free();
    places.free();
    await places.take();
    await places.take();
    expect(inside).toEqual([1, 2, 3, 4]);
  });
});
