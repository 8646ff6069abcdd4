import type { Answer, Json } from "@loopwright/core/plugin";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, choiceOfAnswer, countVotes, isDecided } from "./vote.ts";

const same = (choice: string): string => choice;

function answer(change: Partial<Answer>): Answer {
  const neutral = { text: "", value: null, reasoning: "", evidence: [], unsolvableReason: "" };
  return { ...neutral, solvable: true, revision: 1, by: "direct", ...change };
}

describe("countVotes", () => {
  it("puts the most frequent choice first", () => {
    expect(countVotes(["a", "b", "b"], same).map(({ choice }) => choice)).toEqual(["b", "a"]);
  });

  it("lets the choice seen first win a tie", () => {
    expect(countVotes(["b", "a", "a", "b"], same)[0]?.choice).toBe("b");
  });

  it("gives an empty choice no vote", () => {
    expect(countVotes(["", "", "a"], same)).toEqual([{ choice: "a", voters: ["a"] }]);
  });

  it("keeps every voter once", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c")), (voters) => {
        const counted = countVotes(voters, same).flatMap(({ voters: group }) => group);
        expect(counted.toSorted()).toEqual(voters.toSorted());
      }),
    );
  });
});

describe("isDecided", () => {
  it("waits while the remaining votes could make a tie", () => {
    expect(isDecided(countVotes(["a", "a"], same), 2)).toBe(false);
    expect(isDecided(countVotes(["a", "a", "a"], same), 2)).toBe(true);
    expect(isDecided([], 0)).toBe(false);
  });

  it("never decides against the winner of all votes", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1 }), (voters) => {
        const winner = countVotes(voters, same)[0]?.choice;
        for (const [index] of voters.entries()) {
          const votes = countVotes(voters.slice(0, index + 1), same);
          const isSettled = isDecided(votes, voters.length - index - 1);
          expect(!isSettled || votes[0]?.choice === winner).toBe(true);
        }
      }),
    );
  });
});

describe("choiceOfAnswer", () => {
  it("compares free text by its last line, trimmed and in lower case", () => {
    expect(choiceOfAnswer(answer({ text: "Steps:\n6 * 4 = 24\nAnswer: 6 * 4 = 24 \n" }))).toBe(
      "answer: 6 * 4 = 24",
    );
  });

  it("compares typed values whatever the order of their keys", () => {
    const one = choiceOfAnswer(answer({ text: "x", value: { a: 1, b: [true, null] } }));
    const other = choiceOfAnswer(answer({ text: "y", value: { b: [true, null], a: 1 } }));
    expect(one).toBe(other);
  });

  it("counts every refusal as the same choice", () => {
    const refused = { solvable: false, value: null };
    expect(choiceOfAnswer(answer({ ...refused, unsolvableReason: "no tool" }))).toBe(
      choiceOfAnswer(answer({ ...refused, unsolvableReason: "no data" })),
    );
  });
});

describe("canonicalJson", () => {
  it("stays the same JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = JSON.parse(JSON.stringify(value)) as Json;
        expect(JSON.parse(canonicalJson(plain))).toEqual(plain);
      }),
    );
  });
});
