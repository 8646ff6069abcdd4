import { isDeepStrictEqual } from "node:util";
import { parseDocument, visit, type Document } from "yaml";
import type { Json } from "../../contracts/json.ts";
import { loadPlain } from "../text/load-plain.ts";
import { quoteEdits, type TextEdit } from "./canonical-quotes.ts";
import { codedFault, type SpecTextFault } from "./coded-fault.ts";
import { reorderKeys } from "./reorder-keys.ts";

/** A spec in the one order and quoting, or why it can't be written so; lines and columns count from 1. */
export type FormattedSpec =
  | {
      readonly ok: true;
      readonly text: string;
      /** Why keys were left in another order; left out where they stand in the one order. */
      readonly remark?: string;
    }
  | SpecTextFault;

/**
 * Writes a spec with its keys in the order of the language and with quotes where a reader of YAML 1.1 would go wrong.
 * Comments, empty lines, line endings and everything else stay as they are, and so does the meaning.
 */
export function formatSpec(text: string): FormattedSpec {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const source = text.slice(mark.length);
  const read = loadPlain(source);
  if (!read.ok) return codedFault(source, read);
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const isComplete = source.endsWith("\n");
  const written = write(isComplete ? source : source + eol, read.value);
  const { text: whole, remark } = written;
  const plain = isComplete ? whole : whole.slice(0, -eol.length);
  return { ok: true, text: mark + plain, ...(remark === undefined ? {} : { remark }) };
}

// What would change the meaning is not done: a form of YAML that is not foreseen here stays as it is.
function write(
  source: string,
  value: Json,
): { readonly text: string; readonly remark?: string | undefined } {
  const document = parse(source);
  const edits = quoteEdits(document, source);
  const requoted = applyEdits(source, edits);
  const ordered = reorderKeys(edits.length === 0 ? document : parse(requoted), requoted);
  if (ordered === source || isSame(value, ordered)) return { text: ordered };
  const text = requoted === source || isSame(value, requoted) ? requoted : source;
  return { text, remark: ordered === requoted ? undefined : unsorted(document) };
}

function unsorted(document: Document): string {
  let alias: string | undefined;
  visit(document, {
    Alias(_key, node) {
      alias = node.source;
      return visit.BREAK;
    },
  });
  const why =
    alias === undefined
      ? "sorted, they would mean something else"
      : `sorted, an alias like *${alias} would stand before its anchor`;
  return `the keys stay in their order: ${why}`;
}

function parse(source: string): Document {
  return parseDocument(source, {
    version: "1.2",
    schema: "core",
    merge: false,
    uniqueKeys: false,
    logLevel: "silent",
  });
}

function isSame(value: Json, candidate: string): boolean {
  const read = loadPlain(candidate);
  return read.ok && isDeepStrictEqual(read.value, value);
}

function applyEdits(source: string, edits: readonly TextEdit[]): string {
  let position = 0;
  const pieces: string[] = [];
  for (const { start, end, text } of edits) {
    pieces.push(source.slice(position, start), text);
    position = end;
  }
  return pieces.join("") + source.slice(position);
}
