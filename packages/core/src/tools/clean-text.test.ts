import { describe, expect, it } from "vitest";
import { cleanText, modelText } from "./clean-text.ts";

const HIDING =
  "00AD 034F 061C 115F 1160 17B4 180E 180B 200B 200D 200E 202E 2060 206F 2800 3164 FE00 FE0F FEFF FFA0 FFF9 FFFB 1D173 1D17A E0001 E0041 E0100 E01EF 0007 009B";

describe("text from outside", () => {
  it.each(HIDING.split(" "))("holds no U+%s, which is not seen or turns what is", (code) => {
    const text = `a${String.fromCodePoint(Number.parseInt(code, 16))}b`;
    expect(cleanText(text, 100)).toBe("ab");
    expect(modelText(text, 100)).toBe("ab");
  });

  it("keeps what is seen", () => {
    expect(cleanText(" ❤\uFE0F Grüße\t你好\n🙂 ", 100)).toBe("❤\uFE0F Grüße\t你好\n🙂");
    expect(cleanText("abcdef", 4)).toBe("abc…");
  });
});
