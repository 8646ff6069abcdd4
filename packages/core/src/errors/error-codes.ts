/** Every error code and what it means; a code is stable once released. */
export const ERROR_CODES = {
  "spec-invalid": "The spec has at least one error; `details.diagnostics` lists them.",
  "input-invalid": "An input of the run is missing, unknown or of another type than declared.",
  "switch-unknown": "A run is started with a switch that the spec does not have.",
  "expression-failed": "An expression or a template of the spec can't be computed in this run.",
  "not-yet": "The spec uses parts of the language that this version can't run.",
  "secret-missing": "A secret that the spec names is not set in the environment.",
  "plugin-broken": "A plugin package can't be loaded or breaks the plugin contract.",
  "plugin-services-missing": "Plugins ask for services that nobody provides, or in a cycle.",
  "plugin-create-failed": "A plugin's `create` threw or timed out.",
  "provider-failed": "A provider could not answer: network, server or an unreadable reply.",
  "provider-unauthorized": "The endpoint refused the key.",
  "provider-rejected": "The endpoint refused the request itself.",
  "provider-unavailable": "The endpoint is overloaded, limits the rate or is out of reach.",
  "provider-timeout": "The endpoint did not answer in time.",
  "provider-key-missing": "The provider needs a key and none is configured.",
  "replay-miss": "The recording holds no reply for this request.",
  "script-exhausted": "The script holds no reply for this request.",
  "output-invalid": "The model's text does not fit the schema, after every repair allowed.",
  "output-empty":
    "The model said nothing, or only asked for tools that are off, after every repair allowed.",
  "output-truncated": "The model's text was cut by its token limit.",
  "tool-failed": "A tool failed; the model is told, a run goes on.",
  "tool-timeout": "A tool did not answer in time.",
  "tools-unlisted": "A set of tools can't say which tools it has; the stage that needs them fails.",
  "tool-arguments-invalid": "A tool's arguments are not readable or do not fit its schema.",
  "memory-failed": "A memory can't be read or written.",
  "strategy-failed": "A strategy can't go on; its message says why.",
  "evidence-unknown": "A change names evidence that no observation has.",
  "limit-model-calls": "The limit on model calls is reached.",
  "limit-tool-calls": "The limit on tool calls is reached.",
  "limit-tokens": "The limit on tokens is reached.",
  "limit-usd": "The limit on money is reached.",
  "limit-time": "The limit on time is reached.",
  "limit-repeat": "The model keeps repeating the same call.",
  aborted: "The host, a person or a `stop` stage ended the run.",
  "verb-pending":
    "A strategy started a second verb while one was pending; concurrency goes through `fanOut`.",
  "contract-broken": "A strategy or core broke a contract; report it.",
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof ERROR_CODES;
