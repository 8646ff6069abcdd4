import { DIAGNOSTIC_CODES, type Diagnostic } from "@loopwright/core";
import { commandVersion } from "../command-version.ts";
import { type CheckedSpec, findingsOf, fullMessage, isInFile } from "./checked-spec.ts";

const CODES = Object.keys(DIAGNOSTIC_CODES);

/** The findings as a SARIF 2.1.0 log, with every code as a rule. */
export function sarif(checked: readonly CheckedSpec[]): string {
  const rules = Object.entries(DIAGNOSTIC_CODES).map(([id, text]) => ({
    id,
    shortDescription: { text },
  }));
  const driver = { name: "loopwright", version: commandVersion(), rules };
  const results = findingsOf(checked).map(resultOf);
  const log = {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, columnKind: "utf16CodeUnits", results }],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf(found: Diagnostic): object {
  return {
    ruleId: found.code,
    ruleIndex: CODES.indexOf(found.code),
    level: found.severity,
    message: { text: fullMessage(found) },
    locations: [isInFile(found) ? fileLocation(found) : logicalLocation(found.file)],
  };
}

function fileLocation({ file, line, column, endColumn, path }: Diagnostic): object {
  const region = { startLine: line, startColumn: column, ...(endColumn && { endColumn }) };
  return {
    physicalLocation: { artifactLocation: { uri: uriOf(file) }, region },
    ...(path === "" ? {} : logicalLocation(path)),
  };
}

function logicalLocation(name: string): object {
  return { logicalLocations: [{ fullyQualifiedName: name }] };
}

/** A relative path as a relative URI; a colon in its first part would read as a scheme. */
function uriOf(file: string): string {
  const uri = file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/");
  return uri.replaceAll("%2B", "+").replaceAll("%40", "@");
}
