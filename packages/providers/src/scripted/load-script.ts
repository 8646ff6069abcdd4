import { type FileFault, ProviderError } from "@loopwright/core/plugin";
import { inspectFile } from "../shared/inspect-file.ts";
import { readText } from "../shared/read-text.ts";
import { readScript } from "./read-script.ts";
import type { Script } from "./script.ts";

/** Of what is not told one by one. */
const REPAIR = "mend what is told of it first";

/** Reads a script from a YAML, JSON or JSON Lines file, packed with gzip or not. */
export async function loadScript(file: string): Promise<Script> {
  const read = readScript(await readText(file, "scripted"), file);
  if ("script" in read) return read.script;
  const [{ message, line, repair = REPAIR }] = read.faults;
  const at = line === undefined ? "" : ` in line ${line}`;
  throw new ProviderError(
    "provider-failed",
    `The script ${file} is broken${at}: ${message}. ${sentence(repair)}`,
    { details: { file, ...(line === undefined ? {} : { line }) } },
  );
}

function sentence(text: string): string {
  const begun = text.replace(/^./u, (first) => first.toUpperCase());
  return begun.endsWith("?") ? begun : `${begun}.`;
}

/** What is wrong in the file of a script. */
export function inspectScript(file: string): readonly FileFault[] {
  const faultsOf = (text: string) => {
    const read = readScript(text, file);
    return "script" in read ? [] : read.faults;
  };
  return inspectFile(file, faultsOf, REPAIR);
}
