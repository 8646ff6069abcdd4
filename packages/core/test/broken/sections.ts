import type { BrokenCase } from "./broken-case.ts";

/** Faults of the sections beside `strategy`: packages, folders, glossary, output, secrets. */
export const cases: readonly BrokenCase[] = [
  {
    name: "plugins that are no list",
    spec: "plugins: acme\nstrategy: direct\n",
    found: [["LW-VALUE-LIST-EXPECTED", 4, 10]],
    fixes: ['write `plugins: ["acme"]`'],
  },
  {
    name: "a plugin package that is not installed",
    spec: 'plugins: ["@acme/loopwright-search@^1.2.0"]\nstrategy: direct\n',
    found: [["LW-PLUGIN-VERSION", 4, 11]],
    fixes: ["`npm i @acme/loopwright-search@^1.2.0` installs it"],
  },
  {
    name: "a range of a missing package that the shell would read",
    spec: 'plugins: ["acme@>=1 <2"]\nstrategy: direct\n',
    found: [["LW-PLUGIN-VERSION", 4, 11]],
    fixes: ['`npm i "acme@>=1 <2"` installs it'],
  },
  {
    name: "a plugin package by a path",
    spec: 'plugins: ["./plugins/mine@1.0.0"]\nstrategy: direct\n',
    found: [["LW-VALUE-TYPE", 4, 11]],
    fixes: ['write "@scope/package@^1.0.0"'],
  },
  {
    name: "a plugin package that climbs out of node_modules",
    spec: 'plugins: ["../evil@1.0.0"]\nstrategy: direct\n',
    found: [["LW-VALUE-TYPE", 4, 11]],
    fixes: ['write "@scope/package@^1.0.0"'],
    says: "paths and addresses are not taken",
  },
  {
    name: "a plugin package from an address",
    spec: 'plugins: ["https://x.example/a.tgz"]\nstrategy: direct\n',
    found: [["LW-VALUE-TYPE", 4, 11]],
    fixes: ['write "@scope/package@^1.0.0"'],
  },
  {
    name: "a plugin package without versions",
    spec: 'plugins: ["@acme/loopwright-search"]\nstrategy: direct\n',
    found: [["LW-PLUGIN-VERSION", 4, 11]],
    fixes: ['write "@acme/loopwright-search@^1.0.0"'],
  },
  {
    name: "a plugin package with a tag for versions",
    spec: 'plugins: ["acme@latest"]\nstrategy: direct\n',
    found: [["LW-PLUGIN-VERSION", 4, 17]],
    fixes: ['write "acme@^1.0.0"'],
    says: "`latest` is no range of versions",
  },
  {
    name: "a plugin package twice",
    spec: 'plugins: ["acme@1.0.0", "acme@2.0.0"]\nstrategy: direct\n',
    found: [
      ["LW-PLUGIN-VERSION", 4, 11],
      ["LW-SPEC-ID-CLASH", 4, 25],
    ],
    fixes: ["`npm i acme@1.0.0` installs it", "delete this one, or the first"],
  },
  {
    name: "a plugin package as a number",
    spec: "plugins: [7]\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 11]],
    fixes: ['write "7"'],
  },
  {
    name: "a tool of a package that is not installed",
    spec: "tools: [acme/search]\nstrategy: react\n",
    found: [["LW-PLUGIN-UNKNOWN", 4, 9]],
    fixes: [
      "install the package that brings `acme/search`; `loopwright plugins` lists what is installed, docs/spec.md#plugin-packages says how packages are named",
    ],
  },
  {
    name: "a workspace that does not exist",
    spec: "workspace: work/desk\nstrategy: direct\n",
    found: [["LW-FILE-NOT-FOLDER", 4, 12]],
    fixes: ["make it: mkdir -p work/desk"],
  },
  {
    name: "a workspace that is a file",
    spec: "workspace: notes.txt\nstrategy: direct\n",
    files: { "notes.txt": "x" },
    found: [["LW-FILE-NOT-FOLDER", 4, 12]],
    fixes: ["name the folder that holds it"],
  },
  {
    name: "a workspace outside the project",
    spec: "workspace: ../..\nstrategy: direct\n",
    found: [["LW-FILE-OUTSIDE-ROOT", 4, 12]],
    fixes: ["name a path inside the project, or choose another root with --root"],
  },
  {
    name: "a workspace that is a map",
    spec: "workspace: { path: work }\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 12]],
    fixes: ['write `workspace: "work"`'],
  },
  {
    name: "cases that do not exist",
    spec: "cases: cases.jsonl\nstrategy: direct\n",
    found: [["LW-FILE-MISSING", 4, 8]],
    fixes: ["make the file of cases, or delete `cases`"],
    says: "`cases.jsonl` does not exist",
  },
  {
    name: "cases at an address",
    spec: "cases: https://x.example/cases.jsonl\nstrategy: direct\n",
    found: [["LW-FILE-MISSING", 4, 8]],
    fixes: ["name a local path"],
  },
  {
    name: "a glossary that is a list",
    spec: "glossary: [RMA]\nstrategy: direct\n",
    found: [["LW-VALUE-MAP-EXPECTED", 4, 11]],
    fixes: ["write { TERM: what it means }"],
  },
  {
    name: "a meaning that is a number",
    spec: "glossary: { RMA: 7, SKU: a number }\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 18]],
    fixes: ['write `RMA: "7"`'],
  },
  {
    name: "a term without a meaning",
    spec: 'glossary: { RMA: " " }\nstrategy: direct\n',
    found: [["LW-VALUE-RANGE", 4, 18]],
    fixes: ["say what it means"],
  },
  {
    name: "a meaning that is a map",
    spec: "glossary:\n  RMA:\n    text: a return\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 6, 5]],
    fixes: ['write `RMA: "a return"`'],
  },
  {
    name: "an unknown language",
    spec: "language: eng\nstrategy: direct\n",
    found: [["LW-VALUE-CHOICE", 4, 11]],
    fixes: ["did you mean `en`?"],
  },
  {
    name: "a secret in the glossary",
    spec: 'glossary: { RMA: "${secret:KEY}" }\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 18]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in the description of a tool",
    spec: 'tools: { calculator: { description: "${secret:KEY}" } }\nstrategy: react\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 37]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in the name of the spec",
    bare: true,
    spec: 'apiVersion: loopwright/v1\nname: "${secret:KEY}"\nmodel: ollama/s\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 2, 7]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in a plugin package",
    spec: 'plugins: ["${secret:KEY}"]\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 11]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a dead letter outside the project",
    spec: "strategy: direct\noutput: { fields: { n: number }, deadLetter: ../../dead.jsonl }\n",
    found: [["LW-FILE-OUTSIDE-ROOT", 5, 46]],
    fixes: ["name a path inside the project, or choose another root with --root"],
  },
  {
    name: "broken inputs, and nothing about what reads them",
    spec: "inputs: { count: integr }\ntask: Count {{ inputs.anything }}.\nstrategy: { direct: { when: inputs.count > 2 } }\n",
    found: [["LW-VALUE-FIELD-TYPE", 4, 18]],
    fixes: ["did you mean `integer`?"],
  },
  {
    name: "broken output fields, and nothing about what reads them",
    spec: "output: { fields: { n: numbr } }\nstrategy: [direct, { loop: { maxRounds: 2, until: answer.value.n > 2, do: direct } }]\n",
    found: [["LW-VALUE-FIELD-TYPE", 4, 24]],
    fixes: ["did you mean `number`?"],
  },
  {
    name: "faults of two tools in one pass",
    spec: "tools:\n  a: { use: http-get, input: { q: strng } }\n  b: { use: http-get, url: x, input: { q: string }, deny: { when: args.p == '' } }\nstrategy: react\n",
    found: [
      ["LW-SPEC-MISSING-KEY", 5, 3],
      ["LW-VALUE-FIELD-TYPE", 5, 35],
      ["LW-EXPR-UNKNOWN", 6, 72],
    ],
    fixes: ["add `url: ...`", "did you mean `string`?", "known here: q"],
  },
  {
    name: "a keyword of a field that takes another kind of value",
    spec: "inputs: { count: { maxItems: integer } }\nstrategy: direct\n",
    found: [["LW-VALUE-SCHEMA", 4, 9]],
    fixes: ["mend the keyword that the message names"],
  },
  {
    name: "bounds of fields that leave no value",
    spec: "strategy: direct\noutput:\n  fields:\n    score: { type: integer, minimum: 10, maximum: 1 }\n    tags: { type: array, items: { type: string, minLength: 3, maxLength: 2 }, minItems: 2, maxItems: 1 }\n",
    found: [
      ["LW-VALUE-SCHEMA", 7, 51],
      ["LW-VALUE-SCHEMA", 8, 74],
      ["LW-VALUE-SCHEMA", 8, 102],
    ],
    fixes: [
      "write a `maximum` that is at least `minimum`",
      "write a `maxLength` that is at least `minLength`",
      "write a `maxItems` that is at least `minItems`",
    ],
  },
];
