import { DIAGNOSTIC_CODES, type DiagnosticCode, loadDiagnosticExamples } from "@loopwright/core";
import { usageError } from "./command-error.ts";
import { nearestName } from "./nearest-name.ts";

/** What `check --explain` prints about a code, in any case and with or without its `LW-`. */
export async function explanationText(said: string): Promise<string> {
  const code = codeOf(said);
  const { why, wrong, right } = (await loadDiagnosticExamples())[code];
  const summary = `${code}: ${DIAGNOSTIC_CODES[code]}`;
  return `${summary}\n\n${folded(why)}\n\nwrong\n${indented(wrong)}\n\nright\n${indented(right)}\n`;
}

function codeOf(said: string): DiagnosticCode {
  const upper = said.trim().toUpperCase().replaceAll("_", "-");
  const wanted = upper.startsWith("LW-") ? upper : `LW-${upper}`;
  if (isCode(wanted)) return wanted;
  const near = nearestName(wanted, Object.keys(DIAGNOSTIC_CODES));
  const hint = near === undefined ? "docs/diagnostics.md lists all" : `did you mean ${near}?`;
  throw usageError(`there is no code ${said}; ${hint}`);
}

function isCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(DIAGNOSTIC_CODES, text);
}

function indented(text: string): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => (line === "" ? "" : `  ${line}`))
    .join("\n");
}

const COLUMNS = 80;

function folded(text: string): string {
  const lines = [""];
  for (const word of text.split(/\s+/u)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > COLUMNS) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines.join("\n");
}
