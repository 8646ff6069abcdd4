import type { Json } from "../../contracts/json.ts";
import { Diagnostics } from "./diagnostic.ts";
import { parseYaml } from "./parse-yaml.ts";
import { sourceFromText } from "./read-source.ts";
import { toJson } from "./spec-node.ts";

/** What a text cannot be read for, and where; lines and columns count from 1. */
export interface TextFault {
  readonly ok: false;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly suggestion?: string;
}

/** Loads a YAML text under the rules of the spec language as plain data, or tells its first fault. */
export function loadPlain(text: string): { readonly ok: true; readonly value: Json } | TextFault {
  const diagnostics = new Diagnostics();
  const node = parseYaml(sourceFromText(text, "spec"), diagnostics);
  if (node !== undefined) return { ok: true, value: toJson(node) };
  const first = diagnostics.sorted()[0];
  const { message = "the file can't be read", line = 1, column = 1, suggestion } = first ?? {};
  return textFault(message, line, column, suggestion);
}

/** Makes a fault at a place of a text. */
export function textFault(
  message: string,
  line: number,
  column: number,
  suggestion?: string,
): TextFault {
  return {
    ok: false,
    message,
    line,
    column,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
