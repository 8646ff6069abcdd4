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

  it.each([
    ["Shanghai, Ulm", cities],
    ["Shanghai, Bei jing", cities],
    ["上海，北京", ["上海", "北京"]],
    ["上海，北京市", ["上海", "北京"]],
    ["Shanghai, Or Beijing", ["Shanghai"]],
    ["Shanghai, the one in China", ["Shanghai"]],
    ["Shanghai, People's Republic Of China", ["Shanghai"]],
    ["low, or maybe high", ["low", "high"]],
    ["low, tomorrow", ["low", "high"]],
    ["yes, but not now", ["yes", "no"]],
    ["Yes, But Not Now", ["yes", "no"]],
    ["Yes, Not", ["yes", "no"]],
    ["是，但不是现在", ["是", "否"]],
    ["1, 2", ["1", "2"]],
    ["1, 2", ["1", "3"]],
    ["1, One", ["1", "3"]],
    ["Ulm, ", cities],
  ])("is not guessed from %j", (text, choices) => {
    expect(memberFor(text, choices)).toBeUndefined();
  });

  it.each([
    ["New York, New York", ["New York", "Boston"], "New York"],
    ["Boston, MA", ["New York", "Boston"], "Boston"],
    ["Ulm, Baden-Württemberg, Germany", cities, "Ulm"],
  ])("%s is %s", (text, choices, member) => {
    expect(memberFor(text, choices)).toBe(member);
  });

  it("is none where the rest names a value of another option", () => {
    expect(memberFor("Shanghai, Ulm", ["Shanghai"], ["Shanghai", "Ulm"])).toBeUndefined();
  });

  it("is none where it could be two", () => {
    expect(memberFor("ulm", ["ULM", "Ulm"])).toBeUndefined();
    expect(memberFor("ulm, south", ["ULM", "Ulm"])).toBeUndefined();
  });

  it("is the whole text before the part in front of its comma", () => {
    expect(memberFor("paris, tx", ["Paris", "Paris, TX"])).toBe("Paris, TX");
  });
});
