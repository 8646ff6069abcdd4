import { type OptionsProblem, type TSchema, Type } from "@loopwright/core/plugin";
import { matchesName } from "./glob.ts";
import { hostOf } from "./public-address.ts";

const ENTRY = /^(?:[a-z0-9*_.-]+|\[[0-9a-f:.]+\])(?::(?:\d{1,5}|\*))?$/i;

/** The option by which a spec opens hosts to a tool. */
export const allowOption: TSchema & { readonly static: string[] } = Type.Array(
  Type.String({ minLength: 1 }),
  {
    description:
      "The hosts that are open, for example api.example.com, *.example.com or example.com:8080; a host without a port means the usual one.",
  },
);

/** The option that opens private addresses among the allowed hosts. */
export const allowPrivateOption: TSchema & { readonly static: boolean } = Type.Boolean({
  description: "True to open private and local addresses too, among the hosts of `allow` alone.",
  default: false,
});

/** Tells whether an address is open by a list of hosts; a star stands for any characters, alone for any host. */
export function isAllowed(url: URL, allow: readonly string[]): boolean {
  const host = hostOf(url);
  const usual = url.protocol === "https:" ? "443" : "80";
  const port = url.port === "" ? usual : url.port;
  return allow.some((entry) => {
    const { name, wantedPort } = read(entry) ?? {};
    if (name === undefined) return false;
    const fitsPort = wantedPort === undefined ? port === usual : ["*", port].includes(wantedPort);
    return fitsPort && matchesName(name, host);
  });
}

/** Finds entries of `allow` that are no hosts, and `allowPrivate` without them. */
export function allowProblems(given: {
  readonly allow?: readonly string[] | undefined;
  readonly allowPrivate?: boolean | undefined;
}): readonly OptionsProblem[] {
  if (given.allowPrivate === true && given.allow === undefined) {
    return [
      {
        message:
          "`allowPrivate` opens private addresses among the hosts of `allow`, and there is none",
        option: "allowPrivate",
        repair: "add `allow: [localhost:8080]` with the hosts you mean, or delete `allowPrivate`",
      },
    ];
  }
  const odd = given.allow?.find((entry) => !ENTRY.test(entry) || read(entry) === undefined);
  if (odd === undefined) return [];
  const message = `\`allow\` names hosts, and "${odd}" is none`;
  return [
    {
      message,
      option: "allow",
      repair: "write it like api.example.com, *.example.com or example.com:8080",
    },
  ];
}

/** An entry as addresses are compared with it; undefined where none can fit. */
function read(
  entry: string,
): { readonly name: string; readonly wantedPort: string | undefined } | undefined {
  const [, host = "", port] = /^(.*?)(?::(\d+|\*))?$/.exec(entry) ?? [];
  const wantedPort = port === undefined || port === "*" ? port : String(Number(port));
  if (Number(wantedPort) > 65_535) return undefined;
  if (host.includes("*")) return { name: host.replace(/\.$/, "").toLowerCase(), wantedPort };
  if (!URL.canParse(`http://${host}`)) return undefined;
  const name = hostOf(new URL(`http://${host}`));
  return name === "" ? undefined : { name, wantedPort };
}
