import type { BrokenCase } from "./broken-case.ts";

/** Specs whose patches add to what is no list and no map. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a text that is added to a text",
    spec: "task: Answer.\nstrategy: direct\noverlays:\n  brief: { task+: Be short. }\n",
    found: [["LW-SPEC-PATCH", 7, 12]],
    fixes: ["write `task:` to replace it"],
    says: "`task` is `Answer.` here: nothing can be added to it",
  },
  {
    name: "a text that is added where nothing stands",
    spec: "strategy: direct\noverlays:\n  brief: { stages: { direct: { instructions+: Be short. } } }\n",
    found: [["LW-VALUE-LIST-EXPECTED", 6, 47]],
    fixes: ["write `instructions: Be short.`, or `instructions+: [Be short.]` if it is a list"],
  },
  {
    name: "a list that is added to a word",
    spec: "strategy: direct\noverlays:\n  brief: { stages: { direct: { onError+: [continue] } } }\n",
    found: [["LW-VALUE-CHOICE", 6, 42]],
    fixes: ["write `onError: fail` or `onError: continue`"],
    says: "`onError` is one of fail, continue; it is a list",
  },
  {
    name: "a list that is added to a count",
    spec: "strategy: direct\noverlays:\n  small: { limits: { modelCalls+: [2] } }\n",
    found: [["LW-VALUE-COUNT", 6, 35]],
    fixes: ["write a whole number, like 2000, 200k or 2M"],
    says: "`modelCalls` is a count, not a list",
  },
  {
    name: "a text that is added in a file that extends nothing",
    spec: "strategy: direct\ntask+: Be short.\n",
    found: [["LW-SPEC-PATCH", 5, 1]],
    fixes: ["write `task:`"],
  },
];
