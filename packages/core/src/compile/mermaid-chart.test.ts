import { expect, test } from "vitest";
import { programOf } from "../../test/stub-plugins.ts";
import { explainProgram } from "./explain.ts";
import { mermaidChart } from "./mermaid-chart.ts";

const head = "apiVersion: loopwright/v1\nname: x\nmodel: ollama/small\ntools: [calculator]\n";

async function chartOf(strategy: string): Promise<readonly string[]> {
  return mermaidChart(explainProgram(await programOf(`${head}strategy: ${strategy}\n`)))
    .trimEnd()
    .split("\n")
    .map((line) => line.trim());
}

test("draws a sequence with its guards on the edges, and the way around", async () => {
  const lines = await chartOf(
    `[direct, { direct: { id: second, when: 'answer.text == "a|b"' } }, { direct: { id: third } }]`,
  );
  expect(lines.filter((line) => line.includes("-->"))).toEqual([
    "start --> s0",
    's0 -->|"when answer.text == #quot;a#124;b#quot;"| s1',
    "s1 --> s2",
    's0 -->|"else"| s2',
    "s2 --> done",
  ]);
});

test("draws children in the box of their parent, each slot named", async () => {
  const lines = await chartOf("{ plan-and-solve: { do: { react: { maxSteps: 3 } } } }");
  expect(lines).toEqual([
    "flowchart TD",
    'start(["x"])',
    'subgraph s0box["plan-and-solve"]',
    expect.stringMatching(
      /^s0\["plan-and-solve<br\/>ollama\/small<br\/>at most \d+ model calls, 8 tool calls"\]$/u,
    ),
    expect.stringMatching(/^s1\["react<br\/>/u),
    's0 -->|"do"| s1',
    "end",
    "start --> s0box",
    'done(["answer"])',
    "s0box --> done",
  ]);
});

test("writes every line as Mermaid reads it, whatever a guard holds", async () => {
  const wild = String.raw`'answer.text == "]) --> end; %% #x \"<b>\" \u0060"'`;
  const node = /^\w+(?:\["[^"]*"\]|\(\["[^"]*"\]\))$/u;
  const edge = /^\w+ -->(?:\|"[^"|]*"\|)? \w+$/u;
  const box = /^(?:subgraph \w+\["[^"]*"\]|end|flowchart TD)$/u;
  const lines = await chartOf(`[direct, { direct: { id: b, when: ${wild} } }]`);
  const isRead = (line: string): boolean => [node, edge, box].some((form) => form.test(line));
  expect(lines.filter((line) => !isRead(line))).toEqual([]);
  expect(lines.length).toBeGreaterThan(5);
});
