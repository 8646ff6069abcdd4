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
    spec: 'strategy:\n  - plan: { id: first, instructions: ~ }\n  - {\n  - direct: { id: second, when: "results.first != null && answer.odd" }\n',
    found: [
      ["LW-YAML-NULL", 5, 24],
      ["LW-YAML-SYNTAX", 6, 5],
    ],
    fixes: [
      'give `instructions` a value or delete the line; empty text is "", an empty map {}, an empty list []',
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
  {
    name: "an outermost key that is indented by mistake, and what names its parts",
    spec: "models: { judge: ollama/big }\n memory: { lessons: { use: file, path: l.jsonl } }\nstrategy:\n  - recall: { from: lessons }\n  - direct: { modle: judge }\n",
    found: [
      ["LW-YAML-INDENT", 5, 2],
      ["LW-STAGE-UNKNOWN-OPTION", 8, 15],
    ],
    fixes: ["indent it by 0", "did you mean `model`?"],
  },
  {
    name: "list items at three depths, each with a fault of its own",
    spec: "strategy:\n  - direct\n - react: { maxRound: 2 }\n- verify: { maxRound: 2 }\n   - refine: { whn: x }\n",
    found: [
      ["LW-YAML-INDENT", 6, 2],
      ["LW-STAGE-UNKNOWN-OPTION", 6, 13],
      ["LW-YAML-INDENT", 7, 1],
      ["LW-YAML-INDENT", 8, 4],
    ],
    fixes: [
      "indent it by 2, like the other items",
      "known: maxSteps, maxCallsPerStep, mode; id, when, always, model, instructions, prompt, examples, tools, limits, onError (of every stage)",
      "indent it by 2, like the other items",
      "indent it by 0",
    ],
  },
  {
    name: "faults beside a tag",
    spec: "tools: { calc: { use: calculator, aproval: always }, calculator: !x }\nstrategy:\n  - direct: { id: one, when: !verdict.passed, modle: x }\n",
    found: [
      ["LW-SPEC-UNKNOWN-KEY", 4, 35],
      ["LW-YAML-TAG", 4, 66],
      ["LW-YAML-TAG", 6, 30],
      ["LW-STAGE-UNKNOWN-OPTION", 6, 47],
    ],
    fixes: [
      "did you mean `approval`?",
      'quote it: "!x"',
      'quote it: "!verdict.passed"',
      "did you mean `model`?",
    ],
  },
  {
    name: "a patch over a model that can't be read, and an overlay with an open brace",
    spec: "models:\n  judge:\nstrategy: [direct]\noverlays:\n  c: { models: { judge: { temperature: 0.1 } }, limits: { modelCalls: -1 } }\n  d: { limits: {\n",
    overlays: ["d"],
    found: [
      ["LW-YAML-NULL", 5, 3],
      ["LW-YAML-SYNTAX", 9, 16],
    ],
    fixes: [
      'give `judge` a value or delete the line; empty text is "", an empty map {}, an empty list []',
      "write a `}` where it ends, or quote the text",
    ],
  },
  {
    name: "half-written entries of braces",
    spec: "inputs: { orderId: string, note }\nlimits: {modelCalls:3}\nsinks:[console]\ntask: 'it's\nstrategy:\n  - react: { maxSteps 3 }\n  - direct: { id: a, temperatur }\n",
    found: [
      ["LW-YAML-NULL", 4, 28],
      ["LW-YAML-NULL", 5, 10],
      ["LW-YAML-INDENT", 6, 1],
      ["LW-YAML-SYNTAX", 7, 11],
      ["LW-YAML-NULL", 9, 14],
      ["LW-YAML-NULL", 10, 22],
    ],
    fixes: [
      'write `note: ...`; if the comma belongs to the text before it, write "string, note"',
      "write `modelCalls: 3`",
      "write `sinks: [console]`",
      'write a \' inside the text twice, or put the text in "..."',
      "write `maxSteps: 3`",
      'write `temperatur: ...`; if the comma belongs to the text before it, write "a, temperatur"',
    ],
  },
  {
    name: "brackets that are open or too many, each told where it stands",
    spec: "tools: [calculator }\nlimits: { time: 5s } }\nstrategy:\n  - verify:\n      tools: [\n      model: judge\n  - react: {\n      maxSteps: 3\n  - direct: { id: Last }\n",
    found: [
      ["LW-YAML-SYNTAX", 4, 8],
      ["LW-YAML-SYNTAX", 5, 22],
      ["LW-YAML-SYNTAX", 8, 14],
      ["LW-YAML-SYNTAX", 10, 12],
      ["LW-VALUE-ID", 12, 19],
    ],
    fixes: [
      "close it with a `]`",
      "delete the `}`",
      "write a `]` where it ends, or quote the text",
      "write a `}` where it ends, or quote the text",
      "write `id: last`",
    ],
  },
  {
    name: "a document marker above, and faults in two blocks",
    bare: true,
    spec: '# a comment\n---\napiVersion: loopwright/v1\nname: "open\nmodel: ollama/small\nlimit: {}\nstrategy: direct\n',
    found: [
      ["LW-YAML-SYNTAX", 4, 7],
      ["LW-SPEC-UNKNOWN-KEY", 6, 1],
    ],
    fixes: ['close it with " at the end of the text', "did you mean `limits`?"],
  },
  {
    name: "a base without a name",
    spec: 'extends: ""\nlimits: { modelCalls: -1 }\n',
    found: [
      ["LW-FILE-MISSING", 4, 10],
      ["LW-VALUE-COUNT", 5, 23],
    ],
    fixes: [
      "write `extends: ./base.yaml`, or delete the line",
      "write a whole number, like 2000, 200k or 2M",
    ],
  },
  {
    name: "a dash without a space",
    spec: "strategy:\n  - direct\n  -react\n  - verify: { maxRound: 2 }\n",
    found: [
      ["LW-YAML-INDENT", 6, 3],
      ["LW-STAGE-UNKNOWN-OPTION", 7, 15],
    ],
    fixes: ["write `- react`, in the column of the other items", "did you mean `maxRounds`?"],
  },
];
