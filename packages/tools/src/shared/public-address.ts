import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ToolError } from "@loopwright/core/plugin";
import ipaddr from "ipaddr.js";

/** An address that a host name resolved to. */
export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its addresses. */
export type Lookup = (host: string) => Promise<readonly HostAddress[]>;

const publicIpv6 = ipaddr.parseCIDR("2000::/3");

/** Asks the system, as `fetch` itself would. */
export const systemLookup: Lookup = async (host) => lookup(host, { all: true });

/** The host of an address as it is compared: small letters, no brackets, no dot at its end. */
export function hostOf({ hostname }: URL): string {
  return hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
}

/**
 * Resolves a host once, to connect to just these addresses. Unless private ones are allowed, a host that is one, resolves
 * to one, or has a name of a private network is a ToolError.
 */
export async function resolveHost(
  url: URL,
  {
    isPrivateAllowed,
    lookup: find,
  }: { readonly isPrivateAllowed: boolean; readonly lookup: Lookup },
): Promise<readonly HostAddress[]> {
  const host = hostOf(url);
  if (!isPrivateAllowed && isIP(host) === 0 && isPrivateName(host)) throw privateFault(url);
  const family = isIP(host);
  const found = family === 0 ? await resolved(url, host, find) : [{ address: host, family }];
  if (!isPrivateAllowed && !found.every(({ address }) => isPublicAddress(address)))
    throw privateFault(url);
  return found;
}

/** Tells whether an address lies on the public internet; an IPv4 address inside an IPv6 one is read as such. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(publicIpv6);
}

function isPrivateName(host: string): boolean {
  return (
    !host.includes(".") || /\.(?:localhost|local|internal|intranet|lan|home\.arpa)$/.test(host)
  );
}

async function resolved(url: URL, host: string, find: Lookup): Promise<readonly HostAddress[]> {
  try {
    const found = await find(host);
    if (found.length > 0) return found;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const reason = code === "" ? "" : ` (${code})`;
    throw new ToolError("tool-failed", `${url.host} can't be found${reason}; check the address.`, {
      cause,
      retryable: code === "EAI_AGAIN",
    });
  }
  throw new ToolError("tool-failed", `${url.host} has no address; check it.`);
}

function privateFault(url: URL): ToolError {
  return new ToolError(
    "tool-failed",
    `${url.host} is a private or local address; only public ones are open to you.`,
  );
}
