/** A subset of JSON Schema that an endpoint reads; `none` takes a schema as it is. */
export type Dialect = "openai" | "mfjs" | "deepseek" | "gemini" | "anthropic" | "llamacpp" | "none";
