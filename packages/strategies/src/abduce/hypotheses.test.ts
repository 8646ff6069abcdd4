import { describe, expect, it } from "vitest";
import {
  candidatesOf,
  type Hypothesis,
  isSettled,
  leadersOf,
  marked,
  noneOfThese,
  ranked,
  statusOf,
  withHypotheses,
} from "./hypotheses.ts";

const drafts = ["a", "b", "c"].map((text) => ({ text, predicts: `see ${text}` }));
const three = withHypotheses([noneOfThese("en")], drafts, 5);
const statuses = (list: readonly Hypothesis[]) => list.map((one) => `${one.id} ${statusOf(one)}`);

describe("hypotheses", () => {
  it("get ids that count on, once each, up to the maximum", () => {
    expect(three.map(({ id }) => id)).toEqual(["H0", "H1", "H2", "H3"]);
    const more = [
      { text: "A!", predicts: "" },
      { text: " ", predicts: "" },
      ...["d", "e", "f"].map((text) => ({ text, predicts: "" })),
    ];
    expect(
      withHypotheses(three, more, 2)
        .slice(4)
        .map(({ id, text }) => [id, text]),
    ).toEqual([
      ["H4", "d"],
      ["H5", "e"],
    ]);
  });

  it("are marked with the observation only: nothing unknown, refuted or none-of-these", () => {
    const once = marked(
      three,
      [
        { hypothesis: "H1", mark: "refuted" },
        { hypothesis: "H0", mark: "refuted" },
        { hypothesis: "H9", mark: "supported" },
      ],
      "observation-1",
    );
    expect(statuses(once)).toEqual(["H0 open", "H1 refuted", "H2 open", "H3 open"]);
    const twice = marked(
      once,
      [
        { hypothesis: "H1", mark: "supported" },
        { hypothesis: "H2", mark: "supported" },
        { hypothesis: "H3", mark: "supported" },
        { hypothesis: "H3", mark: "refuted" },
      ],
      "observation-2",
    );
    expect(statuses(twice)).toEqual(["H0 open", "H1 refuted", "H2 supported", "H3 open"]);
    expect(twice.map(({ supportedBy, refutedBy }) => [supportedBy, refutedBy])[1]).toEqual([
      [],
      ["observation-1"],
    ]);
  });

  it("that were supported fall with one refutation", () => {
    const up = marked(three, [{ hypothesis: "H1", mark: "supported" }], "observation-1");
    const down = marked(up, [{ hypothesis: "H1", mark: "refuted" }], "observation-2");
    expect(statuses(down)[1]).toBe("H1 refuted");
    expect(candidatesOf(ranked(down), 2).at(-1)).toMatchObject({
      id: "candidate-6",
      text: "a",
      score: 0,
      evidence: ["observation-1", "observation-2"],
      value: { hypothesis: "H1", status: "refuted", predicts: "see a" },
    });
  });

  it("share the support among those that are left", () => {
    const after = marked(
      three,
      [
        { hypothesis: "H2", mark: "supported" },
        { hypothesis: "H3", mark: "refuted" },
      ],
      "observation-1",
    );
    expect(ranked(after).map(({ hypothesis, score }) => [hypothesis.id, score])).toEqual([
      ["H2", 0.5],
      ["H0", 0.25],
      ["H1", 0.25],
      ["H3", 0],
    ]);
    expect(isSettled(ranked(after), 0.25)).toBe(true);
    expect(isSettled(ranked(after), 0.26)).toBe(false);
  });

  it("have no leader before anything is supported, and several where they are tied", () => {
    expect(leadersOf(ranked(three))).toEqual([]);
    expect(isSettled(ranked(three), 0)).toBe(false);
    expect(leadersOf(ranked([]))).toEqual([]);
    const tied = marked(
      three,
      [
        { hypothesis: "H1", mark: "supported" },
        { hypothesis: "H3", mark: "supported" },
      ],
      "observation-1",
    );
    expect(leadersOf(ranked(tied)).map(({ id }) => id)).toEqual(["H1", "H3"]);
    expect(isSettled(ranked(tied), 0.1)).toBe(false);
  });
});
