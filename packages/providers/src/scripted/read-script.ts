import { type Json, type JsonObject, messageOf } from "@loopwright/core/plugin";
import { LineCounter, parseDocument } from "yaml";
import type { TextFault } from "../shared/inspect-file.ts";
import { jsonFaultOffset } from "../shared/json-place.ts";
import { asObject, listRepair, toScriptedReply } from "./read-reply.ts";
import type { ScriptedReply } from "./reply.ts";
import type { Script, ScriptTable } from "./script.ts";
import { ScriptFault, unknownKey } from "./script-fault.ts";
import { placeFaults } from "./script-places.ts";

/** A script, or everything that is wrong in its text. */
export type ReadScript =
  | { readonly script: Script }
  | { readonly faults: readonly [TextFault, ...(readonly TextFault[])] };

/** Reads the text of a script; the name of its file says whether it is YAML, JSON or JSON Lines. */
export function readScript(text: string, file: string): ReadScript {
  const name = file.replace(/\.gz$/u, "");
  if (name.endsWith(".jsonl")) return readLines(text, file);
  const parsed = name.endsWith(".json") ? parseJson(text) : parseYaml(text);
  if ("faults" in parsed) return failed(parsed.faults);
  const found: ScriptFault[] = [];
  const script = toScript(parsed.value, file, found);
  return found.length === 0 && script !== undefined ? { script } : failed(placeFaults(text, found));
}

type Parsed = { readonly value: Json } | { readonly faults: readonly TextFault[] };

function failed(faults: readonly TextFault[]): ReadScript {
  const [first = { message: "the file can't be read" }, ...others] = faults;
  return { faults: [first, ...others] };
}

function readLines(text: string, source: string): ReadScript {
  const replies: ScriptedReply[] = [];
  const faults: TextFault[] = [];
  const lines = [...text.split("\n").entries()].filter(([, line]) => line.trim() !== "");
  for (const [index, [number, line]] of lines.entries()) {
    const place = { line: number + 1, column: 1 };
    const parsed = parseJson(line);
    if ("faults" in parsed) {
      const repair = /^\s*[{["]/u.test(line) ? JSON_REPAIR : LINE_REPAIR;
      faults.push(
        ...parsed.faults.map((fault) => ({
          ...place,
          ...fault,
          line: place.line,
          repair,
        })),
      );
      continue;
    }
    const fault = attempt(() => replies.push(toScriptedReply(parsed.value, ["replies", index])));
    if (fault !== undefined)
      faults.push({ message: fault.message, ...place, repair: fault.repair });
  }
  return faults.length === 0 ? { script: { source, replies } } : failed(faults);
}

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (thrown) {
    const said = messageOf(thrown);
    // The message quotes the text, line breaks and all.
    const message = `it is not JSON: ${said.replaceAll(/\s+/gu, " ")}`;
    const before = text.slice(0, jsonFaultOffset(text, said)).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    return { faults: [{ message, line: before.length, column, repair: JSON_REPAIR }] };
  }
}

function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = document.errors.map(({ message, pos }) => {
    const { line, col } = lines.linePos(pos[0]);
    return {
      message: `it is not YAML: ${message}`,
      line: Math.max(line, 1),
      column: Math.max(col, 1),
      repair: YAML_REPAIR,
    };
  });
  if (faults.length > 0) return { faults };
  try {
    return { value: document.toJS() as Json };
  } catch (thrown) {
    return { faults: [{ message: `it is not YAML: ${messageOf(thrown)}`, repair: YAML_REPAIR }] };
  }
}

/** Reads as much as it can; what is wrong is added to `found`. */
function toScript(value: Json, source: string, found: ScriptFault[]): Script | undefined {
  const read = <T>(act: () => T): T | undefined => {
    let result: T | undefined;
    const fault = attempt(() => {
      result = act();
    });
    if (fault !== undefined) found.push(fault);
    return result;
  };
  const script = read(() => asObject(value, [], fileRepair(value)));
  if (script === undefined) return undefined;
  for (const key of Object.keys(script)) {
    if (key === "replies" || key === "table") continue;
    found.push(unknownKey([], key, ["replies", "table"]));
  }
  const entries = script["replies"] ?? [];
  if (!Array.isArray(entries))
    found.push(new ScriptFault(["replies"], "must be a list", "write one item for each reply"));
  const list = Array.isArray(entries) ? (entries as readonly Json[]) : [];
  const replies = list.flatMap(
    (entry, index) => read(() => toScriptedReply(entry, ["replies", index])) ?? [],
  );
  const said = script["table"];
  const table =
    said === undefined ? undefined : read(() => toTable(asObject(said, ["table"], TABLE_REPAIR)));
  return { source, replies, ...(table === undefined ? {} : { table }) };
}

function toTable(table: JsonObject): ScriptTable {
  const input = table["input"];
  if (typeof input !== "string") {
    throw new ScriptFault(["table", "input"], "must name an input of the run", TABLE_REPAIR);
  }
  const samples = new Map<string, readonly string[]>();
  const given = asObject(table["samples"], ["table", "samples"], TABLE_REPAIR);
  for (const [value, texts] of Object.entries(given)) {
    if (!Array.isArray(texts) || !texts.every((text: Json) => typeof text === "string")) {
      const path = ["table", "samples", value];
      throw new ScriptFault(path, "must be a list of texts", listRepair(texts));
    }
    samples.set(value, texts);
  }
  return { input, samples };
}

function fileRepair(value: Json): string {
  return Array.isArray(value)
    ? "put the list under the key `replies`"
    : "write the key `replies`, and under it a list of replies";
}

const TABLE_REPAIR = 'write it like `{ "input": "question", "samples": { "Why?": ["Because."] } }`';
const LINE_REPAIR = 'write one whole reply in each line, like `{"text": "Hello"}` or `"Hello"`';
const JSON_REPAIR = "mend it there: JSON wants double quotes, and no comma after the last item";
const YAML_REPAIR = "mend it there; a text that holds brackets, `: ` or ` #` wants quotes";

function attempt(act: () => unknown): ScriptFault | undefined {
  try {
    act();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof ScriptFault) return thrown;
    throw thrown;
  }
}
