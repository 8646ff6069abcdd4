import type { Issue } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { calling, runScripted, toolOf } from "../promises/run-scripted.ts";

const stock = toolOf("stock", () => "4 nuts, counted on 2026-03-02");
const PASS = { json: { outcome: "pass", issues: [], supportedEvidence: ["observation-1"] } };

/** An issue as the run was told it first. */
async function firstVerdict(
  body: string,
  replies: Parameters<typeof runScripted>[1],
): Promise<{ readonly kind: string; readonly outcome: string; readonly verified: string }> {
  const { events, outcome } = await runScripted(body, replies, { plugins: [stock] });
  const verdict = events.find((event) => event.name === "verdict.given");
  const [issue] = verdict?.data.issues ?? [];
  return {
    kind: issue?.kind ?? "",
    outcome: verdict?.data.outcome ?? "",
    verified: outcome.verified,
  };
}

describe("verify finds by a check, has it mended, and passes", () => {
  it("an unsupported claim", async () => {
    const found = await firstVerdict(
      "tools: [stock]\nstrategy: [react, { verify: { checks: [evidence], maxRounds: 1, revise: refine } }]\n",
      [
        calling("stock", "nut"),
        "Counted on 2026-03-09 [observation-1].",
        "Counted on 2026-03-02 [observation-1].",
        PASS,
      ],
    );
    expect(found).toEqual({ kind: "unsupported-claim", outcome: "revise", verified: "pass" });
  });

  it("a missed constraint", async () => {
    const found = await firstVerdict(
      'task: { text: How many?, constraints: [{ text: Short., rule: "size(answer.text) < 10" }] }\nstrategy: [direct, { verify: { checks: [constraints], maxRounds: 1, revise: refine } }]\n',
      ["There are four of them.", "Four.", PASS],
    );
    expect(found).toEqual({ kind: "missed-constraint", outcome: "revise", verified: "pass" });
  });

  it("a contradiction", async () => {
    const found = await firstVerdict(
      "strategy: [direct, { verify: { checks: [arithmetic], model: none, maxRounds: 1, revise: { refine: { model: default } } } }]\n",
      ["2 + 2 = 5", "2 + 2 = 4"],
    );
    expect(found).toEqual({ kind: "contradiction", outcome: "revise", verified: "pass" });
  });

  it("an incomplete value", async () => {
    const found = await firstVerdict(
      "output: { fields: { count: integer } }\nstrategy: [direct, { verify: { checks: [{ schema: { schema: { type: object, required: [count, unit] } } }], model: none } }]\n",
      [{ json: { count: 4 } }],
    );
    expect(found).toEqual({ kind: "incomplete", outcome: "revise", verified: "revise" });
  });
});

describe("verify finds by its judge, has it mended, and passes", () => {
  it.each(["unsupported-claim", "missed-constraint", "contradiction", "incomplete"])(
    "%s",
    async (kind) => {
      const issue: Issue = {
        kind,
        detail: `a ${kind}`,
        requiredAction: "mend it",
        needs: "rewrite",
      };
      const { outcome, requests } = await runScripted(
        "strategy: [direct, { verify: { maxRounds: 1, revise: refine } }]\n",
        [
          "one",
          { json: { outcome: "revise", issues: [{ ...issue }], supportedEvidence: [] } },
          "two",
          { json: { outcome: "pass", issues: [], supportedEvidence: [] } },
        ],
      );
      expect(requests[2]?.messages.at(-1)?.text).toContain(`- ${kind}: a ${kind} → mend it`);
      expect(outcome).toMatchObject({
        outcome: "done",
        verified: "pass",
        answer: { text: "two" },
        state: { verdict: { revised: true, answerRevision: 2 } },
      });
    },
  );
});
