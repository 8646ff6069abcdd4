import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import type {
  PluginDefinition,
  PluginEntry,
  StrategyDefinition,
} from "../packages/core/src/plugin.ts";
import { builtIn } from "../packages/testkit/src/specs/example-specs.ts";
import { optionLines } from "./option-lines.ts";
import { repositoryRoot, treeOf } from "./source-files.ts";

/** The committed document. */
export const pluginDocsFile: string = fileURLToPath(new URL("../docs/plugins.md", import.meta.url));

/** A built-in plugin with its file, from the root. */
export interface BuiltInPlugin {
  readonly entry: PluginEntry;
  readonly file: string;
  readonly definition: PluginDefinition;
}

type Row = readonly string[];

const TITLES = {
  strategy: "Strategies",
  provider: "Providers",
  tool: "Tools",
  check: "Checks",
  sink: "Sinks",
  memory: "Memories",
  service: "Services",
} as const;

/** Loads every built-in plugin, in the order of its package. */
export async function builtInPlugins(): Promise<readonly BuiltInPlugin[]> {
  const loading = builtIn.flatMap(({ name, entries }) =>
    entries.map(async (entry) => {
      const folder = name.replace("@loopwright/", "packages/");
      return { entry, file: fileOf(folder, entry.id), definition: await entry.load() };
    }),
  );
  return Promise.all(loading);
}

/** Writes the tables of all built-in plugins from their definitions. */
export async function renderPluginDocs(): Promise<string> {
  const plugins = await builtInPlugins();
  const sections = Object.entries(TITLES).map(([kind, title]) => {
    const own = plugins.filter(({ entry }) => entry.kind === kind);
    return `## ${title}\n\n${table(own)}`;
  });
  return `${HEAD}\n\n${sections.join("\n\n")}\n`;
}

/** A plugin is one file that is named for its id; control strategies have a folder of their own. */
function fileOf(folder: string, id: string): string {
  const name = id.slice(id.lastIndexOf("/") + 1);
  const places = [`${folder}/src/${name}.ts`, `${folder}/src/control/${name}.ts`];
  return places.find((place) => existsSync(join(repositoryRoot, place))) ?? places[0] ?? id;
}

function table(plugins: readonly BuiltInPlugin[]): string {
  const head = ["Id", "What it does", "Options", ...extraHead(plugins)];
  const rows = plugins.map((plugin) => [
    [plugin.entry.id, ...(plugin.entry.profiles ?? [])].map((id) => `\`${id}\``).join(", "),
    purposeOf(plugin.definition),
    "options" in plugin.definition ? optionLines(plugin.definition.options).join("<br>") : "",
    ...extraCells(plugin),
  ]);
  return [head, head.map(() => "---"), ...rows].map(line).join("\n");
}

function line(cells: Row): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

/** A tool's description is a manual; its first sentence is the purpose. */
function purposeOf(definition: PluginDefinition): string {
  if (!("description" in definition)) return "";
  const { description } = definition;
  return definition.kind === "tool"
    ? (description.split(/(?<=\.)\s/, 1)[0] ?? description)
    : description;
}

function extraHead(plugins: readonly BuiltInPlugin[]): Row {
  switch (plugins[0]?.entry.kind) {
    case "strategy":
      return ["Slots", "Voices", "Paper"];
    case "tool":
      return ["Effect"];
    case "check":
      return ["Needs", "Paper"];
    default:
      return [];
  }
}

function extraCells({ definition, file }: BuiltInPlugin): Row {
  switch (definition.kind) {
    case "strategy":
      return [slotLines(definition), definition.voices.map(code).join(", "), papersOf(file)];
    case "tool":
      return [definition.effect];
    case "check":
      return [definition.requires ?? "", papersOf(file)];
    default:
      return [];
  }
}

function slotLines({ slots }: StrategyDefinition): string {
  return Object.entries(slots)
    .map(([name, { description, optional }]) => {
      const need = optional ? "" : " (required)";
      return `\`${name}\`${need}: ${description}`;
    })
    .join("<br>");
}

function code(text: string): string {
  return `\`${text}\``;
}

/** The papers that the doc comments of a file name, each with its number at arXiv where one is given. */
export function papersOf(file: string): string {
  const text = treeOf(file)
    .statements.flatMap((statement) => ts.getJSDocCommentsAndTags(statement))
    .map((comment) => comment.getText().replaceAll(/\n\s*\*\s?/g, " "))
    .join(" ");
  const papers = text.match(/[A-Z][\p{L}-]+ et al\. \d{4}(?:,? \(?arXiv:[\d.]*\d)?/gu) ?? [];
  return [...new Set(papers)].map((paper) => paper.replace(/,? \(?arXiv:/, ", arXiv:")).join("; ");
}

const HEAD = `# Built-in plugins

What a spec can name. \`npm run docs:plugins\` writes this file from the definitions; a test compares it.`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(pluginDocsFile, await renderPluginDocs());
