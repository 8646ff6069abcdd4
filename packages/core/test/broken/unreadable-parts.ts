import type { BrokenCase } from "./broken-case.ts";

/** Files of which YAML can't read a part: the rest is looked at all the same. */
export const cases: readonly BrokenCase[] = [
  {
    name: "every trap of YAML and what stands beside it in one pass",
    spec: `descripton: Odd.
version: ~
limits: { modelCalls: 0x1F, time: 5 }
tools: [add, "look]
strategy:
  - direct: { when: !verdict.passed }
  - react: { maxStep: 3 }
  - verify: { maxRounds: 2, maxRounds: 3 }
  - direct:
    when: "answer.text =="
  - direct: { id: Last }
`,
    found: [
      ["LW-SPEC-UNKNOWN-KEY", 4, 1],
      ["LW-YAML-NULL", 5, 1],
      ["LW-YAML-NUMBER", 6, 23],
      ["LW-VALUE-DURATION", 6, 35],
      ["LW-YAML-SYNTAX", 7, 14],
      ["LW-YAML-TAG", 9, 21],
      ["LW-STAGE-UNKNOWN-OPTION", 10, 14],
      ["LW-YAML-DUPLICATE-KEY", 11, 29],
      ["LW-YAML-NULL", 12, 5],
      ["LW-VALUE-ID", 14, 19],
    ],
    fixes: [
      "did you mean `description`?",
      'give `version` a value or delete the line; empty text is "", an empty map {}, an empty list []',
      'write it as a decimal number, or quote it if it is text: "0x1F"',
      "write `time: 5s`",
      'close it with " at the end of the text',
      'quote it: "!verdict.passed"',
      "did you mean `maxSteps`?",
      "delete one of them, or join what stands under them",
      "if `when` belongs to `direct`, indent it by 2 more",
      "write `id: last`",
    ],
  },
  {
    name: "a base that is not there, and what is wrong in the file itself",
    spec: "extends: ./gone.yaml\ntools+: [add]\nstages: { plan: { maxStep: 3 } }\nlimits: { modelCalls: -1 }\nstrateg: direct\n",
    found: [
      ["LW-FILE-MISSING", 4, 10],
      ["LW-VALUE-COUNT", 7, 23],
      ["LW-SPEC-UNKNOWN-KEY", 8, 1],
    ],
    fixes: [
      "make it, or mend the path: it is relative to `spec.yaml`",
      "write a whole number, like 2000, 200k or 2M",
      "did you mean `strategy`?",
    ],
  },
  {
    name: "a base with a fault of YAML, and what is wrong above it",
    spec: "extends: ./base.yaml\nlimits: { modelCalls: -1 }\n",
    files: {
      "base.yaml":
        "apiVersion: loopwright/v1\nname: base\nmodel:\nstrategy:\n  - direct: { id: Odd }\n",
    },
    found: [
      ["LW-YAML-NULL", 3, 1, "base.yaml"],
      ["LW-VALUE-ID", 5, 19, "base.yaml"],
      ["LW-VALUE-COUNT", 5, 23],
    ],
    fixes: [
      'give `model` a value or delete the line; empty text is "", an empty map {}, an empty list []',
      "write `id: odd`",
      "write a whole number, like 2000, 200k or 2M",
    ],
  },
  {
    name: "a merge key, for which no key is called missing",
    spec: "strategy:\n  - react: { <<: { id: one }, maxSteps: -1 }\n",
    found: [
      ["LW-YAML-MERGE-KEY", 5, 14],
      ["LW-VALUE-RANGE", 5, 41],
    ],
    fixes: ["write the keys out, or use `extends`", "write `maxSteps: 1` or more"],
  },
  {
    name: "stages that are lost, and references to them",
    spec: 'strategy:\n  - plan: { id: first, goal: ~ }\n  - {\n  - direct: { id: second, when: "results.first != null && answer.odd" }\n',
    found: [
      ["LW-YAML-NULL", 5, 24],
      ["LW-YAML-SYNTAX", 6, 5],
    ],
    fixes: [
      'give `goal` a value or delete the line; empty text is "", an empty map {}, an empty list []',
      "write a `}` where it ends, or quote the text",
    ],
  },
  {
    name: "a half-written key between sound ones",
    spec: "strategy: direct\nlimi\nmemry: [lessons]\n",
    found: [
      ["LW-YAML-INDENT", 5, 1],
      ["LW-SPEC-UNKNOWN-KEY", 6, 1],
    ],
    fixes: ["check its indentation, or write a `:` behind the key", "did you mean `memory`?"],
  },
  {
    name: "faults of YAML in an overlay, and a wrong value in another",
    spec: "strategy: direct\noverlays:\n  one: { limits: ~ }\n  two: { limits: { modelCalls: -1 } }\n",
    found: [
      ["LW-YAML-NULL", 6, 10],
      ["LW-VALUE-COUNT", 7, 32],
    ],
    fixes: [
      'give `limits` a value or delete the line; empty text is "", an empty map {}, an empty list []',
      "write a whole number, like 2000, 200k or 2M",
    ],
  },
];
