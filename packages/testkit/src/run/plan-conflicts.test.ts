import type { Run } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { runScripted } from "../promises/run-scripted.ts";
import { asked, draftOf, factsOf, planOf, step } from "./plan-drafts.ts";

const TASK = "task: Find the cheapest direct flight to Rome.\n";
const down = { error: { code: "provider-failed", message: "down" } } as const;

function conflict(left: string, right: string, given: object = {}) {
  const open = { resolution: "ask", relaxed: "", detail: "Which?", prices: ["p", "q"] };
  return { between: [left, right], ...open, ...given };
}

/** A person who replies to the first `count` questions, with the first wish. */
function person(count: number) {
  let asks = 0;
  return {
    onRun: (live: Run) => {
      live.on("question.asked", ({ data }) => {
        asks += 1;
        if (asks <= count)
          setImmediate(() => live.respond(data.id, { reply: data.options[0] ?? "yes" }));
      });
    },
  };
}

describe("an open conflict", () => {
  const ask = `${TASK}strategy: { plan: { onConflict: ask, timeout: 50ms } }\n`;

  it("stays where nobody decided it, though the next draft says nothing of it", async () => {
    const { outcome } = await runScripted(
      ask,
      [draftOf({ conflicts: [conflict("a1", "b1"), conflict("a2", "b2")] }), draftOf({})],
      person(1),
    );
    expect(outcome.state.plan.conflicts).toEqual([expect.stringContaining("a2 against b2")]);
    expect(outcome.state.plan.tradeoffs).toEqual(["a1 against b1: a person decided: a1"]);
  });

  it("stays where it is the fourth, which nobody is asked about", async () => {
    const four = [1, 2, 3, 4].map((number) => conflict(`a${number}`, `b${number}`));
    const { outcome } = await runScripted(
      ask.replace(", timeout: 50ms", ""),
      [draftOf({ conflicts: four }), draftOf({})],
      person(4),
    );
    expect(outcome.state.plan.conflicts).toEqual([expect.stringContaining("a4 against b4")]);
  });

  it("goes once the next draft settles it", async () => {
    const settled = conflict("B2.", "A2", { resolution: "compromise", detail: "Half of each." });
    const { outcome } = await runScripted(
      ask,
      [
        draftOf({ conflicts: [conflict("a1", "b1"), conflict("a2", "b2")] }),
        draftOf({ conflicts: [settled] }),
      ],
      person(1),
    );
    expect(outcome.state.plan.conflicts).toEqual([]);
    expect(outcome.state.plan.tradeoffs).toHaveLength(2);
  });

  it.each(["en", "zh"])(
    "stays in a plan that is made again, and what is decided stays decided: %s",
    async (language) => {
      const made = [conflict("cheap", "direct"), conflict("early", "late")];
      const { outcome } = await runScripted(
        `language: ${language}\n${TASK}strategy:
  - plan: { onConflict: ask, timeout: 50ms }
  - for-each: { id: each, in: plan.steps, item: step, do: direct }
`,
        (request) => {
          if (request.voice === "replan")
            return draftOf({ conflicts: [conflict("direct", "cheap")], steps: [step("c")] });
          if (request.stage === "plan")
            return draftOf({ conflicts: made, steps: [step("a"), step("b")] });
          return asked(request).includes("\ndo b\n") ? down : "fine";
        },
        person(1),
      );
      const { conflicts, tradeoffs, steps } = outcome.state.plan;
      expect(steps.map(({ id }) => id)).toEqual(["a", "c"]);
      expect(conflicts).toEqual([expect.stringMatching(/^early .* late/u)]);
      expect(tradeoffs).toHaveLength(1);
    },
  );

  it("that a later plan leaves out after a person replied to a stage is told", async () => {
    const { outcome, events } = await runScripted(
      `${TASK}strategy:\n  - plan\n  - ask: { question: "Which?" }\n  - plan: { id: again }\n`,
      [draftOf({ conflicts: [conflict("a1", "b1")] }), draftOf({})],
      person(1),
    );
    expect(outcome.state.plan.conflicts).toEqual([]);
    expect(factsOf(events, "conflicts.replied")).toMatchObject([
      { conflicts: [expect.stringContaining("a1 against b1")] },
    ]);
  });

  it("without wishes is asked by its detail, and stays apart from another one", async () => {
    const bare = { ...conflict("", ""), between: [] };
    const { outcome } = await runScripted(
      ask,
      () =>
        draftOf({
          conflicts: [
            { ...bare, detail: "Price or comfort?" },
            { ...bare, detail: "Early or late?" },
          ],
        }),
      person(1),
    );
    expect(outcome.state.plan.conflicts).toEqual(["Early or late?"]);
  });
});

describe("a sound first draft", () => {
  it("stands where the second one, asked for small things, is no plan", async () => {
    const first = draftOf({ steps: [{ ...step("a"), objective: "convert 12345 m" }] });
    const { outcome, events } = await runScripted("strategy: plan\n", [first, planOf()]);
    expect(outcome).toMatchObject({ outcome: "done", state: { plan: { steps: [{ id: "a" }] } } });
    expect(factsOf(events, "plan.first-kept")).toEqual([{ faults: ["The plan has no step."] }]);
  });

  it("stands with what a person decided, where no other plan comes of it", async () => {
    const { outcome, events } = await runScripted(
      `${TASK}strategy: { plan: { onConflict: ask } }\n`,
      [draftOf({ conflicts: [conflict("a1", "b1")] }), planOf(), planOf()],
      person(1),
    );
    expect(outcome.outcome).toBe("done");
    expect(outcome.state.plan).toMatchObject({
      conflicts: [],
      tradeoffs: ["a1 against b1: a person decided: a1"],
      steps: [{ id: "a" }],
    });
    expect(factsOf(events, "plan.kept")).toHaveLength(1);
  });
});

it.each([
  ["Price < 100", "Price > 100"],
  ["At most 5", "At most 50"],
  ["Use metric units", "Do not use metric units"],
])("the hard constraint %s is put back beside %s", async (hard, said) => {
  const { outcome, events } = await runScripted(
    `task: { text: x, constraints: ["${hard}"] }\nstrategy: plan\n`,
    [draftOf({ constraints: [said] })],
  );
  expect(outcome.state.plan.constraints).toEqual([hard, said]);
  expect(factsOf(events, "constraints.kept")).toEqual([{ constraints: [hard] }]);
});

it("feeds back few words about many faults", async () => {
  const many = Array.from({ length: 4000 }, () => step("a", "x", "y"));
  const { requests, outcome } = await runScripted("strategy: plan\n", () => planOf(...many));
  expect(asked(requests[1] as never).length).toBeLessThan(2000);
  expect(outcome.fault?.message.length).toBeLessThan(2000);
});
