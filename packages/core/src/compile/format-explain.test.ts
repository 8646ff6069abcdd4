import { describe, expect, it } from "vitest";
import { programOf } from "../../test/stub-plugins.ts";
import { explainProgram } from "./explain.ts";
import { formatExplain } from "./format-explain.ts";

const head =
  "apiVersion: loopwright/v1\nname: drawn\nmodel: { use: ollama/small, temperature: 0.7 }\ntools: [calculator]\nstrategy:\n";

/** The lines of the tree, without numbers and details. */
async function drawn(strategy: string, columns = 100): Promise<readonly string[]> {
  const text = formatExplain(explainProgram(await programOf(head + strategy)), columns);
  const table = text
    .slice(text.indexOf("\nstage "), text.indexOf("\nIn all:"))
    .split("\n")
    .slice(2);
  return table
    .filter((line) => line !== "" && !/^[ │]*(?:model|reads|writes|when) /.test(line))
    .map((line) => line.replace(/ {2,}\d.*$/, ""));
}

describe("the tree of stages", () => {
  it("says of every stage in which slot it stands, and in which order", async () => {
    expect(
      await drawn(`  - plan
  - parallel:
      branches:
        left:
          - loop: { maxRounds: 2, until: answer.solvable, do: [direct, { verify: { maxRounds: 1, revise: refine } }] }
          - reflect
        right: plan
      combine: direct
  - verify: { maxRounds: 1, revise: [refine, { direct: { id: more } }] }
`),
    ).toEqual([
      "plan",
      "parallel",
      " ├ branches.left[0]: loop",
      " │ ├ do[0]: direct",
      " │ └ do[1]: verify",
      " │   └ revise: refine",
      " ├ branches.left[1]: reflect",
      " ├ branches.right: plan-2 (plan)",
      " └ combine: direct-2 (direct)",
      "verify-2 (verify)",
      " ├ revise[0]: refine-2 (refine)",
      " └ revise[1]: more (direct)",
    ]);
  });

  it("goes on beside the numbers of a stage whose name fills the line", async () => {
    const lines = await drawn(
      `  - parallel: { branches: { a-very-long-name-of-a-branch: { plan-and-solve: { do: react } }, other: reflect } }\n`,
      60,
    );
    expect(lines.slice(0, 4)).toEqual([
      "parallel",
      " ├ branches.a-very-long-name-of-a-branch: plan-and-solve",
      " │",
      " │ └ do: react",
    ]);
  });

  it("puts the numbers on a line of their own where they would be cut", async () => {
    const spec = "  - parallel: { branches: { left: { react: { maxSteps: 7 } }, right: plan } }\n";
    const text = formatExplain(explainProgram(await programOf(head + spec)), 40);
    const lines = text.slice(text.indexOf("\nstages\n")).split("\n").slice(1, 8);
    expect(lines).toEqual([
      "stages",
      "parallel",
      "    2 to 16 model calls",
      "    0 to 24 tool calls",
      " ├ branches.left: react",
      " │     1 to 14 model calls",
      " │     0 to 24 tool calls",
    ]);
    expect(text.split("\n").every((line) => line.length <= 40)).toBe(true);
  });
});
