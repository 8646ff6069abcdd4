import { describe, expect, it } from "vitest";
import { memberFor } from "./fold-member.ts";

describe("the member of a list that a text means", () => {
  const cities = ["Shanghai", "Bei jing", "Ulm"];

  it.each([
    ["Shanghai, China", "Shanghai"],
    ["shanghai", "Shanghai"],
    ["  SHANGHAI ", "Shanghai"],
    ["Ｓｈａｎｇｈａｉ", "Shanghai"],
    ["Shanghai，中国", "Shanghai"],
    ["bei  jing", "Bei jing"],
  ])("%s is %s", (text, member) => {
    expect(memberFor(text, cities)).toBe(member);
  });

  it.each(["Shang", "Shanghai China", "China, Shanghai", "", " ", ",Ulm", "Ulm-Mitte"])(
    "%j is none",
    (text) => {
      expect(memberFor(text, cities)).toBeUndefined();
    },
  );

  it("is none where it could be two", () => {
    expect(memberFor("ulm", ["ULM", "Ulm"])).toBeUndefined();
    expect(memberFor("ulm, south", ["ULM", "Ulm"])).toBeUndefined();
  });

  it("is the whole text before the part in front of its comma", () => {
    expect(memberFor("paris, tx", ["Paris", "Paris, TX"])).toBe("Paris, TX");
  });
});
