import { describe, expect, it } from "vitest";
import { joinPoints, pointsOf } from "./points.ts";

describe("the points of a skeleton", () => {
  it("are its numbered lines, the first of each number", () => {
    const text =
      "Here:\n1. **Listen well**\n 2) Share work\n2. Again\nnot a point\n3、说谢谢\n3.5 percent";
    expect(pointsOf(text, 9)).toEqual({
      points: [
        { number: 1, point: "Listen well" },
        { number: 2, point: "Share work" },
        { number: 3, point: "说谢谢" },
      ],
      cut: 0,
    });
  });

  it("are none in prose, and no more than the maximum", () => {
    for (const text of ["", "I'd rather not.", "1.", "At 10:30 we meet"])
      expect(pointsOf(text, 9)).toEqual({ points: [], cut: 0 });
    expect(pointsOf("1. a\n2. b\n3. c", 2)).toMatchObject({
      points: [{ number: 1 }, { number: 2 }],
      cut: 1,
    });
  });
});

describe("points written out", () => {
  it("stand one below the other, without what their text says again", () => {
    const point = "Listen well";
    for (const text of [
      "Hear people out.",
      "1. Listen well: Hear people out.",
      "**Listen well** — Hear people out.",
    ])
      expect(joinPoints([{ number: 1, point, text }])).toBe("1. Listen well: Hear people out.");
    expect(
      joinPoints([
        { number: 1, point: "One:", text: "" },
        { number: 2, point: "Two", text: "b" },
      ]),
    ).toBe("1. One\n2. Two: b");
  });
});
