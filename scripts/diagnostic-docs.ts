import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  DIAGNOSTIC_CODES,
  type DiagnosticCode,
} from "../packages/core/src/spec/text/diagnostic-codes.ts";
import { DIAGNOSTIC_EXAMPLES } from "../packages/core/src/spec/text/diagnostic-examples.ts";

const committed = new URL("../docs/diagnostics.md", import.meta.url);

const TITLES: Readonly<Record<string, string>> = {
  "LW-FILE": "Files",
  "LW-YAML": "YAML",
  "LW-VALUE": "Values",
  "LW-SUBST": "Substitution",
  "LW-TEMPLATE": "Templates",
  "LW-EXPR": "Expressions",
  "LW-SPEC": "The spec as a whole",
  "LW-STAGE": "Stages",
  "LW-PLUGIN": "Plugins",
  "LW-AGENT": "Agents inside agents",
  "LW-FLOW": "Who reads what",
  "LW-LIMIT": "Bounds and limits",
  "LW-MODEL": "Models",
  "LW-PROMPT": "Prompts",
  "LW-TOOL": "Tools",
};

/** Writes every diagnostic code with its explanation and examples. */
export function renderDiagnosticDocs(): string {
  const codes = Object.keys(DIAGNOSTIC_CODES) as DiagnosticCode[];
  const stray = codes.filter((code) => TITLES[prefixOf(code)] === undefined);
  if (stray.length > 0) throw new Error(`diagnostic-docs.ts has no title for ${stray.join(", ")}`);
  const sections = Object.entries(TITLES).map(([prefix, title]) => {
    const own = codes.filter((code) => prefixOf(code) === prefix);
    return `## ${title}\n\n${own.map(entryOf).join("\n\n")}`;
  });
  return `${HEAD}\n\n${sections.join("\n\n")}\n`;
}

function prefixOf(code: string): string {
  return code.split("-", 2).join("-");
}

function entryOf(code: DiagnosticCode): string {
  const { why, wrong, right } = DIAGNOSTIC_EXAMPLES[code];
  // What is fenced as `yaml` is tested as a spec without errors.
  const examples = [fence("yml", wrong), "Right:", fence("yaml", right)];
  return [`### ${code}`, DIAGNOSTIC_CODES[code], why, "Wrong:", ...examples].join("\n\n");
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

const HEAD = `# Diagnostics

Everything that \`loopwright check\` can find. \`loopwright check --explain CODE\` prints one of them. Examples leave out what does not matter to them, such as \`name\`. \`npm run docs:diagnostics\` writes this file from the tables of core; a test compares it.`;

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(committed, renderDiagnosticDocs());
