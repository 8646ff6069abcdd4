import {
  count,
  defineTool,
  Fetch,
  type OptionsProblem,
  secret,
  SpecError,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { readBody } from "./shared/read-body.ts";
import { fillAddress, templateProblem, withQuery } from "./shared/web-address.ts";
import { exchange } from "./shared/web-exchange.ts";
import { readResults } from "./web-search/read-results.ts";

/** A reply of a search is read whole or not at all; most are a tenth of this. */
const maxReplyBytes = 1_000_000;

const options = Type.Object({
  url: Type.Optional(
    Type.String({
      description:
        "The search endpoint, which answers with JSON, for example https://search.example.com/search?format=json; {query} in it is replaced.",
    }),
  ),
  method: Type.Union([Type.Literal("GET"), Type.Literal("POST")], {
    description: "GET sends the words as a query parameter, POST as a field of a JSON body.",
    default: "GET",
  }),
  queryName: Type.String({
    description: "The parameter or field that carries the words, where `url` has no {query}.",
    default: "q",
  }),
  headers: Type.Optional(
    Type.Record(Type.String(), secret(), { description: "Headers of every request." }),
  ),
  results: Type.String({
    description: "Where the list of results lies in the reply, for example data.items.",
    default: "results",
  }),
  title: Type.String({ description: "The field of a result with its title.", default: "title" }),
  address: Type.String({ description: "The field of a result with its address.", default: "url" }),
  snippet: Type.String({
    description: "The field of a result with its excerpt.",
    default: "content",
  }),
  maxResults: count({ description: "How many results come back at most.", default: 5 }),
});

const input = Type.Object({
  query: Type.String({
    minLength: 1,
    maxLength: 400,
    description: "A few words to search for, as one types them into a search engine.",
  }),
});

/** Searches the web through an endpoint that the spec names; any that answers with a list in JSON will do. */
export const webSearch: ToolDefinition = defineTool({
  id: "web-search",
  description: `Searches the web and returns the first results.
Use it for facts that may have changed, that you do not know for sure, or that need a source.
Do not use it for arithmetic, for opinions, for what an observation already says, or again with the same words.
It returns a numbered list: title, address and a short excerpt of each. An excerpt is no proof: read the page where the answer rests on it. \`no result\` means that other words are needed.`,
  options,
  input,
  output: Type.String(),
  effect: "read",
  policy: { timeoutMs: 3_000 },
  validate: problemsOf,
  inject: { fetch: Fetch },
  create: (settings, { fetch }) => {
    const [problem] = problemsOf(settings);
    const { url: endpoint } = settings;
    if (problem !== undefined || endpoint === undefined)
      throw new SpecError("spec-invalid", problem?.message ?? "web-search has no `url`");
    const { method, queryName, headers = {} } = settings;
    return async ({ query }, { signal }) => {
      if (query.trim() === "")
        throw new ToolError("tool-arguments-invalid", "`query` is empty; give a few words.");
      const { url, rest } = fillAddress(endpoint, { query });
      const words = "query" in rest ? { [queryName]: query } : {};
      const isPost = method === "POST";
      const request = {
        url: isPost ? url : withQuery(url, words),
        method,
        headers: {
          Accept: "application/json",
          ...(isPost ? { "Content-Type": "application/json" } : {}),
          ...headers,
        },
        ...(isPost ? { body: JSON.stringify(words) } : {}),
      };
      const rules = { own: url, allow: [], isPrivateAllowed: false };
      const reply = await exchange(request, rules, { fetch, signal }, async (response) =>
        readBody(response, { maxBytes: maxReplyBytes, isRaw: true }),
      );
      return readResults(reply, settings);
    };
  },
});

function problemsOf({ url }: { readonly url?: string | undefined }): readonly OptionsProblem[] {
  if (url === undefined)
    return [
      {
        message: "`web-search` has no search engine of its own; it needs the `url` of an endpoint",
        repair: 'write `web-search: { url: "https://search.example.com/search?format=json" }`',
      },
    ];
  const problem = templateProblem(url, ["query"]);
  return problem === undefined ? [] : [problem];
}
