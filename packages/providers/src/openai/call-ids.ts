import { createHash } from "node:crypto";
import { fits } from "./model-pattern.ts";
import type { Profile } from "./profile-fields.ts";

const LETTERS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/**
 * The id of a call as an endpoint takes it: its own where that fits, else one made of it.
 *
 * The same id always becomes the same, so that results follow their calls and a history stays as it was sent.
 */
export function toWireCallId(id: string, { callIdPattern, callIdLength }: Profile): string {
  if (callIdPattern === undefined || fits(callIdPattern, id)) return id;
  const bytes = createHash("sha512").update(id).digest();
  return Array.from({ length: callIdLength }, (_, index) => {
    const byte = bytes[index % bytes.length] ?? 0;
    return LETTERS[byte % LETTERS.length];
  }).join("");
}
