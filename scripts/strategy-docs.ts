import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type { StrategyDefinition } from "../packages/core/src/plugin.ts";
import { optionRows } from "./option-lines.ts";
import { builtInPlugins, papersOf } from "./plugin-docs.ts";
import { repositoryRoot, textOf, treeOf } from "./source-files.ts";
import { callLines, plainOptions } from "./strategy-calls.ts";

/** A page of `docs/strategies`: what is committed, and what it has to be. */
export interface StrategyPage {
  readonly id: string;
  readonly file: string;
  /** With the generated parts as the definitions say, and a skeleton where there is no page. */
  readonly text: string;
}

/** The sections that people write, in their order. */
export const WRITTEN_SECTIONS = [
  "What it does",
  "When it helps, and when it hurts",
  "Calls",
  "Paper",
  "Known failure",
  "A spec that runs",
] as const;

/** What a skeleton has in the place of words. */
export const UNWRITTEN = "(to be written)";

const FOLDER = "docs/strategies";
const END = "<!-- end of the generated part -->";

interface Described {
  readonly definition: StrategyDefinition;
  readonly file: string;
}

/** Every page of `docs/strategies`, the index included, with its generated parts fresh. */
export async function renderStrategyPages(): Promise<readonly StrategyPage[]> {
  const plugins = await builtInPlugins();
  const strategies = plugins.flatMap(({ definition, file }) =>
    definition.kind === "strategy" ? [{ definition, file }] : [],
  );
  return [indexOf(strategies), ...strategies.map(pageOf)];
}

function pageOf({ definition, file: source }: Described): StrategyPage {
  const { id } = definition;
  const file = `${FOLDER}/${id}.md`;
  const spec = `specs/strategies/${id}.yaml`;
  const before = existsSync(join(repositoryRoot, file)) ? textOf(file) : skeletonOf(id);
  const parts = { definition: definitionPart({ definition, file: source }), spec: specPart(spec) };
  return { id, file, text: refreshed(before, parts, file) };
}

function indexOf(strategies: readonly Described[]): StrategyPage {
  const file = `${FOLDER}/README.md`;
  const before = existsSync(join(repositoryRoot, file)) ? textOf(file) : INDEX_SKELETON;
  const lines = strategies.map(
    ({ definition: { id, description } }) => `- [\`${id}\`](${id}.md): ${description}`,
  );
  return { id: "index", file, text: refreshed(before, { list: lines.join("\n") }, file) };
}

function start(part: string): string {
  return `<!-- generated: ${part} (npm run docs:plugins) -->`;
}

/** The page with its generated parts renewed; what stands outside of the markers stays. */
function refreshed(page: string, parts: Readonly<Record<string, string>>, file: string): string {
  return Object.entries(parts).reduce((text, [name, content]) => {
    const from = text.indexOf(start(name));
    const to = text.indexOf(END, from);
    if (from < 0 || to < 0) throw new Error(`${file} has no markers for the part \`${name}\``);
    return `${text.slice(0, from)}${start(name)}\n\n${content}\n\n${text.slice(to)}`;
  }, page);
}

function definitionPart({ definition, file }: Described): string {
  const { told } = plainOptions(definition);
  const calls = callLines(definition).map((line) => `- ${line}`);
  return [
    definition.description,
    docCommentOf(file, definition.id),
    optionTable(definition),
    slotLines(definition),
    voiceLine(definition),
    flowLine(definition),
    `**Calls** with default options${told.length === 0 ? "" : ` and ${told.join(", ")}`}:\n\n${calls.join("\n")}`,
    paperLine(file),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function optionTable({ options }: StrategyDefinition): string {
  const rows = optionRows(options).map(({ name, type, need, description }) =>
    row([`\`${name}\``, type, need?.replace(/^default /, "") ?? "none", description]),
  );
  if (rows.length === 0) return "**Options**: none.";
  return [
    row(["option", "type", "default", "meaning"]),
    row(["---", "---", "---", "---"]),
    ...rows,
  ].join("\n");
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function slotLines({ slots }: StrategyDefinition): string {
  const lines = Object.entries(slots).map(
    ([name, { description, optional }]) =>
      `- \`${name}\` (${optional ? "optional" : "required"}): ${description}`,
  );
  return lines.length === 0 ? "" : `**Slots**:\n\n${lines.join("\n")}`;
}

function voiceLine({ voices, promptNames = {} }: StrategyDefinition): string {
  const spoken = voices.length === 0 ? Object.keys(promptNames) : voices;
  if (spoken.length === 0) return "";
  const told = spoken.map((voice) => {
    const names = promptNames[voice] ?? [];
    const seen = names.map((name) => `\`{{ ${name} }}\``).join(", ");
    return `\`${voice}\`${names.length === 0 ? "" : ` (a \`prompt\` sees ${seen})`}`;
  });
  return `**Voices**, each with a \`model\` and a \`prompt\` of its own where a spec says so: ${told.join(", ")}.`;
}

function flowLine(definition: StrategyDefinition): string {
  const { needs, uses, sets, maySet, stops } = definition.flow(
    plainOptions(definition).values as never,
    [],
  );
  const told = [
    fieldsLine("needs", needs),
    fieldsLine("reads", uses),
    fieldsLine("writes", sets),
    fieldsLine("may write", maySet),
    stops === undefined ? "" : stops === "always" ? "ends the run" : "may end the run",
  ].filter((part) => part !== "");
  const nothing =
    Object.keys(definition.slots).length === 0
      ? "reads and writes no field"
      : "reads and writes what its children do";
  return `**State**: ${told.length === 0 ? nothing : told.join("; ")}.`;
}

function fieldsLine(verb: string, fields: readonly string[] = []): string {
  return fields.length === 0 ? "" : `${verb} ${fields.map((name) => `\`${name}\``).join(", ")}`;
}

function paperLine(file: string): string {
  const papers = papersOf(file)
    .split("; ")
    .filter((paper) => paper !== "")
    .map((paper) => {
      const number = /arXiv:([\d.]+)/.exec(paper)?.[1];
      return number === undefined ? paper : `[${paper}](https://arxiv.org/abs/${number})`;
    });
  return papers.length === 0 ? "" : `**Papers**: ${papers.join("; ")}.`;
}

/** The words above the definition in its source: when to choose it, and where it leaves its paper. */
function docCommentOf(file: string, id: string): string {
  const declared = treeOf(file).statements.find(
    (statement) => ts.isVariableStatement(statement) && statement.getText().includes(`id: "${id}"`),
  );
  const [comment] = declared === undefined ? [] : ts.getJSDocCommentsAndTags(declared);
  return (comment?.getText() ?? "")
    .replace(/^\/\*\*(?:\s*\n\s*\*)?\s*/, "")
    .replace(/\s*\*\/$/, "")
    .split(/\n\s*\*[ \t]*\n\s*\*\s?/)
    .map((paragraph) => `> ${paragraph.replaceAll(/\n\s*\*\s?/g, " ").trim()}`)
    .join("\n>\n");
}

function specPart(file: string): string {
  if (!existsSync(join(repositoryRoot, file))) return UNWRITTEN;
  return `\`loopwright run ${file}\`\n\n\`\`\`yaml\n${textOf(file)}\`\`\``;
}

function skeletonOf(id: string): string {
  const sections = WRITTEN_SECTIONS.map((title) => `## ${title}\n\n${UNWRITTEN}`);
  const parts = [start("definition"), END].join("\n");
  const spec = [start("spec"), END].join("\n");
  return [`# \`${id}\``, parts, ...sections, `${spec}\n`].join("\n\n");
}

const INDEX_SKELETON = `# Strategies\n\n${start("list")}\n${END}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(join(repositoryRoot, FOLDER), { recursive: true });
  for (const { file, text } of await renderStrategyPages())
    writeFileSync(join(repositoryRoot, file), text);
}
