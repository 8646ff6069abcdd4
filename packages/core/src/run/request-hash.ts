import { createHash } from "node:crypto";
import type { ProviderRequest } from "../contracts/provider.ts";

/** SHA-256, hex, over what a model is told: equal conversations hash alike, whatever run, stage or model they are for. */
export function requestHash(
  request: Pick<ProviderRequest, "messages" | "tools" | "output">,
): string {
  const { messages, tools, output } = request;
  return createHash("sha256")
    .update(JSON.stringify([messages, tools, output ?? null]))
    .digest("hex");
}
