import type { BrokenCase } from "./broken-case.ts";

/** Files that extend others, and what they change. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a file that loosens an approval of the file it extends",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: broken\nextends: base.yaml\ntools: { orders/update-address: { approval: never } }\nstrategy: react\n",
    files: {
      "base.yaml":
        "apiVersion: loopwright/v1\nname: base\nmodel: ollama/small\ntools: { orders/update-address: { approval: always } }\n",
    },
    found: [["LW-TOOL-LOOSENED-APPROVAL", 4, 45]],
    fixes: ["say `approval` as it was, or keep it so on purpose"],
    says: "(was always, base.yaml:4)",
  },
  {
    name: "patch keys in a file that extends nothing",
    spec: "strategy: direct\nsinks+: [console]\nstages-: [direct]\ntools-: [x]\n",
    found: [
      ["LW-SPEC-PATCH", 5, 1],
      ["LW-SPEC-PATCH", 6, 1],
      ["LW-SPEC-PATCH", 7, 1],
    ],
    fixes: [
      "write `sinks:`, or `sinks+:` under an overlay",
      "say it in `strategy`, or under an overlay",
      "write `tools:`, or `tools-:` under an overlay",
    ],
  },
  {
    name: "an extending file that removes what its base does not list",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: broken\nextends: base.yaml\nsinks-: [consol]\n",
    files: {
      "base.yaml":
        "apiVersion: loopwright/v1\nname: base\nmodel: ollama/small\nstrategy: direct\nsinks: [console]\n",
    },
    found: [["LW-SPEC-PATCH", 4, 10]],
    fixes: ["did you mean `console`?"],
  },
  {
    name: "an extending file that changes a stage its base does not have",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: broken\nextends: base.yaml\nstages: { refine: { when: 'verdict.revised' } }\n",
    files: {
      "base.yaml": "apiVersion: loopwright/v1\nname: base\nmodel: ollama/small\nstrategy: direct\n",
    },
    found: [["LW-STAGE-UNKNOWN-ID", 4, 11]],
    fixes: ["stages here: direct"],
  },
  {
    name: "a base that is a list",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: broken\nextends: base.yaml\nstrategy: direct\n",
    files: { "base.yaml": "- direct\n" },
    found: [["LW-VALUE-MAP-EXPECTED", 1, 1, "base.yaml"]],
    fixes: ["begin with `apiVersion: loopwright/v1`"],
    says: "by `extends` at spec.yaml:3",
  },
  {
    name: "too long a chain of files",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: broken\nextends: b0.yaml\nstrategy: direct\n",
    files: Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`b${at}.yaml`, `extends: b${at + 1}.yaml\n`]),
    ),
    found: [["LW-FILE-CHAIN", 1, 10, "b15.yaml"]],
    fixes: ["join some of the files"],
    says: "more than 16 files extend each other",
  },
];
