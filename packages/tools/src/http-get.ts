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
  Type,
} from "@loopwright/core/plugin";
import { allowOption, allowPrivateOption, allowProblems } from "./shared/allowed-hosts.ts";
import { readBody } from "./shared/read-body.ts";
import {
  type CallArguments,
  fillAddress,
  readAddress,
  templateProblem,
  withQuery,
} from "./shared/web-address.ts";
import { exchange } from "./shared/web-exchange.ts";

const options = Type.Object({
  url: Type.Optional(
    Type.String({
      description:
        "The http or https address, with places like {id} for arguments; left out, the model gives it as `url`, and private addresses are refused.",
    }),
  ),
  allow: Type.Optional(allowOption),
  allowPrivate: allowPrivateOption,
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Headers of every request; only with `url`, and never sent to another host.",
    }),
  ),
  description: Type.Optional(
    Type.String({
      description:
        "What the model reads about this address: purpose, when, when not, what comes back.",
    }),
  ),
  input: Type.Optional(
    fields({
      description:
        "The arguments, sent as query parameters but for those with a place in `url`; none by default.",
    }),
  ),
  raw: Type.Boolean({
    description: "True to return HTML as it is, not as readable text.",
    default: false,
  }),
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
  properties: { url: { type: "string", description: "An http or https address." } },
  required: ["url"],
  additionalProperties: false,
};

/** Gets one web address and returns its text or JSON; arguments become query parameters. */
export const httpGet: ToolDefinition = defineTool({
  id: "http-get",
  description: `Gets one web address over http or https and returns what it says.
Use it for facts that this address serves; arguments are sent as query parameters.
Do not use it to change anything, to send secrets, to log in, or again with the same arguments.
It returns JSON where the server sends JSON, a web page as readable text with its links, else the text, cut at a size limit with a note; pictures and other binary replies are refused. A status of 400 or above is an error with the first words of the reply; so is a host that is not open, or a redirect to one.`,
  options,
  input: ({ url, input }) => (url === undefined ? urlInput : ((input ?? noInput) as JsonSchema)),
  effect: "read",
  validate: problemsOf,
  inject: { fetch: Fetch },
  create: (settings, { fetch }) => {
    const [problem] = problemsOf(settings);
    if (problem !== undefined) throw new SpecError("spec-invalid", problem.message);
    const { url: own, allow, allowPrivate, headers = {}, raw, maxBytes } = settings;
    return async (call, { signal }) => {
      const url = addressOf(own, call as CallArguments);
      const rules = {
        own: own === undefined ? undefined : url,
        allow: allow ?? (own === undefined ? undefined : []),
        isPrivateAllowed: allowPrivate,
      };
      return exchange({ url, method: "GET", headers }, rules, { fetch, signal }, async (reply) =>
        readBody(reply, { maxBytes, isRaw: raw }),
      );
    };
  },
});

function addressOf(own: string | undefined, call: CallArguments): URL {
  if (own === undefined) return readAddress(String(call["url"]));
  const { url, rest } = fillAddress(own, call);
  return withQuery(url, rest);
}

function problemsOf(given: {
  readonly url?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly allowPrivate?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly input?: unknown;
}): readonly OptionsProblem[] {
  const { url, headers = {}, input } = given;
  const hosts = allowProblems(given);
  if (url !== undefined) {
    const names = Object.keys((input as JsonSchema | undefined)?.["properties"] ?? {});
    const problem = templateProblem(url, names);
    return problem === undefined ? hosts : [problem, ...hosts];
  }
  if (Object.keys(headers).length === 0 && input === undefined) return hosts;
  const message =
    "`headers` and `input` are taken only with a `url`; otherwise the model chooses where they go";
  const option = input === undefined ? "headers" : "input";
  return [
    { message, option, repair: `add \`url: https://...\`, or delete \`${option}\`` },
    ...hosts,
  ];
}
