import type { BrokenCase } from "./broken-case.ts";

const choose =
  "tools: [calculator]\nstrategy: { choose: { cases: { small: { description: Small ones., do: direct }, big: { description: Big ones., do: react } } } }\n";

/** What overlays and extending files say of slots, and can't change. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a case that an overlay changes and there is not",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { smal: { description: Tiny. } } } } }\n`,
    found: [["LW-SPEC-PATCH", 7, 40]],
    says: "`cases` of `choose` has no `smal`, and one more would need stages",
    fixes: ["did you mean `small`?"],
  },
  {
    name: "a case that an overlay adds",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { further: { description: More., do: direct } } } } }\n`,
    found: [["LW-SPEC-PATCH", 7, 40]],
    fixes: ["there: small, big; to add one, say `strategy` anew"],
  },
  {
    name: "the stages of a case in an overlay",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { big: { description: Huge., do: direct } } } } }\n`,
    found: [["LW-SPEC-PATCH", 7, 67]],
    says: "`do` of `cases.big` in `choose` cannot be changed so: it holds stages",
    fixes: ["change its stages by their ids, as `stages.react`, or say `strategy` anew"],
  },
  {
    name: "a case as text in an overlay",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { small: Tiny. } } } }\n`,
    found: [["LW-VALUE-MAP-EXPECTED", 7, 47]],
    fixes: ["write `small: { OPTION: ... }`"],
  },
  {
    name: "the cases as a list in an overlay",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: [small] } } }\n`,
    found: [["LW-VALUE-MAP-EXPECTED", 7, 38]],
    fixes: ["write `cases: { small: { ... } }`"],
  },
  {
    name: "cases that an overlay adds with a plus",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases+: { further: { description: More., do: direct } } } } }\n`,
    found: [["LW-SPEC-PATCH", 7, 31]],
    fixes: ["say `strategy` anew"],
  },
  {
    name: "cases that an overlay removes by name",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases-: [small] } } }\n`,
    found: [["LW-SPEC-PATCH", 7, 31]],
    fixes: ["take its stages out by their ids, as `stages-: [direct]` (also react)"],
  },
  {
    name: "an unknown option of a case in an overlay",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { small: { descripton: Tiny. } } } } }\n`,
    found: [["LW-SPEC-UNKNOWN-KEY", 7, 49]],
    says: "with overlay `prod`",
    fixes: ["did you mean `description`?"],
  },
  {
    name: "a number as the description of a case in an overlay",
    spec: `${choose}overlays:\n  prod: { stages: { choose: { cases: { small: { description: 7 } } } } }\n`,
    found: [["LW-VALUE-TEXT-EXPECTED", 7, 62]],
    fixes: ['write `description: "7"`'],
  },
  {
    name: "a case that an extending file changes and its base does not have",
    spec: "apiVersion: loopwright/v1\nname: child\nextends: ./base.yaml\nstages: { choose: { cases: { bg: { description: Huge. } } } }\n",
    bare: true,
    files: {
      "base.yaml": `apiVersion: loopwright/v1\nname: base\nmodel: ollama/small\n${choose}`,
    },
    found: [["LW-SPEC-PATCH", 4, 30]],
    fixes: ["did you mean `big`?"],
  },
  {
    name: "a slot that a stage does not fill in an overlay",
    spec: "strategy: [direct, { verify: { model: ollama/big } }]\noverlays:\n  prod: { stages: { verify: { revise: refine } } }\n",
    found: [["LW-SPEC-PATCH", 6, 31]],
    fixes: ["say `strategy` anew"],
  },
];
