import {
  count,
  defineTool,
  Fetch,
  fields,
  type JsonSchema,
  type OptionsProblem,
  secret,
  SpecError,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { isPrivateHost } from "./http-get/private-address.ts";
import { readBody } from "./http-get/read-body.ts";
import { request } from "./http-get/request.ts";

const options = Type.Object({
  url: Type.Optional(
    Type.String({
      description:
        "The http or https address; left out, the model gives it as `url`, and private addresses are refused.",
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Headers of every request; only with `url`.",
    }),
  ),
  description: Type.Optional(
    Type.String({
      description:
        "What the model reads about this address: purpose, when, when not, what comes back.",
    }),
  ),
  input: Type.Optional(
    fields({ description: "The arguments, each sent as a query parameter; none by default." }),
  ),
  maxBytes: count({ description: "How many bytes of a reply are read at most.", default: 200_000 }),
});

const noInput: JsonSchema = {
  type: "object",
  properties: {},
  required: [],
  additionalProperties: false,
};
const urlInput: JsonSchema = {
  type: "object",
  properties: { url: { type: "string", description: "A public http or https address." } },
  required: ["url"],
  additionalProperties: false,
};

/** Gets one web address and returns its text or JSON; arguments become query parameters. */
export const httpGet: ToolDefinition = defineTool({
  id: "http-get",
  description: `Gets one web address over http or https and returns what it says.
Use it for facts that this address serves; arguments are sent as query parameters.
Do not use it to change anything, to send secrets, to log in, or again with the same arguments.
It returns JSON where the server sends JSON, else the text, cut at a size limit with a note; pictures and other binary replies are refused. A status of 400 or above is an error with the first words of the reply; redirects to another host are not followed.`,
  options,
  input: ({ url, input }) => (url === undefined ? urlInput : ((input ?? noInput) as JsonSchema)),
  effect: "read",
  validate: problemsOf,
  inject: { fetch: Fetch },
  create: ({ url, headers = {}, input, maxBytes }, { fetch }) => {
    const [problem] = problemsOf({ url, headers, input });
    if (problem !== undefined) throw new SpecError("spec-invalid", problem.message);
    if (url === undefined) {
      return async (call, { signal }) => {
        const address = String(argumentsOf(call)["url"]);
        const fault = addressFault(address);
        if (fault !== undefined)
          throw new ToolError("tool-arguments-invalid", `${fault.message}; ${fault.repair}`);
        const target = new URL(address);
        await refusePrivate(target);
        return readBody(await request(target, {}, { fetch, signal }), maxBytes);
      };
    }
    const base = new URL(url);
    return async (call, { signal }) =>
      readBody(
        await request(withQuery(base, argumentsOf(call)), headers, { fetch, signal }),
        maxBytes,
      );
  },
});

function problemsOf(given: {
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly input?: unknown;
}): readonly OptionsProblem[] {
  const { url, headers = {}, input } = given;
  if (url !== undefined) {
    const fault = addressFault(url);
    return fault === undefined ? [] : [{ ...fault, option: "url" }];
  }
  if (Object.keys(headers).length === 0 && input === undefined) return [];
  const message =
    "`headers` and `input` are taken only with a `url`; otherwise the model chooses where they go";
  const option = input === undefined ? "headers" : "input";
  return [{ message, option, repair: `add \`url: https://...\`, or delete \`${option}\`` }];
}

/** Core has validated the call against the input schema, an object. */
function argumentsOf(call: unknown): Readonly<Record<string, unknown>> {
  return call as Readonly<Record<string, unknown>>;
}

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

async function refusePrivate(url: URL): Promise<void> {
  if (!(await isPrivateHost(url.hostname))) return;
  throw new ToolError(
    "tool-failed",
    `${url.host} is a private or local address; only public ones may be read.`,
  );
}

/** Arguments replace parameters of the same name; lists repeat theirs; what is null is left out. */
function withQuery(base: URL, call: Readonly<Record<string, unknown>>): URL {
  const url = new URL(base);
  for (const [name, value] of Object.entries(call)) {
    url.searchParams.delete(name);
    for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (item === null || item === undefined) continue;
      url.searchParams.append(name, typeof item === "string" ? item : JSON.stringify(item));
    }
  }
  return url;
}
