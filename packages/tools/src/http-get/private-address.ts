import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

const privateRanges: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 127],
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
];

const blocked = new BlockList();
for (const [network, prefix] of privateRanges) {
  blocked.addSubnet(network, prefix, network.includes(":") ? "ipv6" : "ipv4");
}

/** Tells whether a host of a URL is, or resolves to, an address that is not on the public internet. */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = hostname
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "")
    .toLowerCase();
  if (isIP(host) !== 0) return isPrivateAddress(host);
  if (!host.includes(".") || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host))
    return true;
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivateAddress(address));
}

function isPrivateAddress(address: string): boolean {
  return blocked.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
