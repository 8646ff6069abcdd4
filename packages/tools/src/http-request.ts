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
import { bodyOf } from "./http-request/body-of.ts";
import { allowOption, allowPrivateOption, allowProblems } from "./shared/allowed-hosts.ts";
import { readBody } from "./shared/read-body.ts";
import {
  type CallArguments,
  fillAddress,
  readAddress,
  templateProblem,
} from "./shared/web-address.ts";
import { exchange } from "./shared/web-exchange.ts";

const options = Type.Object({
  url: Type.Optional(
    Type.String({
      description:
        "The http or https address, with places like {id} for arguments; left out, the model gives it, among the hosts of `allow`.",
    }),
  ),
  allow: Type.Optional(allowOption),
  allowPrivate: allowPrivateOption,
  method: Type.Union(
    [Type.Literal("POST"), Type.Literal("PUT"), Type.Literal("PATCH"), Type.Literal("DELETE")],
    { description: "What is done at the address.", default: "POST" },
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), {
      description: "Headers of every request; only with `url`.",
    }),
  ),
  idempotencyHeader: Type.String({
    description:
      "The header that carries the key of the call, by which a server knows a request that comes twice.",
    default: "Idempotency-Key",
    pattern: "^[A-Za-z0-9-]+$",
  }),
  description: Type.Optional(
    Type.String({
      description:
        "What the model reads about this address: purpose, when, when not, what comes back.",
    }),
  ),
  input: Type.Optional(
    fields({
      description:
        "The arguments, sent as fields of a JSON body but for those with a place in `url`; by default the model writes the body.",
    }),
  ),
  maxBytes: count({ description: "How many bytes of a reply are read at most.", default: 200_000 }),
});

const url = { type: "string", description: "An http or https address." };
const body = {
  type: "string",
  description: "The body of the request, as JSON text; empty for none.",
};

/** Sends one request that changes something, with a JSON body and the key of the call; redirects are not followed. */
export const httpRequest: ToolDefinition = defineTool({
  id: "http-request",
  description: `Sends one request that changes something at a web address, and returns the reply.
Use it when the task asks for just this change and its arguments are known.
Do not use it to read, to try something out, or again after an error without knowing what became of the first request.
It returns JSON where the server sends JSON, else the text, or the status where the reply is empty. A status of 400 or above is an error with the first words of the reply; redirects are errors that name their target and are not followed.`,
  options,
  input: (settings) => inputOf(settings),
  effect: "once",
  validate: problemsOf,
  inject: { fetch: Fetch },
  create: (settings, { fetch }) => {
    const [problem] = problemsOf(settings);
    if (problem !== undefined) throw new SpecError("spec-invalid", problem.message);
    const { url: own, allow, allowPrivate, method, idempotencyHeader, maxBytes, input } = settings;
    return async (call, { signal, idempotencyKey }) => {
      const given = call as CallArguments;
      const target =
        own === undefined
          ? { url: readAddress(String(given["url"])), rest: given }
          : fillAddress(own, given);
      const { content, headers } = bodyOf({
        fields: input === undefined ? undefined : target.rest,
        text: given["body"],
        headers: settings.headers ?? {},
      });
      const request = {
        url: target.url,
        method,
        headers: { ...headers, [idempotencyHeader]: encodeURI(idempotencyKey) },
        ...(content === undefined ? {} : { body: content }),
      };
      const rules = {
        own: own === undefined ? undefined : target.url,
        allow: allow ?? [],
        isPrivateAllowed: allowPrivate,
      };
      return exchange(request, rules, { fetch, signal }, async (reply) => {
        const read = await readBody(reply, { maxBytes, isRaw: false });
        return read === "" || read === null ? `[status ${reply.status}, an empty reply]` : read;
      });
    };
  },
});

function inputOf({
  url: own,
  input,
}: {
  readonly url?: string;
  readonly input?: unknown;
}): JsonSchema {
  if (own !== undefined && input !== undefined) return input as JsonSchema;
  const properties = own === undefined ? { url, body } : { body };
  return {
    type: "object",
    properties,
    required: own === undefined ? ["url"] : [],
    additionalProperties: false,
  };
}

function problemsOf(given: {
  readonly url?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly allowPrivate?: boolean | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly input?: unknown;
}): readonly OptionsProblem[] {
  const { url: own, allow, headers = {}, input } = given;
  const hosts = allowProblems(given);
  if (own !== undefined) {
    const names = Object.keys((input as JsonSchema | undefined)?.["properties"] ?? {});
    const problem = templateProblem(own, names);
    return problem === undefined ? hosts : [problem, ...hosts];
  }
  if (Object.keys(headers).length > 0 || input !== undefined) {
    const option = input === undefined ? "headers" : "input";
    const message =
      "`headers` and `input` are taken only with a `url`; otherwise the model chooses where they go";
    return [{ message, option, repair: `add \`url: https://...\`, or delete \`${option}\`` }];
  }
  if (allow !== undefined) return hosts;
  const message = "`http-request` says neither where it sends nor which hosts are open to it";
  return [{ message, repair: "add `url: https://...`, or `allow: [api.example.com]`" }];
}
