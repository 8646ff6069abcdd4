import type { ExplainedStage, ExplainTree } from "./explain-tree.ts";

/** Draws the stages of a program as a Mermaid flowchart: children in a box of their parent, guards and slots on the edges. */
export function mermaidChart(tree: ExplainTree): string {
  const chart: Chart = { count: 0, lines: [] };
  chart.lines.push("flowchart TD", `  start(["${escaped(tree.name)}"])`);
  const ends = drawSequence(tree.stages, [{ from: "start", label: "" }], chart, "  ");
  chart.lines.push('  done(["answer"])');
  connect(ends, "done", chart, "  ");
  return `${chart.lines.join("\n")}\n`;
}

interface Chart {
  count: number;
  readonly lines: string[];
}

/** An edge that waits for its target. */
interface OpenEdge {
  readonly from: string;
  readonly label: string;
}

function drawSequence(
  stages: readonly ExplainedStage[],
  entries: readonly OpenEdge[],
  chart: Chart,
  indent: string,
): readonly OpenEdge[] {
  let open = entries;
  for (const stage of stages) {
    const { when } = stage;
    const id = drawStage(stage, chart, indent);
    const guard = when === undefined ? "" : `when ${when}`;
    connect(
      open.map(({ from, label }) => ({ from, label: both(label, guard) })),
      id,
      chart,
      indent,
    );
    const skipped = open.map(({ from, label }) => ({ from, label: both(label, "else") }));
    open = [{ from: id, label: "" }, ...(when === undefined ? [] : skipped)];
  }
  return open;
}

/** Draws a stage and what it holds; returns the name by which edges reach it. */
function drawStage(stage: ExplainedStage, chart: Chart, indent: string): string {
  const own = `s${chart.count}`;
  chart.count += 1;
  const label = `"${labelOf(stage)}"`;
  const slots = Object.entries(stage.slots).filter(([, children]) => children.length > 0);
  if (slots.length === 0) {
    chart.lines.push(`${indent}${own}[${label}]`);
    return own;
  }
  const box = `${own}box`;
  chart.lines.push(`${indent}subgraph ${box}["${escaped(stage.id)}"]`);
  chart.lines.push(`${indent}  ${own}[${label}]`);
  for (const [slot, children] of slots)
    drawSequence(children, [{ from: own, label: slot }], chart, `${indent}  `);
  chart.lines.push(`${indent}end`);
  return box;
}

function connect(edges: readonly OpenEdge[], to: string, chart: Chart, indent: string): void {
  for (const { from, label } of edges) {
    const arrow = label === "" ? "-->" : `-->|"${escaped(label)}"|`;
    chart.lines.push(`${indent}${from} ${arrow} ${to}`);
  }
}

function both(first: string, second: string): string {
  return [first, second].filter((part) => part !== "").join(", ");
}

function labelOf({ id, strategy, requests, toolCalls, models, agent }: ExplainedStage): string {
  const name = id === strategy ? id : `${id} (${strategy})`;
  const [, most] = requests;
  const [, calls] = toolCalls;
  const cost = [
    most === 0 ? "" : `at most ${most} model call${most === 1 ? "" : "s"}`,
    calls === 0 ? "" : `${calls} tool call${calls === 1 ? "" : "s"}`,
  ].filter((part) => part !== "");
  const model = most === 0 ? "" : [...new Set(Object.values(models))].join(", ");
  const runs =
    agent === undefined
      ? ""
      : [`agent ${agent.name}`, agent.models.join(", ")].filter(Boolean).join(": ");
  const lines = [name, runs, model, cost.join(", ")].filter((line) => line !== "");
  return lines.map(escaped).join("<br/>");
}

/** Text inside a quoted label: Mermaid reads `#…;` as a character, and HTML as HTML. */
function escaped(text: string): string {
  const codes: Readonly<Record<string, string>> = {
    "#": "#35;",
    '"': "#quot;",
    "&": "#amp;",
    "<": "#lt;",
    ">": "#gt;",
    "`": "#96;",
    "\\": "#92;",
    "|": "#124;",
    ";": "#59;",
  };
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[#"&<>`\\|;]/gu, (character) => codes[character] ?? character);
}
