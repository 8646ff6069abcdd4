import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { parseReact } from "./parse-react.ts";

interface Line {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly expected?: object;
  readonly expectError?: true;
  readonly finishReason?: string;
}

function linesOf(file: string): readonly Line[] {
  const url = new URL(`../../../../fixtures/malformed/${file}`, import.meta.url);
  return readFileSync(url, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

interface Score {
  readonly right: string[];
  readonly wrong: string[];
  readonly nothing: string[];
  readonly caught: string[];
  readonly falseValue: string[];
}

function scoreOf(lines: readonly Line[]): Score {
  const score: Score = { right: [], wrong: [], nothing: [], caught: [], falseValue: [] };
  for (const line of lines) {
    const { finishReason } = line;
    const read = parseReact(line.input, finishReason === undefined ? {} : { finishReason });
    if (line.expected === undefined) (read.ok ? score.falseValue : score.caught).push(line.id);
    else if (!read.ok) score.nothing.push(line.id);
    else {
      const { thought, action, input, finalAnswer } = read;
      const isRight = isDeepStrictEqual({ thought, action, input, finalAnswer }, line.expected);
      (isRight ? score.right : score.wrong).push(line.id);
    }
  }
  return score;
}

describe.each([
  ["the published shapes", "react.jsonl", 119, 20],
  ["further instances of the same kinds", "own-react.jsonl", 109, 27],
])("a ReAct text: %s", (_name, file, values, errors) => {
  const lines = linesOf(file);
  const score = scoreOf(lines);

  it("is read right in at least 92 of 100 cases", () => {
    expect(lines.filter(({ expected }) => expected !== undefined)).toHaveLength(values);
    expect(score.right.length / values).toBeGreaterThanOrEqual(0.92);
  });

  it("is never read wrong", () => {
    expect(score.wrong).toEqual([]);
  });

  it("gives a failure where no value is right", () => {
    expect(lines.filter(({ expectError }) => expectError === true)).toHaveLength(errors);
    expect(score.falseValue).toEqual([]);
  });
});
