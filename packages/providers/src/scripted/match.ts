import { isDeepStrictEqual } from "node:util";
import type { ProviderRequest } from "@loopwright/core/plugin";
import { type ScriptedReply, textOf } from "./reply.ts";

/** Says why an entry does not fit a request, or nothing when it does. */
export function mismatchOf(entry: ScriptedReply, request: ProviderRequest): string | undefined {
  if (entry.stage !== undefined && !fitsGlob(entry.stage, request.stage)) {
    return `stage is not ${entry.stage}`;
  }
  if (entry.voice !== undefined && entry.voice !== request.voice) {
    return `voice is not ${entry.voice}`;
  }
  if (entry.key !== undefined && !request.key.includes(entry.key)) {
    return `key lacks ${entry.key}`;
  }
  if (entry.layer !== undefined && entry.layer !== request.output?.layer) {
    return `layer is not ${entry.layer}`;
  }
  for (const [name, value] of Object.entries(entry.inputs ?? {})) {
    if (!isDeepStrictEqual(request.inputs[name], value)) return `input ${name} differs`;
  }
  return textMismatchOf(entry, request);
}

function textMismatchOf(entry: ScriptedReply, request: ProviderRequest): string | undefined {
  const texts = request.messages.map(textOf);
  const includes = (text: string): boolean => texts.some((message) => message.includes(text));
  const missing = entry.includes?.find((text) => !includes(text));
  if (missing !== undefined) return `no message includes ${JSON.stringify(missing)}`;
  const present = entry.excludes?.find(includes);
  if (present !== undefined) return `a message includes ${JSON.stringify(present)}`;
  if (entry.lastIncludes !== undefined && !(texts.at(-1) ?? "").includes(entry.lastIncludes)) {
    return `the last message lacks ${JSON.stringify(entry.lastIncludes)}`;
  }
  return undefined;
}

function fitsGlob(glob: string, text: string): boolean {
  const pattern = glob
    .split(/\*+/)
    .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`, "s").test(text);
}
