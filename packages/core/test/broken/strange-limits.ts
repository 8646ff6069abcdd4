import type { DiagnosticCode } from "../../src/spec/text/diagnostic-codes.ts";
import type { BrokenCase } from "./broken-case.ts";

const WHOLE = "write a whole number, like 2000, 200k or 2M";
const DURATION = "write a number and one of ms, s, m, h, d, like 500ms or 2m";

/** What is written under one key of `limits`, and what is said of it. */
type Strange = readonly [key: string, value: string, code: DiagnosticCode, fix: string];

const everywhere: readonly Strange[] = [
  ["toolCalls", "-1", "LW-VALUE-COUNT", WHOLE],
  ["toolCalls", "0.5", "LW-VALUE-COUNT", WHOLE],
  ["toolCalls", "NaN", "LW-VALUE-COUNT", WHOLE],
  ["toolCalls", "Infinity", "LW-VALUE-COUNT", WHOLE],
  ["toolCalls", '"1e3"', "LW-VALUE-COUNT", WHOLE],
  [
    "toolCalls",
    ".nan",
    "LW-YAML-NUMBER",
    'write it as a decimal number, or quote it if it is text: ".nan"',
  ],
  [
    "toolCalls",
    "1e999",
    "LW-YAML-NUMBER",
    'write it as a decimal number, or quote it if it is text: "1e999"',
  ],
  [
    "toolCalls",
    "99999999999999999999",
    "LW-YAML-NUMBER",
    'quote it if it is text: "99999999999999999999"',
  ],
  ["time", "0s", "LW-VALUE-RANGE", "write more than 0, like `time: 5s`"],
  ["time", "-1s", "LW-VALUE-DURATION", DURATION],
  ["workTime", "0ms", "LW-VALUE-RANGE", "write more than 0, like `workTime: 5s`"],
  ["workTime", "NaN", "LW-VALUE-DURATION", DURATION],
  ["time", "5", "LW-VALUE-DURATION", "write `time: 5s`"],
];

const ofModels: readonly Strange[] = [
  ["modelCalls", "-1", "LW-VALUE-COUNT", WHOLE],
  ["modelCalls", "0.5", "LW-VALUE-COUNT", WHOLE],
  ["modelCalls", "NaN", "LW-VALUE-COUNT", WHOLE],
  ["tokens", "-1", "LW-VALUE-COUNT", WHOLE],
  ["tokens", "Infinity", "LW-VALUE-COUNT", WHOLE],
  ["usd", "0", "LW-VALUE-RANGE", "write more than 0"],
  ["usd", "-0.5", "LW-VALUE-RANGE", "write more than 0"],
  ["usd", "NaN", "LW-VALUE-NUMBER-EXPECTED", "write a number, like `usd: 3`"],
  ["usd", '"1e3"', "LW-VALUE-NUMBER-EXPECTED", "write `usd: 1000`"],
];

const ofTools: readonly Strange[] = [
  ["toolCalls", "0", "LW-VALUE-RANGE", "write `toolCalls: 1` or more"],
];

/** Where limits stand: the lines before the one that ends in them, and how that one begins. */
const levels: readonly {
  readonly name: string;
  readonly strange: readonly Strange[];
  readonly before: string;
  readonly start: string;
  readonly end: string;
}[] = [
  {
    name: "the run",
    strange: [...everywhere, ...ofModels],
    before: "strategy: direct\n",
    start: "limits: { ",
    end: " }",
  },
  {
    name: "a stage",
    strange: [...everywhere, ...ofModels],
    before: "tools: [calculator]\n",
    start: "strategy: { react: { limits: { ",
    end: " } } }",
  },
  {
    name: "a switch",
    strange: [...everywhere, ...ofModels],
    before: "strategy: direct\n",
    start: "switches: { calm: { limits: { ",
    end: " } } }",
  },
  {
    name: "a tool",
    strange: [...everywhere, ...ofTools],
    before: "strategy: react\n",
    start: "tools: { calculator: { limits: { ",
    end: " } } }",
  },
  {
    name: "every tool",
    strange: [...everywhere, ...ofTools],
    before: "strategy: react\ntools: [calculator]\n",
    start: "toolPolicy: { limits: { ",
    end: " } }",
  },
  {
    name: "a tool in one stage",
    strange: [...everywhere, ...ofTools],
    before: "tools: [calculator]\n",
    start: "strategy: { react: { tools: { calculator: { limits: { ",
    end: " } } } } }",
  },
];

/** The head that every case gets takes three lines. */
const headLines = 3;

/** Limits that no limit can be, at every place where limits stand. */
export const cases: readonly BrokenCase[] = levels.flatMap(
  ({ name, strange, before, start, end }) =>
    strange.map(([key, value, code, fix]): BrokenCase => {
      const text = `${start}${key}: `;
      const line = headLines + before.split("\n").length;
      return {
        name: `${key} ${value} of ${name}`,
        spec: `${before}${text}${value}${end}\n`,
        found: [[code, line, text.length + 1]],
        fixes: [fix],
      };
    }),
);
