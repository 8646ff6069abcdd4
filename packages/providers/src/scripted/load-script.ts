import type { Json, JsonObject } from "@loopwright/core/plugin";
import { messageOf, ProviderError } from "@loopwright/core/plugin";
import { readText } from "../shared/read-text.ts";
import { asObject, ScriptFault, toScriptedReply } from "./read-reply.ts";
import type { Script, ScriptTable } from "./script.ts";

/** Reads a script from a YAML, JSON or JSON Lines file, packed with gzip or not. */
export async function loadScript(file: string): Promise<Script> {
  const text = await readText(file, "scripted");
  try {
    return toScript(await parse(file.replace(/\.gz$/, ""), text), file);
  } catch (thrown) {
    throw new ProviderError(
      "provider-failed",
      `The script ${file} is broken: ${messageOf(thrown)}. Mend the file; its form is a list under \`replies\`, or a \`table\`.`,
      { details: { file }, cause: thrown },
    );
  }
}

async function parse(name: string, text: string): Promise<Json> {
  if (name.endsWith(".jsonl")) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return { replies: lines.map((line) => JSON.parse(line) as Json) };
  }
  if (name.endsWith(".json")) return JSON.parse(text) as Json;
  const { parse: parseYaml } = await import("yaml");
  return parseYaml(text, { strict: true, uniqueKeys: true }) as Json;
}

function toScript(value: Json, source: string): Script {
  const script = asObject(value, "the file");
  for (const key of Object.keys(script)) {
    if (key !== "replies" && key !== "table") throw new ScriptFault(`unknown key ${key}`);
  }
  const replies = script["replies"] ?? [];
  if (!Array.isArray(replies)) throw new ScriptFault("replies must be a list");
  return {
    source,
    replies: replies.map((entry: Json, index) => toScriptedReply(entry, `replies[${index}]`)),
    ...(script["table"] === undefined
      ? {}
      : { table: toTable(asObject(script["table"], "table")) }),
  };
}

function toTable(table: JsonObject): ScriptTable {
  const input = table["input"];
  if (typeof input !== "string") throw new ScriptFault("table.input must name an input of the run");
  const samples = new Map<string, readonly string[]>();
  for (const [value, texts] of Object.entries(asObject(table["samples"], "table.samples"))) {
    if (!Array.isArray(texts) || !texts.every((text: Json) => typeof text === "string")) {
      throw new ScriptFault(`table.samples[${JSON.stringify(value)}] must be a list of texts`);
    }
    samples.set(value, texts);
  }
  return { input, samples };
}
