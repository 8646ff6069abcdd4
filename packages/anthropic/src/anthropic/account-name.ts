import { createHash } from "node:crypto";
import { hostOfAddress } from "./endpoint-address.ts";

/** Names an account without telling what lets one in: equal secrets at one address are one account. */
export function accountOf(baseUrl: string, secrets: readonly string[]): string {
  const said = JSON.stringify([baseUrl, ...secrets]);
  const mark = createHash("sha256").update(said).digest("hex").slice(0, 12);
  return `${hostOfAddress(baseUrl)}#${mark}`;
}
