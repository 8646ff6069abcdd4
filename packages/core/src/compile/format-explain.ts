import type { Range } from "../contracts/bounds.ts";
import { countText } from "./count-text.ts";
import { durationText } from "../spec/text/duration-text.ts";
import { explainModelLine } from "./explain-model-line.ts";
import { explainToolLine } from "./explain-tool-line.ts";
import type { ExplainedStage, ExplainTree } from "./explain-tree.ts";
import type { Limits } from "../program/program.ts";

/** Prints what a program will do and what it may cost, no line wider than the terminal. */
export function formatExplain(tree: ExplainTree, columns: number): string {
  const rows = tree.stages.flatMap((stage, index) =>
    rowsOf(stage, "", index === tree.stages.length - 1, ""),
  );
  const lines = [
    ...wrapped(
      `${tree.name}${tree.version === "" ? "" : ` ${tree.version}`}${tree.dryRun ? " (dry run)" : ""}${tree.overlays.length === 0 ? "" : ` with overlay ${tree.overlays.join(", ")}`}`,
      "",
      columns,
    ),
    ...wrapped(tree.description, "", columns),
    "",
    ...stageTable(rows, columns),
    "",
    ...wrapped(totalsOf(tree), "", columns),
    ...wrapped(attemptsOf(tree), "", columns),
    ...wrapped(conclusionOf(tree), "", columns),
    ...section("Models", tree.models.map(explainModelLine), columns),
    ...section("Tools", tree.tools.map(explainToolLine), columns),
    ...section("Agents", tree.agents.map(agentLine), columns),
    ...section("Limits", limitLines(tree), columns),
    ...section("Price ceiling", [ceilingLine(tree)], columns),
    "",
    `hash ${tree.hash.slice(0, 16)}`,
  ];
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "").join("\n");
}

interface Row {
  readonly tree: string;
  readonly stage: ExplainedStage;
  readonly below: string;
}

function rowsOf(
  stage: ExplainedStage,
  lead: string,
  isLast: boolean,
  slot: string,
): readonly Row[] {
  const branch = lead === "" && slot === "" ? "" : isLast ? "└ " : "├ ";
  const below = lead + (branch === "" ? "" : isLast ? "  " : "│ ");
  const name = stage.id === stage.strategy ? stage.id : `${stage.id} (${stage.strategy})`;
  const children = Object.entries(stage.slots).flatMap(([key, stages]) =>
    stages.map((child, index) => ({ child, label: labelIn(key, index, stages.length) })),
  );
  return [
    { tree: `${lead}${branch}${slot}${name}`, stage, below },
    ...children.flatMap(({ child, label }, index) => {
      const isEnd = index === children.length - 1;
      return rowsOf(child, below === "" ? " " : below, isEnd, label);
    }),
  ];
}

/** The slot of a child; where several stages stand in it, the place among them, as paths say it. */
function labelIn(slot: string, index: number, count: number): string {
  return count === 1 ? `${slot}: ` : `${slot}[${index}]: `;
}

/** The widths of the three columns. */
interface Widths {
  readonly tree: number;
  readonly requests: number;
  readonly toolCalls: number;
}

/** Undefined where the terminal is too narrow to put the numbers beside the stages. */
function widthsFor(rows: readonly Row[], columns: number): Widths | undefined {
  const requests = Math.max(13, ...rows.map(({ stage }) => range(stage.requests).length));
  const toolCalls = Math.max(12, ...rows.map(({ stage }) => range(stage.toolCalls).length));
  const longest = Math.max(...rows.map((row) => row.tree.length), 5);
  const tree = Math.min(longest, Math.max(12, columns - requests - toolCalls - 9));
  return tree + requests + toolCalls + 4 > columns ? undefined : { tree, requests, toolCalls };
}

function stageTable(rows: readonly Row[], columns: number): readonly string[] {
  const widths = widthsFor(rows, columns);
  const head =
    widths === undefined ? "stages" : tableLine("stage", "model calls", "tool calls", widths);
  return [
    head,
    ...rows.flatMap((row) => [
      ...(widths === undefined ? narrowLines(row, columns) : wideLines(row, columns, widths)),
      ...detailsOf(row.stage).flatMap((detail) => wrapped(detail, `${row.below}    `, columns)),
    ]),
  ];
}

function wideLines(
  { tree, stage, below }: Row,
  columns: number,
  widths: Widths,
): readonly string[] {
  const isLong = tree.length > widths.tree;
  const [requests, toolCalls] = [range(stage.requests), range(stage.toolCalls)];
  const numbers = tableLine(isLong ? below : tree, requests, toolCalls, widths);
  return isLong ? [cut(tree, columns), numbers] : [numbers];
}

function narrowLines({ tree, stage, below }: Row, columns: number): readonly string[] {
  const numbers = [`${range(stage.requests)} model calls`, `${range(stage.toolCalls)} tool calls`];
  return [cut(tree, columns), ...numbers.flatMap((text) => wrapped(text, `${below}    `, columns))];
}

function tableLine(tree: string, requests: string, toolCalls: string, widths: Widths): string {
  const numbers = `${requests.padStart(widths.requests)}  ${toolCalls.padStart(widths.toolCalls)}`;
  return `${tree.padEnd(widths.tree)}  ${numbers}`;
}

function detailsOf(stage: ExplainedStage): readonly string[] {
  const models = Object.entries(stage.models);
  const [first] = models;
  const isOne = models.length === 1 && first?.[0] === "default";
  const speaks = stage.requests[1] > 0 || stage.noModel;
  const reads = [...stage.needs, ...stage.uses.map((field) => `${field}?`)];
  const writes = [...stage.sets, ...stage.maySet.map((field) => `${field}?`)];
  const parts = [
    stage.noModel
      ? "model none"
      : speaks && models.length > 0
        ? `model ${isOne ? (first?.[1] ?? "") : models.map(([voice, id]) => `${voice}=${id}`).join(" ")}`
        : "",
    agentText(stage),
    reads.length === 0 ? "" : `reads ${reads.join(" ")}`,
    writes.length === 0 ? "" : `writes ${writes.join(" ")}`,
    stage.tools.length === 0 ? "" : `tools ${stage.tools.join(" ")}`,
  ].filter((part) => part !== "");
  const guard = [
    stage.when === undefined ? "" : `when ${stage.when}`,
    stage.always ? "always, also after a failure" : "",
  ].filter((part) => part !== "");
  return [
    ...(guard.length === 0 ? [] : [guard.join("; ")]),
    ...(parts.length === 0 ? [] : [parts.join("; ")]),
  ];
}

function agentText({ agent }: ExplainedStage): string {
  if (agent === undefined) return "";
  const { name, models } = agent;
  return models.length === 0
    ? `agent ${name}, without a model`
    : `agent ${name} on ${models.join(", ")}`;
}

function totalsOf({ totals, limits, conclusion, reserve }: ExplainTree): string {
  const [least, most] = totals.requests;
  // A conclusion alone never passes the limit: it takes the place of another call, as `check` counts.
  const limit = limits.modelCalls ?? most;
  const requests: Range = [least, most - conclusion <= limit ? Math.min(most, limit) : most];
  const kept =
    reserve === 0 ? "" : `; ${countText(reserve)} of them kept for stages that always run`;
  return `In all: ${range(totals.generations)} generations, ${range(requests)} model calls with repairs and fallbacks, ${range(totals.toolCalls)} tool calls${kept}.`;
}

function attemptsOf({ totals, limits }: ExplainTree): string {
  const { attempts, requests } = totals;
  const tries = Math.min(attempts, limits.modelCalls ?? attempts);
  return tries <= requests[1]
    ? ""
    : `Model calls: up to ${countText(tries)} when calls fail and are tried again.`;
}

function conclusionOf({ conclusion }: ExplainTree): string {
  return conclusion === 0
    ? ""
    : `Conclusion: ${conclusion} of these model calls, only where a limit or a repeat ends the run.`;
}

function agentLine({ place, name, requests, toolCalls }: ExplainTree["agents"][number]): string {
  return `${place}: ${name}, ${range(requests)} model calls, ${range(toolCalls)} tool calls`;
}

function ceilingLine({ ceiling }: ExplainTree): string {
  const { usd, why } = ceiling;
  return usd === undefined ? `none: ${why}` : `${dollars(usd)} dollars (${why})`;
}

function limitLines({ limits, totals, conclusion }: ExplainTree): readonly string[] {
  const lines = Object.entries(limits satisfies Limits).map(([key, value]: [string, number]) =>
    limitLine(key, value, { ...totals, requests: totals.requests[1], conclusion }),
  );
  return lines.length === 0 ? ["none: only the bounds of the stages hold"] : lines;
}

interface Most {
  readonly requests: number;
  /** How many of the model calls are a conclusion, which never ends a run. */
  readonly conclusion: number;
  readonly toolCalls: Range;
}

function limitLine(key: string, value: number, totals: Most): string {
  const most =
    key === "modelCalls" ? totals.requests : key === "toolCalls" ? totals.toolCalls[1] : undefined;
  const note =
    most === undefined
      ? ""
      : most - (key === "modelCalls" ? totals.conclusion : 0) > value
        ? ` (worst case ${countText(most)}: it may end limited)`
        : ` (worst case ${countText(Math.min(most, value))})`;
  if (key === "usd") return `usd ${value.toFixed(2)}`;
  return key.endsWith("Ms")
    ? `${key.slice(0, -2)} ${durationText(value)}`
    : `${key} ${countText(value)}${note}`;
}

function section(title: string, items: readonly string[], columns: number): readonly string[] {
  return items.length === 0
    ? []
    : ["", title, ...items.flatMap((item) => wrapped(item, "  ", columns))];
}

function wrapped(text: string, indent: string, columns: number): readonly string[] {
  if (text === "") return [];
  const width = Math.max(20, columns - indent.length);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}

function cut(line: string, columns: number): string {
  return line.length <= columns ? line.trimEnd() : `${line.slice(0, Math.max(1, columns - 1))}…`;
}

function range([least, most]: Range): string {
  return least === most ? countText(most) : `${countText(least)} to ${countText(most)}`;
}

/** Small amounts keep the figures that tell them from nothing. */
function dollars(usd: number): string {
  return usd !== 0 && usd < 0.01 ? String(Number(usd.toPrecision(2))) : usd.toFixed(2);
}
