import type { Diagnostic } from "@loopwright/core";
import { type CheckedSpec, findingsOf, fullMessage, isInFile } from "./checked-spec.ts";

/** The findings as commands of a GitHub workflow, which shows them beside the lines of a change. */
export function githubAnnotations(checked: readonly CheckedSpec[]): string {
  return findingsOf(checked)
    .map(
      (found) => `::${found.severity} ${propertiesOf(found)}::${escapeData(fullMessage(found))}\n`,
    )
    .join("");
}

function propertiesOf(found: Diagnostic): string {
  const { file, line, column, endColumn, code } = found;
  const place = { file: file.replaceAll("\\", "/"), line, endLine: line, col: column, endColumn };
  const properties = { ...(isInFile(found) ? place : {}), title: code };
  return Object.entries(properties)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
    .join(",");
}

/** A line break would begin another command. */
function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
