import { isIP } from "node:net";
import { Agent } from "undici";
import type { HostAddress } from "./public-address.ts";

/** What `fetch` takes as `dispatcher`: it connects to the addresses that were checked, whatever the name resolves to by then. */
export function pinnedAgent(addresses: readonly HostAddress[]): Agent {
  return new Agent({
    connections: 1,
    pipelining: 0,
    connect: {
      lookup: (_host, { all, family }, done) => {
        const wanted = addresses.filter(
          (one) => family === undefined || family === 0 || one.family === family,
        );
        const usable = wanted.length === 0 ? addresses : wanted;
        if (all === true) done(null, [...usable]);
        else
          done(null, usable[0]?.address ?? "", usable[0]?.family ?? isIP(usable[0]?.address ?? ""));
      },
    },
  });
}
