import { type OptionsProblem, ToolError } from "@loopwright/core/plugin";

/** Arguments of a call by name. */
export type CallArguments = Readonly<Record<string, unknown>>;

const PLACE = /\{([A-Za-z_]\w*)\}/g;

/** Reads an address that a model gives. */
export function readAddress(text: string): URL {
  const fault = addressFault(text);
  if (fault !== undefined)
    throw new ToolError("tool-arguments-invalid", `${fault.message}; ${fault.repair}`);
  return new URL(text);
}

/** Says what is wrong with an address, if anything. */
function addressFault(
  text: string,
): { readonly message: string; readonly repair: string } | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    return {
      message: `"${text}" is not an http or https address`,
      repair: "write one like https://example.com/path",
    };
  if (url.username !== "" || url.password !== "")
    return {
      message: "an address may not hold a user name or a password",
      repair: "put them into a header",
    };
  return undefined;
}

/** Finds faults of an address with places like `{id}`, which name arguments and lie behind the host. */
export function templateProblem(
  template: string,
  argumentNames: readonly string[],
): OptionsProblem | undefined {
  const fault = addressFault(template.replaceAll(PLACE, "x"));
  if (fault !== undefined) return { ...fault, option: "url" };
  if (originOf(template, "x") !== originOf(template, "y"))
    return {
      message: `the host of "${template}" is a place for an argument`,
      option: "url",
      repair: "write the host itself; places like {id} stand behind it",
    };
  const unknown = placesOf(template).find((name) => !argumentNames.includes(name));
  if (unknown === undefined) return undefined;
  return {
    message: `"${template}" has a place for {${unknown}}, which is no argument`,
    option: "url",
    repair: `add \`${unknown}: string\` to \`input\`, or delete {${unknown}}`,
  };
}

function originOf(template: string, filling: string): string | undefined {
  const filled = template.replaceAll(PLACE, filling);
  return URL.canParse(filled) ? new URL(filled).origin : undefined;
}

/** Puts arguments into the places of an address, each within its place; the others are left. */
export function fillAddress(
  template: string,
  given: CallArguments,
): { readonly url: URL; readonly rest: CallArguments } {
  const places = new Set(placesOf(template));
  const url = new URL(template.replaceAll(PLACE, (_, name: string) => segment(name, given[name])));
  const rest = Object.entries(given).filter(([name]) => !places.has(name));
  return { url, rest: Object.fromEntries(rest) };
}

/** Adds arguments as query parameters; they replace those of the same name, lists repeat theirs, null is left out. */
export function withQuery(base: URL, given: CallArguments): URL {
  const url = new URL(base);
  for (const [name, value] of Object.entries(given)) {
    url.searchParams.delete(name);
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === null || item === undefined) continue;
      url.searchParams.append(name, plain(item));
    }
  }
  return url;
}

function placesOf(template: string): readonly string[] {
  return [...template.matchAll(PLACE)].map(([, name]) => name ?? "");
}

function segment(name: string, value: unknown): string {
  const text = value === null || value === undefined ? "" : plain(value);
  // Dots alone would climb out of the path, and nothing at all would name another resource.
  if (text === "" || /^\.{1,2}$/.test(text))
    throw new ToolError(
      "tool-arguments-invalid",
      `\`${name}\` is a part of the address; "${text}" can't stand there.`,
    );
  if (/\p{Surrogate}/u.test(text))
    throw new ToolError(
      "tool-arguments-invalid",
      `\`${name}\` holds half a character, which no address can hold; write the whole one.`,
    );
  return encodeURIComponent(text);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
