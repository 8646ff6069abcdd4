import type { BrokenCase } from "./broken-case.ts";

/** Specs whose stages never run, never pass, run beside each other, or do what nobody reads. */
export const cases: readonly BrokenCase[] = [
  {
    name: "stages after one that always stops",
    spec: "strategy:\n  - direct\n  - stop\n  - verify: { checks: [constraints] }\n  - refine\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-UNREACHABLE", 7, 5]],
    fixes: ["give `stop` a guard (`when:`), or delete what stands after it"],
    says: "`verify` can never run: `stop` (line 6) always ends the run before it",
  },
  {
    name: "a stage after a branch that stops on both ways",
    spec: "strategy:\n  - direct\n  - branch: { if: answer.solvable, then: stop, else: [direct, stop] }\n  - refine\n",
    found: [["LW-FLOW-UNREACHABLE", 7, 5]],
    fixes: ["give `stop` a guard (`when:`), or delete what stands after it"],
    says: "`refine` can never run: `stop` (line 6) always ends",
  },
  {
    name: "a stage after one that stops inside a slot",
    spec: "strategy:\n  - plan-and-solve: { do: [direct, stop, react] }\n  - refine\ntools: [calculator]\n",
    found: [
      ["LW-FLOW-UNREACHABLE", 5, 42],
      ["LW-FLOW-UNREACHABLE", 6, 5],
    ],
    fixes: [
      "give `stop` a guard (`when:`), or delete what stands after it",
      "give `stop` a guard (`when:`), or delete what stands after it",
    ],
  },
  {
    name: "a guard that is false",
    spec: "strategy:\n  - direct\n  - plan: { when: false }\n",
    found: [["LW-FLOW-UNREACHABLE", 6, 19]],
    fixes: ["delete the stage, or write a guard that can be true"],
    says: "`plan` can never run: its guard is never true",
  },
  {
    name: "a guard that comes to false",
    spec: "strategy:\n  - direct\n  - plan: { when: 2 > 3 || 'a' == 'b' }\n",
    found: [["LW-FLOW-UNREACHABLE", 6, 19]],
    fixes: ["delete the stage, or write a guard that can be true"],
  },
  {
    name: "the other way of a constant condition",
    spec: "strategy:\n  - branch: { if: 1 > 2, then: refine, else: direct }\n",
    found: [["LW-FLOW-UNREACHABLE", 5, 32]],
    fixes: ["write a condition that depends on the run, or keep the other way alone"],
    says: "`then` of `branch` can never run: its `if` is always false",
  },
  {
    name: "the way that a true condition leaves out",
    spec: "strategy:\n  - branch: { if: 2 > 1, then: direct, else: react }\n  - refine: { when: answer.solvable }\ntools: [calculator]\n",
    found: [
      ["LW-FLOW-UNREACHABLE", 5, 46],
      ["LW-FLOW-NEVER-WRITTEN", 6, 5],
    ],
    fixes: [
      "write a condition that depends on the run, or keep the other way alone",
      "put a stage that writes `verdict` before it, like `verify`",
    ],
  },
  {
    name: "a loop until something that no round changes",
    spec: "strategy:\n  - direct\n  - verify: { checks: [constraints] }\n  - loop: { maxRounds: 3, until: verdict.passed, do: react }\ntask: { constraints: [Be short.] }\ntools: [calculator]\n",
    found: [["LW-FLOW-NEVER-PASSES", 7, 34]],
    fixes: [
      "put a stage that writes it, as `verify` does, inside `do`, or read something that `do` sets",
    ],
    says: "`until` of `loop` reads `verdict.passed`, and no stage inside `do` changes it: it holds before the first round or never",
  },
  {
    name: "a loop until an input changes",
    spec: "inputs: { n: number }\nstrategy:\n  - loop: { maxRounds: 3, until: inputs.n > 3 && task.text != '', do: direct }\n",
    found: [["LW-FLOW-NEVER-PASSES", 6, 34]],
    fixes: ["read something that a stage inside `do` sets"],
  },
  {
    name: "a loop until the result of a stage outside",
    spec: "strategy:\n  - ask: { question: Go on? }\n  - loop: { maxRounds: 3, until: results.ask.answered, do: direct }\n",
    found: [["LW-FLOW-NEVER-PASSES", 6, 34]],
    fixes: ["read something that a stage inside `do` sets"],
  },
  {
    name: "a loop until a verdict that no stage writes",
    spec: "strategy:\n  - loop: { maxRounds: 3, until: verdict.passed, do: direct }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 34]],
    fixes: ["add a stage that writes `verdict`, like `verify`, or take `verdict.passed` away"],
  },
  {
    name: "two branches that set the answer",
    spec: "strategy:\n  - parallel:\n      branches:\n        left: direct\n        right: { plan-and-solve: { maxPlanSteps: 2 } }\n",
    found: [["LW-FLOW-TWO-WRITERS", 8, 18]],
    fixes: ["add `combine:` with a stage that makes one of both, or let one branch alone set it"],
    says: "`left` (`direct`, line 7) and `right` (`plan-and-solve`, line 8) run beside each other and both set `answer`; only one can stand",
  },
  {
    name: "two branches that set the answer deep inside",
    spec: "strategy:\n  - parallel:\n      branches:\n        left: [plan, { loop: { maxRounds: 2, until: answer.solvable, do: direct } }]\n        middle: { reflect: {} }\n        right: { branch: { if: task.text != '', then: react } }\ntools: [calculator]\n",
    found: [["LW-FLOW-TWO-WRITERS", 9, 55]],
    fixes: ["add `combine:` with a stage that makes one of both, or let one branch alone set it"],
  },
  {
    name: "two branches that set the plan and the verdict",
    spec: "strategy:\n  - direct\n  - parallel:\n      branches:\n        left: [plan, { verify: { id: one, checks: [constraints] } }]\n        right: [{ plan: { id: again } }, { verify: { id: two, checks: [constraints] } }]\ntask: { constraints: [Be short.] }\n",
    found: [
      ["LW-FLOW-TWO-WRITERS", 9, 19],
      ["LW-FLOW-TWO-WRITERS", 9, 44],
    ],
    fixes: [
      "add `combine:` with a stage that makes one of both, or let one branch alone set it",
      "add `combine:` with a stage that makes one of both, or let one branch alone set it",
    ],
  },
  {
    name: "a plan that nobody reads",
    spec: "strategy:\n  - plan\n  - direct\n",
    found: [["LW-FLOW-UNREAD", 5, 5]],
    fixes: ["put a stage that uses `plan` after it, or delete it"],
    says: "`plan` produces `plan`, and no later stage reads it",
  },
  {
    name: "a plan after its only reader",
    spec: "strategy:\n  - react\n  - plan\ntools: [calculator]\n",
    found: [["LW-FLOW-UNREAD", 6, 5]],
    fixes: ["put a stage that uses `plan` after it, or delete it"],
  },
  {
    name: "a reply that nobody reads",
    spec: "strategy:\n  - ask: { question: Which one? }\n  - direct\n",
    found: [["LW-FLOW-UNREAD", 5, 5]],
    fixes: ["read `results.ask.reply` in a guard, a prompt or a template, or delete the stage"],
    says: "`ask` produces `results.ask`",
  },
  {
    name: "results of a repetition that nobody reads",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, do: direct }\n  - direct\n",
    found: [["LW-FLOW-UNREAD", 6, 5]],
    fixes: ["read `results.for-each.…` in a guard, a prompt or a template, or delete the stage"],
    says: "`for-each` produces `results.for-each`",
  },
  {
    name: "two branches of which one has a fault",
    spec: "strategy:\n  - parallel:\n      branches:\n        left: { react: { maxStep: 2 } }\n        right: direct\ntools: [calculator]\n",
    found: [
      ["LW-STAGE-UNKNOWN-OPTION", 7, 26],
      ["LW-FLOW-TWO-WRITERS", 8, 16],
    ],
    fixes: [
      "did you mean `maxSteps`?",
      "add `combine:` with a stage that makes one of both, or let one branch alone set it",
    ],
  },
];
