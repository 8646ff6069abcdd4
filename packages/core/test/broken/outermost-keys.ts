import type { BrokenCase } from "./broken-case.ts";

/** The outermost keys. */
export const cases: readonly BrokenCase[] = [
  {
    name: "no apiVersion",
    bare: true,
    spec: "name: x\nmodel: ollama/s\nstrategy: direct\n",
    found: [["LW-SPEC-API-VERSION", 1, 1]],
    fixes: ["write `apiVersion: loopwright/v1`"],
  },
  {
    name: "a later apiVersion",
    bare: true,
    spec: "apiVersion: loopwright/v2\nname: x\nmodel: ollama/s\nstrategy: direct\n",
    found: [["LW-SPEC-API-VERSION", 1, 13]],
    fixes: ["it needs a newer loopwright; for this one, write `apiVersion: loopwright/v1`"],
    says: "`loopwright/v2` is not known here",
  },
  {
    name: "no name",
    bare: true,
    spec: "apiVersion: loopwright/v1\nmodel: ollama/s\nstrategy: direct\n",
    found: [["LW-SPEC-MISSING-KEY", 1, 1]],
    fixes: ["write `name: my-agent`"],
  },
  {
    name: "a name in camelCase",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: orderDesk\nmodel: ollama/s\nstrategy: direct\n",
    found: [["LW-VALUE-ID", 2, 7]],
    fixes: ["write `name: order-desk`"],
    says: "order-desk",
  },
  {
    name: "no strategy",
    spec: "tools: [calculator]\n",
    found: [["LW-SPEC-FRAGMENT", 1, 1]],
    fixes: ["add `strategy: direct`, or a list of stages"],
  },
  {
    name: "an unknown key",
    spec: "strategey: direct\nstrategy: direct\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 1]],
    fixes: ["did you mean `strategy`?"],
    says: "did you mean `strategy`",
  },
  {
    name: "misspelt keys that a spec needs",
    bare: true,
    spec: "apiVersio: loopwright/v1\nnaem: x\nmodel: ollama/s\nstrategey: direct\n",
    found: [
      ["LW-SPEC-UNKNOWN-KEY", 1, 1],
      ["LW-SPEC-UNKNOWN-KEY", 2, 1],
      ["LW-SPEC-UNKNOWN-KEY", 4, 1],
    ],
    fixes: ["did you mean `apiVersion`?", "did you mean `name`?", "did you mean `strategy`?"],
  },
  {
    name: "a version as a number",
    spec: "version: 1.10\nstrategy: direct\n",
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 10]],
    fixes: ['write `version: "1.10"`'],
    says: 'version: "1.10"',
  },
];
