import { describe, expect, it } from "vitest";
import { noneOfThese, withHypotheses } from "./hypotheses.ts";
import { byHypothesis, idIn } from "./hypothesis-ids.ts";

const drafts = ["the disk is full", "a bad deploy"].map((text) => ({ text, predicts: "" }));
const known = withHypotheses([noneOfThese("en")], drafts, 5);

describe("the id of a hypothesis", () => {
  it.each([
    ["H1", "H1"],
    ["h2", "H2"],
    [" [H1] ", "H1"],
    ["**H2**: a bad deploy", "H2"],
    ["H1: a", "H1"],
    ["H01", "H1"],
    ["Hypothesis 2", "H2"],
    ["假设1：磁盘", "H1"],
    ["Ｈ２", "H2"],
    ["H0", "H0"],
    ["A bad deploy.", "H2"],
    ["H9", undefined],
    ["H1a", undefined],
    ["the disk", undefined],
    ["", undefined],
  ])("meant by %j is %s", (said, id) => {
    expect(idIn(said, known)).toBe(id);
  });

  it("is looked for in time that grows with the text", () => {
    expect(idIn(`${"[ ".repeat(200_000)}H1`, known)).toBeUndefined();
  });
});

describe("sayings about hypotheses", () => {
  const by = (...list: readonly (readonly [string, string])[]) =>
    byHypothesis(
      list.map(([hypothesis, word]) => ({ hypothesis, word })),
      known,
      ({ word }) => word,
    );

  it("count under their ids, and what names none is kept apart", () => {
    expect(by(["h1", "yes"], ["H7", "no"])).toEqual({
      known: [{ hypothesis: "H1", word: "yes" }],
      unknown: ["H7"],
      contradictory: [],
    });
  });

  it("count for nothing where two of them differ", () => {
    expect(by(["H1", "yes"], ["h1: the disk", "no"], ["H2", "no"], ["H2", "no"])).toEqual({
      known: [
        { hypothesis: "H2", word: "no" },
        { hypothesis: "H2", word: "no" },
      ],
      unknown: [],
      contradictory: ["H1"],
    });
  });
});
