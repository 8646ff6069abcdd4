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
      expect(joinPoints("en", [{ number: 1, point, text }])).toBe(
        "1. Listen well: Hear people out.",
      );
    expect(
      joinPoints("en", [
        { number: 1, point: "One:", text: "" },
        { number: 2, point: "Two", text: "b" },
      ]),
    ).toBe("1. One\n2. Two: b");
  });

  it("have a Chinese colon in Chinese", () => {
    for (const text of ["好。", "倾听：好。", "1、倾听：好。"])
      expect(joinPoints("zh", [{ number: 1, point: "倾听：", text }])).toBe("1. 倾听：好。");
  });
});

describe("points of any length", () => {
  it("are cut where they are no longer a few words", () => {
    const [first, second] = pointsOf(`1. ${"a".repeat(80)}\n2. ${"𝄞".repeat(90)}`, 9).points;
    expect(first?.point).toBe("a".repeat(80));
    expect(second?.point).toBe(`${"𝄞".repeat(39)}…`);
  });

  it("and of any marks are read and joined in work that grows with them alone", () => {
    const size = 200_000;
    for (const text of [
      `1. ${".".repeat(size)}x`,
      `1${" ".repeat(size)}x`,
      `1.${" ".repeat(size)}`,
      "1. ".repeat(size / 2),
      "\n1.".repeat(size / 2),
      `${" *#".repeat(size)}1`,
    ])
      for (const { number, point } of pointsOf(text, 9).points) {
        const written = { number, point: `${point}${".".repeat(size)}x`, text };
        expect(joinPoints("en", [written]).length).toBeGreaterThan(0);
      }
  }, 5_000);
});
