import type { BrokenCase } from "./broken-case.ts";

/** How files are saved, how large they are, and how they bring each other in. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a spec saved as Latin-1",
    spec: "description: A café's desk.\nstrategy: direct\n",
    encoding: "latin1",
    found: [["LW-FILE-ENCODING", 4, 19]],
    fixes: ["save the file as UTF-8"],
  },
  {
    name: "a spec saved as UTF-16",
    spec: "strategy: direct\n",
    encoding: "utf16le",
    found: [["LW-FILE-ENCODING", 1, 1]],
    fixes: ["save the file as UTF-8"],
  },
  {
    name: "a backspace in a text",
    spec: "description: The desk.\u0008\nstrategy: direct\n",
    found: [["LW-FILE-CONTROL-CHARACTER", 4, 23]],
    fixes: ["delete it"],
  },
  {
    name: "the line endings of old Macs",
    spec: "description: The desk.\rstrategy: direct\r",
    found: [["LW-FILE-LINE-ENDING", 4, 23]],
    fixes: ["save the file with LF line endings"],
  },
  {
    name: "a folder where a file's text belongs",
    spec: "instructions: ${file:prompts}\nstrategy: direct\n",
    files: { "prompts/rules.txt": "Be brief." },
    found: [["LW-FILE-UNREADABLE", 4, 15]],
    fixes: ["name a file, not a folder"],
  },
  {
    name: "a spec that is too large",
    spec: `# ${"x".repeat(1024 * 1024)}\nstrategy: direct\n`,
    found: [["LW-FILE-TOO-LARGE", 1, 1]],
    fixes: ["split it, or keep data in a smaller file"],
  },
  {
    name: "a misspelt file whose text is put in",
    spec: "instructions: ${file:prompts/ruels.txt}\nstrategy: direct\n",
    files: { "prompts/rules.txt": "Be brief." },
    found: [["LW-FILE-MISSING", 4, 15]],
    fixes: ["did you mean `rules.txt`?"],
  },
  {
    name: "a file that is nowhere",
    spec: "instructions: ${file:prompts/rules.txt}\nstrategy: direct\n",
    found: [["LW-FILE-MISSING", 4, 15]],
    fixes: ["make it, or mend the path: it is relative to `spec.yaml`"],
  },
  {
    name: "a misspelt base",
    spec: "extends: ./bases.yaml\nstrategy: direct\n",
    files: { "base.yaml": "apiVersion: loopwright/v1\nname: base\n" },
    found: [["LW-FILE-MISSING", 4, 10]],
    fixes: ["did you mean `base.yaml`?"],
  },
  {
    name: "a file that extends itself",
    spec: "extends: ./spec.yaml\nstrategy: direct\n",
    found: [["LW-FILE-EXTENDS-CYCLE", 4, 10]],
    fixes: ["delete this `extends`, or extend a file outside the circle"],
  },
  {
    name: "two files that extend each other",
    spec: "extends: ./base.yaml\nstrategy: direct\n",
    files: { "base.yaml": "apiVersion: loopwright/v1\nname: base\nextends: ./spec.yaml\n" },
    found: [["LW-FILE-EXTENDS-CYCLE", 3, 10, "base.yaml"]],
    fixes: ["delete this `extends`, or extend a file outside the circle"],
  },
  {
    name: "a log where a folder is",
    spec: "strategy: direct\nsinks: [{ journal: { path: logs } }]\n",
    files: { "logs/one.jsonl": "" },
    found: [["LW-FILE-UNWRITABLE", 5, 28]],
    fixes: ['write `path: "logs/NAME.jsonl"`'],
  },
  {
    name: "dead letters where a folder is",
    spec: "strategy: direct\noutput: { fields: { a: string }, deadLetter: letters }\n",
    files: { "letters/one.jsonl": "" },
    found: [["LW-FILE-UNWRITABLE", 5, 46]],
    fixes: ['write `deadLetter: "letters/NAME.jsonl"`'],
  },
  {
    name: "a data file that is no JSON",
    spec: 'strategy:\n  - direct: { examples: "${file:examples.json}" }\n',
    files: { "examples.json": '[{ "task": "Why?", "answer": "Because.", }]' },
    found: [["LW-FILE-FORMAT", 1, 42, "examples.json"]],
    fixes: ["mend it there: JSON wants double quotes, and no comma after the last item"],
  },
];
