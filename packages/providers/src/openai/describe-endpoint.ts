import type { JsonObject } from "@loopwright/core/plugin";
import { profileOf } from "./profiles.ts";

/** Where a profile's models are asked with these options, and the variables that hold what it needs to be let in. */
export function describeEndpoint(
  profile: string,
  options: JsonObject,
): { readonly endpoint?: string; readonly keys: readonly string[] } {
  const { endpoint: usual, needsKey, keyName } = profileOf(profile);
  const { baseUrl } = options;
  const endpoint = typeof baseUrl === "string" ? baseUrl : usual;
  const own = options["apiKey"] === undefined && needsKey && !isLoopback(endpoint) ? [keyName] : [];
  const said = JSON.stringify([options["apiKey"] ?? "", options["headers"] ?? {}]);
  const named = [...said.matchAll(/\$\{secret:([^}:]+)/g)].map((match) => match[1] ?? "");
  const shown = endpoint === "" ? {} : { endpoint };
  return { ...shown, keys: [...new Set([...own, ...named])] };
}

/** Whether an address is this machine's. */
export function isLoopback(url: string): boolean {
  return URL.canParse(url) && ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
