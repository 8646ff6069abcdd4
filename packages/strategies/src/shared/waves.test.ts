import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wavesOf } from "./waves.ts";

const step = (id: string, ...dependsOn: readonly string[]) => ({ id, dependsOn });

describe("waves", () => {
  it("put free items into one wave, in their order", () => {
    expect(wavesOf(["a", 2, null])).toEqual({
      items: [
        { key: "1", item: "a", dependsOn: [] },
        { key: "2", item: 2, dependsOn: [] },
        { key: "3", item: null, dependsOn: [] },
      ],
      waves: [[0, 1, 2]],
      ignored: [],
    });
    expect(wavesOf([]).waves).toEqual([]);
  });

  it("let an item wait for those that it depends on, wherever they stand", () => {
    const { items, waves } = wavesOf([step("c", "a", "b"), step("a"), step("b", "a"), step("d")]);
    expect(waves).toEqual([[1, 3], [2], [0]]);
    expect(items.map(({ key }) => key)).toEqual(["c", "a", "b", "d"]);
  });

  it("ignore a dependency on nobody, on itself and in a circle, and say so", () => {
    const { waves, ignored } = wavesOf([step("a", "ghost", "a"), step("b", "c"), step("c", "b")]);
    expect(waves).toEqual([[0], [1], [2]]);
    expect(ignored).toEqual([
      "a depends on ghost",
      "a depends on a",
      "b depends on c, in a circle",
    ]);
  });

  it("give an id that stands for two items to the first", () => {
    const { items, waves } = wavesOf([step("a"), step("a"), step("b", "a")]);
    expect(items.map(({ key }) => key)).toEqual(["a", "2", "b"]);
    expect(waves).toEqual([[0, 1], [2]]);
  });

  it("hold every item once, each after those it depends on, whatever the ids say", () => {
    const id = fc.constantFrom("a", "b", "c", "d", "e");
    const items = fc.array(fc.record({ id, dependsOn: fc.array(id, { maxLength: 4 }) }));
    fc.assert(
      fc.property(items, (list) => {
        const sorted = wavesOf(list);
        const order = sorted.waves.flat();
        expect(order.toSorted((a, b) => a - b)).toEqual(list.map((_, index) => index));
        const waveOf = (index: number) => sorted.waves.findIndex((wave) => wave.includes(index));
        for (const [index, { dependsOn }] of sorted.items.entries())
          for (const before of dependsOn) expect(waveOf(before)).toBeLessThan(waveOf(index));
      }),
    );
  });
});
