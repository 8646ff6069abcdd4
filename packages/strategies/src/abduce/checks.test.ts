import { describe, expect, it } from "vitest";
import { callKeyOf } from "../shared/tool-plan.ts";
import { chooseCheck, type ProposedCheck, separation } from "./checks.ts";
import { marked, noneOfThese, withHypotheses } from "./hypotheses.ts";

const drafts = ["a", "b", "c"].map((text) => ({ text, predicts: "" }));
const three = withHypotheses([], drafts, 5);
const four = withHypotheses([noneOfThese("en")], drafts, 5);

function check(
  item: string,
  says: readonly ("yes" | "no" | "either")[],
  tool = "logs",
): ProposedCheck {
  const expects = says.map((one, index) => ({ hypothesis: `H${index + 1}`, says: one }));
  const list = [{ name: "item", value: item }];
  return { tool, arguments: list, question: "?", expects, reason: "" };
}

describe("what a check tells apart", () => {
  it.each([
    [["yes", "no", "no"], 2, 3.5],
    [["yes", "no", "either"], 2, 3],
    [["yes", "yes", "yes"], 0, 1.5],
    [["either", "either", "either"], 0, 0],
    [[], 0, 0],
    [["yes"], 1, 1.5],
  ] as const)(
    "of three that expect %j is %d pairs, and %d with none-of-these",
    (says, own, all) => {
      expect(separation(check("x", says), three)).toBe(own);
      expect(separation(check("x", says), four)).toBe(all);
    },
  );

  it("counts none that is refuted", () => {
    const left = marked(three, [{ hypothesis: "H1", mark: "refuted" }], "observation-1");
    expect(separation(check("x", ["yes", "no", "no"]), left)).toBe(0);
  });
});

describe("the choice of a check", () => {
  const known = { tools: new Set(["logs"]), made: new Set([callKeyOf(check("old", []))]) };

  it("is the first of those that tell most apart, each other with the reason", () => {
    const proposed = [
      check("old", ["yes", "no", "no"]),
      check("weak", ["yes", "either", "either"]),
      check("strong", ["yes", "no", "no"]),
      check("as strong", ["no", "yes", "yes"]),
      check("nothing", ["yes", "yes", "yes"]),
      check("x", ["yes", "no", "no"], "shelf"),
    ];
    const { chosen, passedOver } = chooseCheck(proposed, three, known);
    expect(chosen?.arguments[0]?.value).toBe("strong");
    expect(passedOver.map(({ check: one, reason }) => [one.arguments[0]?.value, reason])).toEqual([
      ["old", "made-before"],
      ["weak", "tells-less-apart"],
      ["as strong", "tells-less-apart"],
      ["nothing", "tells-nothing-apart"],
      ["x", "unknown-tool"],
    ]);
  });

  it("is none where none is left", () => {
    expect(chooseCheck([], three, known).chosen).toBeUndefined();
    expect(chooseCheck([check("old", ["yes", "no", "no"])], three, known).chosen).toBeUndefined();
  });
});
