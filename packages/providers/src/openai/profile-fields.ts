import {
  type ConstraintLayer,
  type Dialect,
  type JsonObject,
  type Sampling,
  type TSchema,
  Type,
} from "@loopwright/core/plugin";

/** How much a model is asked to think. */
export type Effort = NonNullable<Sampling["effort"]>;

/** What differs between endpoints that speak the OpenAI chat protocol; `profileFields` says what each field means. */
export interface Profile {
  readonly endpoint: string;
  readonly keyName: string;
  readonly needsKey: boolean;
  readonly free: boolean;
  readonly structured: ConstraintLayer;
  readonly schemaModels?: string;
  readonly isStrict: boolean;
  readonly dialect: Dialect;
  readonly isSchemaAloneOnly: boolean;
  readonly jsonTokens?: number;
  readonly thinkingTokens?: number;
  readonly toolDialect: Dialect;
  readonly toolFields: JsonObject;
  readonly looseToolFields: JsonObject;
  readonly toolStreamFields: JsonObject;
  readonly parallelCalls?: boolean;
  readonly readsCallsInText: boolean;
  readonly callIdPattern?: string;
  readonly callIdLength: number;
  readonly toolNamePattern?: string;
  readonly maxTools?: number;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly systemRole: "system" | "developer";
  readonly streamUsage: boolean;
  readonly usage: "inside" | "beside";
  readonly echo: "never" | "with-tool-calls" | "always";
  readonly echoField: string;
  readonly echoFiller?: string;
  readonly thinkingModels?: string;
  readonly alwaysThinkingModels?: string;
  readonly efforts: Readonly<Partial<Record<Effort, JsonObject>>>;
  readonly notWhileThinking: readonly string[];
  readonly isJsonWithoutThinking: boolean;
  readonly thinkingNeedsStream: boolean;
  readonly thinksInText: boolean;
  readonly embeddingBatch?: number;
}

const layers = [Type.Literal("json-schema"), Type.Literal("json-mode"), Type.Literal("prompt")];
const dialects = [
  Type.Literal("openai"),
  Type.Literal("mfjs"),
  Type.Literal("deepseek"),
  Type.Literal("gemini"),
  Type.Literal("anthropic"),
  Type.Literal("llamacpp"),
  Type.Literal("none"),
];

const flag = (description: string): TSchema => Type.Boolean({ description });
const text = (description: string): TSchema => Type.String({ description });
const size = (description: string): TSchema => Type.Integer({ description, minimum: 1 });
const wire = (description: string): TSchema =>
  Type.Record(Type.String(), Type.Any(), { description });

/** The schema of each field. */
export const fieldSchemas: Readonly<Record<keyof Profile, TSchema>> = {
  endpoint: text("The address up to /v1, where the model says no `baseUrl`."),
  keyName: text("The environment variable that holds the key."),
  needsKey: flag("Whether a call without a key is refused before it is made."),
  free: flag("Whether calls cost nothing."),
  structured: Type.Union(layers, {
    description: "The highest layer on which a schema is asked for.",
  }),
  schemaModels: text("A pattern of the models that take a schema where `structured` says less."),
  isStrict: flag("Whether a schema is sent as `strict`."),
  dialect: Type.Union(dialects, {
    description: "The part of JSON Schema that replies are held to.",
  }),
  isSchemaAloneOnly: flag("Whether a schema can't be asked for beside tools."),
  jsonTokens: size("The room for a reply of JSON where the spec says none."),
  thinkingTokens: size("What a model that thinks needs beside `jsonTokens`."),
  toolDialect: Type.Union(dialects, { description: "The part of JSON Schema for arguments." }),
  toolFields: wire("What each tool says beside its schema."),
  looseToolFields: wire(
    "The same for a tool whose schema can't be said in full; `strict` of `toolFields` is left out there.",
  ),
  toolStreamFields: wire("What a request for a stream says where it offers tools."),
  parallelCalls: flag("What `parallel_tool_calls` says; left out, it is not sent."),
  readsCallsInText: flag("Whether calls that a model writes into its text are taken as calls."),
  callIdPattern: text("A pattern of the ids of calls that are taken; others are rewritten."),
  callIdLength: size("The length of an id that is rewritten, of letters and digits."),
  toolNamePattern: text("A pattern of the names of tools that are taken; others are rewritten."),
  maxTools: size("How many tools a request may offer."),
  maxTokensField: Type.Union([Type.Literal("max_tokens"), Type.Literal("max_completion_tokens")], {
    description: "The field for the longest reply.",
  }),
  systemRole: Type.Union([Type.Literal("system"), Type.Literal("developer")], {
    description: "The role of the system message.",
  }),
  streamUsage: flag("Whether a stream is asked for its token counts (`stream_options`)."),
  usage: Type.Union([Type.Literal("inside"), Type.Literal("beside")], {
    description: "Where tokens of thinking are counted: in the completion, or beside it.",
  }),
  echo: Type.Union(
    [Type.Literal("never"), Type.Literal("with-tool-calls"), Type.Literal("always")],
    { description: "Which replies of the model go back with their reasoning." },
  ),
  echoField: text("The field in which reasoning goes back."),
  echoFiller: text("What stands there where a reply has none, or another model gave it."),
  thinkingModels: text("A pattern of the models that think unless they are told not to."),
  alwaysThinkingModels: text(
    "A pattern of the models that are sent no word against thinking: they always think, never do, or are not known to take one.",
  ),
  efforts: Type.Partial(
    Type.Object(
      {
        none: wire("No thinking."),
        minimal: wire("As little as can be."),
        low: wire("A little."),
        medium: wire("As much as is usual."),
        high: wire("As much as can be."),
      },
      { additionalProperties: false },
    ),
    {
      description: "What a request says for each `effort`: none, minimal, low, medium, high.",
      additionalProperties: false,
    },
  ),
  notWhileThinking: Type.Array(Type.String(), {
    description: "Fields of a request that are left out where the model thinks.",
  }),
  isJsonWithoutThinking: flag(
    "Whether JSON is asked for with thinking off, where the spec says no `effort`.",
  ),
  thinkingNeedsStream: flag("Whether thinking is off for a reply that comes whole."),
  thinksInText: flag("Whether thinking may stand in the text, up to `</think>`."),
  embeddingBatch: size(
    "How many texts one request for embeddings takes; left out, there are none.",
  ),
};
