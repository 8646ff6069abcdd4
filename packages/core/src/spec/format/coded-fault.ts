import { Diagnostics } from "../text/diagnostic.ts";
import type { TextFault } from "../text/load-plain.ts";
import { parseYaml } from "../text/parse-yaml.ts";
import { sourceFromText } from "../text/read-source.ts";

/** Why a spec can't be written in another form; with a code where `check` tells the same. */
export interface SpecTextFault extends TextFault {
  readonly code?: string;
  /** The first column after what is meant. */
  readonly endColumn?: number;
}

/** The first fault of a text that can't be read, with what `check` says of it beside the message. */
export function codedFault(text: string, fault: TextFault): SpecTextFault {
  const diagnostics = new Diagnostics();
  parseYaml(sourceFromText(text, "spec"), diagnostics);
  const first = diagnostics.sorted()[0];
  if (first === undefined) return fault;
  const { code, endColumn } = first;
  return { ...fault, code, ...(endColumn === undefined ? {} : { endColumn }) };
}
