import type { BrokenCase } from "./broken-case.ts";

/** Specs whose stages, texts and expressions read what nothing writes, or perhaps not before. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a need that only a later stage writes",
    spec: "strategy:\n  - refine\n  - direct\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [
      ["LW-FLOW-NEVER-WRITTEN", 5, 5],
      ["LW-FLOW-NEVER-WRITTEN", 5, 5],
    ],
    fixes: [
      "move `direct` (line 6) before it, or put another stage that writes `answer` there",
      "move `verify` (line 7) before it, or put another stage that writes `verdict` there",
    ],
    says: "`refine` reads `answer`, which no earlier stage writes; writers here: `direct` (line 6)",
  },
  {
    name: "a need inside a slot",
    spec: "strategy:\n  - direct\n  - loop: { maxRounds: 2, until: answer.revision > 3, do: [react, refine] }\ntools: [calculator]\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 6, 67]],
    fixes: ["put a stage that writes `verdict` before it, like `verify`"],
    says: "reads `verdict`, which no earlier stage writes; no stage of this spec does",
  },
  {
    name: "a need that only a guarded stage writes",
    spec: "inputs: { fast: boolean, long: boolean }\nstrategy:\n  - direct: { when: inputs.fast }\n  - refine: { when: inputs.long && verdict.needsPlan }\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [
      ["LW-FLOW-MAYBE-MISSING", 7, 5],
      ["LW-FLOW-NEVER-WRITTEN", 7, 5],
      ["LW-FLOW-MAYBE-MISSING", 7, 36],
      ["LW-FLOW-MAYBE-MISSING", 8, 5],
    ],
    fixes: [
      "let a stage that always runs write `answer`, or give this one the same guard",
      "move `verify` (line 8) before it, or put another stage that writes `verdict` there",
      "put it after `verify` (line 8), which writes `verdict`",
      "let a stage that always runs write `answer`, or give this one the same guard",
    ],
    says: "its writer `direct` (line 6) runs only under the guard at 6:21",
  },
  {
    name: "a need that a stage writes which may fail",
    spec: "strategy:\n  - direct: { onError: continue }\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 6, 5]],
    fixes: [
      "let a stage that always runs write `answer`, or delete `onError: continue` of `direct`",
    ],
    says: "may fail, and the run goes on (`onError: continue` at 5:5)",
  },
  {
    name: "a need that only one way of a branch writes",
    spec: "inputs: { fast: boolean }\nstrategy:\n  - branch: { if: inputs.fast, then: direct }\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 7, 5]],
    fixes: [
      "let a stage that always runs write `answer`, or let every way through `branch` write it",
    ],
    says: "its writer `direct` (line 6) runs only on some ways through `branch` at 6:5",
  },
  {
    name: "a need that one of several cases leaves out",
    spec: "strategy:\n  - choose:\n      cases:\n        short: { description: A short one., do: direct }\n        none: { description: Nothing to do., do: reflect }\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 9, 5]],
    fixes: [
      "let a stage that always runs write `answer`, or let every way through `choose` write it",
    ],
    says: "runs only on some ways through `choose` at 5:5",
  },
  {
    name: "a need that is written for each item alone",
    spec: "strategy:\n  - plan\n  - for-each: { in: plan.steps, item: step, do: direct }\n  - verify: { checks: [constraints] }\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 7, 5]],
    fixes: ["put a stage that writes `answer` before it, like `direct`"],
    says: "`verify` reads `answer`, which no earlier stage writes",
  },
  {
    name: "a need inside a branch that another branch writes",
    spec: "strategy:\n  - parallel:\n      branches:\n        left: direct\n        right: { verify: { checks: [constraints] } }\ntask: { constraints: [Be short.] }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 8, 18]],
    fixes: ["put a stage that writes `answer` before it, like `direct`"],
    says: "writers here: `direct` (line 7)",
  },
  {
    name: "a guard that reads a verdict before any stage can write one",
    spec: "task: { constraints: [Be short.] }\nstrategy:\n  - direct: { when: '!verdict.passed' }\n  - direct: { id: second }\n  - verify: { checks: [constraints] }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 6, 23]],
    fixes: ["put it after `verify` (line 8), which writes `verdict`"],
    says: "the guard of `direct` reads `verdict` before any stage can write one; it sees `none`; writers here: `verify` (line 8)",
  },
  {
    name: "a guard that reads a verdict which no stage writes",
    spec: "strategy:\n  - direct\n  - reflect: { when: answer.solvable && !verdict.passed }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 6, 42]],
    fixes: ["add a stage that writes `verdict`, like `verify`, or take `verdict.passed` away"],
    says: "the guard of `reflect` reads `verdict`, which no stage of this spec writes",
  },
  {
    name: "a guard that reads candidates which no stage writes",
    spec: "strategy:\n  - direct: { when: size(candidates) > 2 }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 26]],
    fixes: [
      "add a stage that writes `candidates`, like `self-consistency`, or take `candidates` away",
    ],
  },
  {
    name: "a question that reads a plan which no stage writes",
    spec: "strategy:\n  - ask: { question: 'Is {{ plan.goal }} right?' }\n  - direct: { when: results.ask.answered }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 29]],
    fixes: ["add a stage that writes `plan`, like `plan`, or take `plan.goal` away"],
    says: "`question` of `ask` reads `plan`, which no stage of this spec writes",
  },
  {
    name: "a question that reads a plan which comes later",
    spec: "strategy:\n  - ask: { question: 'Is {{ plan.goal }} right?' }\n  - plan: { when: results.ask.answered }\n  - plan-and-solve\n",
    found: [
      ["LW-FLOW-MAYBE-MISSING", 5, 29],
      ["LW-FLOW-UNREAD", 6, 5],
    ],
    fixes: [
      "put it after `plan` (line 6), which writes `plan`",
      "put a stage that uses `plan` after it, or delete it",
    ],
    says: "`question` of `ask` reads `plan` before any stage can write one",
  },
  {
    name: "a question that reads a plan which may be missing",
    spec: "inputs: { hard: boolean }\nstrategy:\n  - plan: { when: inputs.hard }\n  - ask: { question: 'Is {{ plan.goal }} right?' }\n  - direct: { when: results.ask.answered }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 7, 29]],
    fixes: ["guard the stage by what it reads, or let a stage that always runs write `plan`"],
    says: "`question` of `ask` reads `plan`, which may be missing: its writer `plan` (line 6) runs only under the guard at 6:19",
  },
  {
    name: "a prompt that reads a verdict which no stage writes",
    spec: "strategy:\n  - direct: { prompt: 'Mind {{# verdict.issues }}{{ item.detail }}{{/ verdict.issues }}' }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 33]],
    fixes: ["add a stage that writes `verdict`, like `verify`, or take `verdict.issues` away"],
    says: "the prompt of `direct` reads `verdict`",
  },
  {
    name: "instructions of a stage that read lessons which no stage writes",
    spec: "strategy:\n  - direct: { instructions: 'Mind {{ lessons }}.' }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 5, 38]],
    fixes: ["add a stage that writes `lessons`, like `recall`, or take `lessons` away"],
    says: "`instructions` of `direct` reads `lessons`",
  },
  {
    name: "instructions of the spec that read a plan which no stage writes",
    spec: "instructions: 'The goal is {{ plan.goal }}.'\nstrategy: direct\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 4, 31]],
    fixes: ["add a stage that writes `plan`, like `plan`, or take `plan.goal` away"],
    says: "`instructions` reads `plan`",
  },
  {
    name: "a rule of the output that reads a plan which no stage writes",
    spec: "strategy: direct\noutput:\n  fields: { reply: string }\n  checks: [{ rule: { expr: 'size(plan.steps) > 1', message: Too short. } }]\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 7, 34]],
    fixes: ["add a stage that writes `plan`, like `plan`, or take `plan.steps` away"],
    says: "the check `rule` reads `plan`",
  },
  {
    name: "a rule of a verification that reads candidates which no stage writes",
    spec: "strategy:\n  - direct\n  - verify: { checks: [{ rule: { expr: 'size(candidates) > 1', message: Too few. } }] }\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 6, 46]],
    fixes: [
      "add a stage that writes `candidates`, like `self-consistency`, or take `candidates` away",
    ],
  },
  {
    name: "a constraint whose rule reads a verdict which no stage writes",
    spec: "task: { text: Do it., constraints: [{ text: Pass., rule: verdict.passed }] }\nstrategy: direct\n",
    found: [["LW-FLOW-NEVER-WRITTEN", 4, 58]],
    fixes: ["add a stage that writes `verdict`, like `verify`, or take `verdict.passed` away"],
    says: "the rule of constraint c1 reads `verdict`",
  },
  {
    name: "a list to repeat over that may be missing",
    spec: "inputs: { hard: boolean }\nstrategy:\n  - plan: { when: inputs.hard }\n  - for-each: { id: parts, in: plan.steps, item: step, do: direct }\n  - direct: { prompt: '{{ results.parts }}' }\n",
    found: [["LW-FLOW-MAYBE-MISSING", 7, 32]],
    fixes: ["guard the stage by what it reads, or let a stage that always runs write `plan`"],
    says: "`in` of `parts` reads `plan`",
  },
];
