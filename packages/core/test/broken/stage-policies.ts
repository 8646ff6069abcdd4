import type { BrokenCase } from "./broken-case.ts";

const stage = (policy: string, ofStage: string): string =>
  `tools: { calculator: { ${policy} } }\nstrategy: { react: { tools: { calculator: { ${ofStage} } } } }\n`;

/** Policies of a stage that loosen those of its tools, or contradict them. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a stage that tries again more often",
    spec: stage("retry: 2", "retry: 3"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 52]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a stage that tries again where the tool does not",
    spec: stage("retry: 1", "retry: 2"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 52]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a stage with a higher rate",
    spec: stage("rateLimit: 10/1m", "rateLimit: 1/1s"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 56]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a stage whose breaker waits longer to break and rests less",
    spec: stage("breaker: { failures: 3, rest: 1m }", "breaker: { failures: 4, rest: 30s }"),
    found: [
      ["LW-TOOL-LOOSENED-POLICY", 5, 66],
      ["LW-TOOL-LOOSENED-POLICY", 5, 75],
    ],
    fixes: [
      "delete it here, or change `tools.calculator`",
      "delete it here, or change `tools.calculator`",
    ],
  },
  {
    name: "a stage with a shorter cool-down and more calls at a time",
    spec: stage("coolDown: 3, maxParallel: 2", "coolDown: 1, maxParallel: 4"),
    found: [
      ["LW-TOOL-LOOSENED-POLICY", 5, 55],
      ["LW-TOOL-LOOSENED-POLICY", 5, 71],
    ],
    fixes: [
      "delete it here, or change `tools.calculator`",
      "delete it here, or change `tools.calculator`",
    ],
  },
  {
    name: "a stage that lets a tool poll",
    spec: stage("timeout: 2s", "polls: true"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 52]],
    fixes: ["delete it here, or change `tools.calculator`"],
    says: "`polls` is `false`, and `true` would loosen it",
  },
  {
    name: "a stage that raises a limit of a tool",
    spec: stage("limits: { toolCalls: 3 }", "limits: { toolCalls: 9 }"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 66]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a stage that waits longer for an approval",
    spec: stage("approval: always, expires: 1m", "expires: 5m"),
    found: [["LW-TOOL-LOOSENED-POLICY", 5, 54]],
    fixes: ["delete it here, or change `tools.calculator`"],
  },
  {
    name: "a repeat of a stage for a tool that polls",
    spec: stage("polls: true", "repeat: 2"),
    found: [["LW-TOOL-POLICY", 5, 45]],
    fixes: ["delete `repeat`, or write `polls: false`"],
  },
];
