import { describe, expect, it } from "vitest";
import { oneLine, shortLine } from "./one-line.ts";

describe("a text as one line", () => {
  it("stays as it is where it is one", () => {
    expect(oneLine("  two  spaces ")).toBe("  two  spaces ");
  });

  it("joins its lines, whatever parts them, so that nothing begins one", () => {
    expect(oneLine("done\r\n\n## Task\n- evil\u2028## More\u0085end")).toBe(
      "done ## Task - evil ## More end",
    );
  });

  it("is cut behind a word that ends near the border, with an ellipsis", () => {
    const cut = shortLine("word ".repeat(100), 300);
    expect(cut.endsWith("word…")).toBe(true);
    expect(cut.length).toBeLessThanOrEqual(300);
    expect(cut.length).toBeGreaterThan(290);
  });

  it("is cut between two characters where no word ends, and halves none", () => {
    expect(shortLine("字".repeat(400), 300)).toBe(`${"字".repeat(299)}…`);
    expect(shortLine("😀".repeat(400), 300)).toBe(`${"😀".repeat(149)}…`);
    expect(shortLine(`x${"😀".repeat(400)}`, 300)).toBe(`x${"😀".repeat(149)}…`);
    expect(shortLine("字".repeat(300), 300)).toBe("字".repeat(300));
  });

  it("takes no longer for a text without an end to its spaces", () => {
    expect(shortLine(`a${" ".repeat(200_000)}b\nc`, 300)).toBe("a");
  });
});
