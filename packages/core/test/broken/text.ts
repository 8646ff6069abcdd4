import type { BrokenCase } from "./broken-case.ts";

const chain = Object.fromEntries(
  Array.from({ length: 20 }, (_value, index) => [
    `base-${index}.yaml`,
    `apiVersion: loopwright/v1\nname: base-${index}\nextends: ./base-${index + 1}.yaml\n`,
  ]),
);

/** What characters, patterns, secrets, data files and includes can do. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a full-width colon after a key",
    spec: "strategy：direct\n",
    found: [["LW-YAML-LOOK-ALIKE", 4, 9]],
    fixes: ["write `strategy: direct`, or quote the text"],
  },
  {
    name: "a full-width colon after an option",
    spec: "strategy:\n  - direct:\n      instructions：Be brief.\n",
    found: [["LW-YAML-LOOK-ALIKE", 6, 19]],
    fixes: ["write `instructions: Be brief.`, or quote the text"],
  },
  {
    name: "a full-width comma between two tools",
    spec: "tools: [add，look]\nstrategy: direct\n",
    found: [["LW-YAML-LOOK-ALIKE", 4, 12]],
    fixes: ["write `add, look`, or quote the text"],
  },
  {
    name: "an en dash that begins a list item",
    spec: "strategy:\n  – direct\n",
    found: [["LW-YAML-LOOK-ALIKE", 5, 3]],
    fixes: ["write `- `, or quote the text"],
    says: "en dash",
  },
  {
    name: "curly quotes around a text",
    spec: "description: “An order desk”\nstrategy: direct\n",
    found: [["LW-YAML-LOOK-ALIKE", 4, 14]],
    fixes: ["write `\"An order desk\"`; if the quotes belong to the text, put it in '…'"],
    says: 'write `"An order desk"`',
  },
  {
    name: "a Cyrillic letter in a key",
    spec: "strаtegy: direct\n",
    found: [["LW-YAML-LOOK-ALIKE", 4, 4]],
    fixes: ["write `strategy`"],
  },
  {
    name: "a Cyrillic letter in a strategy's id",
    spec: "strategy: dirеct\n",
    found: [["LW-YAML-LOOK-ALIKE", 4, 14]],
    fixes: ["write `direct`, or quote the text"],
  },
  {
    name: "a no-break hyphen in a stage's id",
    spec: "strategy:\n  - direct: { id: last‑word }\n",
    found: [["LW-YAML-LOOK-ALIKE", 5, 23]],
    fixes: ["write `last-word`, or quote the text"],
  },
  {
    name: "a full-width digit",
    spec: "strategy: direct\nlimits: { modelCalls: ６ }\n",
    found: [["LW-YAML-LOOK-ALIKE", 5, 23]],
    fixes: ["write `6`, or quote the text"],
  },
  {
    name: "curly quotes in an expression",
    spec: 'strategy:\n  - direct\n  - direct: { id: again, when: "answer.text == ‘x’" }\n',
    found: [["LW-YAML-LOOK-ALIKE", 6, 48]],
    fixes: ["write `'`"],
  },
  {
    name: "a pattern of an input that can hang",
    spec: "inputs: { id: { type: string, pattern: '(a+)+$' } }\nstrategy: direct\n",
    found: [["LW-VALUE-PATTERN", 4, 40]],
    fixes: ["write a simpler pattern, or several simple ones that all have to fit"],
    says: "unbounded time",
  },
  {
    name: "a pattern with several open parts",
    spec: "inputs:\n  id: { type: string, pattern: '^.*-.*-.*$' }\nstrategy: direct\n",
    found: [["LW-VALUE-PATTERN", 5, 32]],
    fixes: ["put a character between the parts that neither may hold"],
    says: "may take the same characters",
  },
  {
    name: "a pattern deep in the output that is malformed",
    spec: "strategy: direct\noutput:\n  fields:\n    list: { type: array, items: { type: string, pattern: '[' } }\n",
    found: [["LW-VALUE-PATTERN", 7, 58]],
    fixes: ["add the missing `]`, or write `\\[` for a bracket"],
    says: "malformed",
  },
  {
    name: "a pattern of keys that can hang",
    spec: "strategy: direct\noutput:\n  fields:\n    map: { type: object, patternProperties: { '^(a|a)*$': { type: string } } }\n",
    found: [["LW-VALUE-PATTERN", 7, 47]],
    fixes: ["write a simpler pattern, or several simple ones that all have to fit"],
  },
  {
    name: "a pattern in a schema file that can hang",
    spec: 'strategy: direct\noutput: { schema: "${file:answer.json}" }\n',
    files: {
      "answer.json":
        '{ "type": "object", "properties": { "id": { "type": "string", "pattern": "(x*)*y" } } }',
    },
    found: [["LW-VALUE-PATTERN", 5, 19]],
    fixes: ["write a simpler pattern, or several simple ones that all have to fit"],
  },
  {
    name: "a pattern in an expression that can hang",
    spec: "strategy:\n  - direct\n  - direct: { id: again, when: \"answer.text.matches('(a|b)*c')\" }\n",
    found: [["LW-VALUE-PATTERN", 6, 53]],
    fixes: ["write a simpler pattern, or several simple ones that all have to fit"],
  },
  {
    name: "a secret in the name of the description",
    spec: 'description: "our ${secret:KEY}"\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 14]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in a default of an input",
    spec: 'inputs: { token: { type: string, default: "${secret:KEY}" } }\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 43]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in a constraint",
    spec: 'task:\n  text: Say hello.\n  constraints: ["never say ${secret:KEY}"]\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 6, 17]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in a glossary",
    spec: 'glossary: { KEY: "${secret:KEY}" }\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 18]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a table with a row that is too short",
    spec: 'strategy:\n  - direct: { examples: "${file:examples.csv}" }\n',
    files: { "examples.csv": "task,answer\nWhy?,Because.\nHow?\n" },
    found: [["LW-FILE-FORMAT", 3, 1, "examples.csv"]],
    fixes: ['a value that holds a comma goes into quotes: "a, b"'],
    says: "first row names 2 columns",
  },
  {
    name: "a table with an open quote",
    spec: 'strategy:\n  - direct: { examples: "${file:examples.csv}" }\n',
    files: { "examples.csv": 'task,answer\n"Why?,Because.\n' },
    found: [["LW-FILE-FORMAT", 2, 1, "examples.csv"]],
    fixes: ['write `"` at the end of the value; a quote inside is written twice'],
  },
  {
    name: "a spreadsheet where text belongs",
    spec: 'strategy:\n  - direct: { examples: "${file:examples.xlsx}" }\n',
    found: [["LW-FILE-UNSUPPORTED", 5, 25]],
    fixes: ["export it as .csv, .jsonl or .md, and name that file"],
    says: "export it as .csv",
  },
  {
    name: "a chain of extends that is too long",
    spec: "extends: ./base-0.yaml\nstrategy: direct\n",
    files: chain,
    found: [["LW-FILE-CHAIN", 3, 10, "base-15.yaml"]],
    fixes: ["join some of the files"],
  },
  {
    name: "a wrong path in a block text",
    spec: "task: |\n  Answer this.\n\n    Say {{ input.name }}.\nstrategy: direct\n",
    found: [["LW-TEMPLATE-PATH", 7, 12]],
    fixes: ["did you mean `inputs`?"],
  },
  {
    name: "a wrong path in a folded text",
    spec: "task: >\n  Answer\n  this: {{ input.name }}.\nstrategy: direct\n",
    found: [["LW-TEMPLATE-PATH", 6, 12]],
    fixes: ["did you mean `inputs`?"],
  },
];
