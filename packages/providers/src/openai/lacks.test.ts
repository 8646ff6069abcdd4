import { describe, expect, it } from "vitest";
import { isBadAnswer, lackedLayer } from "./lacks.ts";
import { toProviderError } from "./to-provider-error.ts";

describe("a refusal that names the form of the reply", () => {
  it.each([
    [
      "OpenAI, an old model",
      "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
    ],
    [
      "OpenAI, a schema",
      "Invalid schema for response_format 'answer': in context=(), 'additionalProperties' must be false.",
    ],
    ["DeepSeek", "This response_format type is unavailable now"],
    ["Kimi", "Invalid request: response_format.type json_schema is not allowed"],
    ["Qwen, thinking", "<400> Json mode response is not supported when enable_thinking is true"],
    [
      "Gemini, beside tools",
      "Function calling with a response mime type: 'application/json' is unsupported",
    ],
    ["Gemini, nesting", "A schema in GenerationConfig exceeds the maximum allowed nesting depth."],
    ["Anthropic", "output_config.format.schema: the compiled grammar is too large"],
    ["vLLM", "The provided JSON schema contains features not supported by xgrammar."],
    ["vLLM, old names", "guided_json is not a known argument"],
    ["vLLM, grammar", 'Grammar error: unimplemented keys in the schema: ["uniqueItems"]'],
    ["llama.cpp", "failed to parse grammar"],
    ["llama.cpp, tools", "Cannot use custom grammar constraints with tools."],
    ["OpenRouter", "Provider returned error: structured outputs are not available for this model"],
    ["GLM", "json_object is not supported by the current model"],
    ["Groq", "This model does not support response format `json_schema`."],
    ["a schema that can't be read", "Failed to validate JSON schema: unsupported keyword `not`"],
    [
      "a proxy",
      "litellm.UnsupportedParamsError: m does not support parameters: ['response_format']",
    ],
  ])("%s", (_name, words) => {
    for (const status of [400, 404, 422])
      expect(lackedLayer({ status, words, parameter: undefined }, "json-schema")).toBe(
        "json-schema",
      );
    expect(lackedLayer({ status: 400, words, parameter: undefined }, "json-mode")).toBe(
      "json-mode",
    );
    for (const status of [401, 429, 500])
      expect(lackedLayer({ status, words, parameter: undefined }, "json-schema")).toBeUndefined();
    expect(lackedLayer({ status: 400, words, parameter: undefined }, "prompt")).toBeUndefined();
    expect(lackedLayer({ status: 400, words, parameter: undefined }, undefined)).toBeUndefined();
  });

  it("in its parameter alone", () => {
    const refusal = { status: 400, words: "Unknown value.", parameter: "response_format.type" };
    expect(lackedLayer(refusal, "json-schema")).toBe("json-schema");
  });
});

describe("a refusal about something else", () => {
  it.each([
    ["a model", "The model `gpt-9` does not exist or you do not have access to it."],
    [
      "a tool's schema",
      "Invalid schema for function 'find': schema must have type 'object' and not have 'anyOf' at the top level.",
    ],
    [
      "a tool's schema (Kimi)",
      "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema",
    ],
    [
      "a tool's schema (Gemini)",
      "tools[0].function_declarations[0].parameters.properties: schema type is not supported",
    ],
    ["the length", "This model's maximum context length is 8192 tokens; your messages have 9000."],
    ["the body", "We could not parse the JSON body of your request."],
    ["reasoning", "The `reasoning_content` in the thinking mode must be passed back to the API"],
    ["a call id", "messages[3].tool_call_id: no such call"],
    [
      "a missing word",
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    ],
    ["a filter", "Your prompt was flagged by our policy: can't mend the grammar of this text"],
    ["a temperature", "temperature must be 1 while thinking is enabled"],
    ["an image", "unsupported image format: image/x-icon"],
    ["the prompt", "Bad grammar school records are what we like"],
    ["credit", "Insufficient balance"],
    [
      "the word, said otherwise",
      "'response_format' of type 'json_object' requires the messages to contain 'json'",
    ],
    [
      "the length, with the schema counted in",
      "This model's maximum context length is 8192 tokens, you requested 9000 (including the response_format schema).",
    ],
    ["the room", "max_tokens is too large for a json_schema reply: at most 4096"],
    ["a model named like a form", "The model `gpt-json_schema` does not exist"],
    ["a store", "Database schema lookup failed"],
    ["nothing", ""],
  ])("%s", (_name, words) => {
    expect(
      lackedLayer({ status: 400, words, parameter: undefined }, "json-schema"),
    ).toBeUndefined();
  });

  it("in its parameter", () => {
    const words = "Invalid 'json_schema' given";
    expect(
      lackedLayer({ status: 400, words, parameter: "tools[0].function" }, "json-mode"),
    ).toBeUndefined();
  });
});

describe("a refusal of what the model answered", () => {
  it.each([
    [
      "Groq, a schema",
      "Generated JSON does not match the expected schema. Please adjust your prompt. See 'failed_generation' for more details.",
    ],
    ["Groq, JSON mode", "Failed to validate JSON. Please adjust your prompt."],
    ["Groq, nothing made", "Failed to generate JSON. Please adjust your prompt."],
    ["a proxy", "json mode response failed: model output was not valid JSON (json_object)"],
    ["a form in its words", "The model's response did not match the response_format json_schema"],
  ])("lacks no layer, and may be asked again: %s", (_name, words) => {
    const refusal = { status: 400, words, parameter: undefined };
    expect(isBadAnswer(refusal)).toBe(true);
    expect(lackedLayer(refusal, "json-schema")).toBeUndefined();
    expect(lackedLayer({ ...refusal, parameter: "response_format" }, "json-mode")).toBeUndefined();
    expect(isBadAnswer({ ...refusal, status: 401 })).toBe(false);
  });

  it("is known by the server's code, and is a fault that passes", () => {
    const place = { baseUrl: "http://h/v1", model: "m", keyName: "K", key: "", now: 0 };
    const error = { message: "Bad response_format output.", code: "json_validate_failed" };
    const told = toProviderError(
      { status: 400, error, code: error.code },
      { ...place, layer: "json-schema" },
    );
    expect(told).toMatchObject({ code: "provider-failed", retryable: true });
    expect(told.details).not.toHaveProperty("lacks");
  });

  it("is not one of what was asked", () => {
    for (const words of [
      "response_format json_schema is not supported",
      "Failed to validate JSON schema: unsupported keyword `not`",
      "Invalid schema for response_format 'answer'",
      "model m not found",
    ])
      expect(isBadAnswer({ status: 400, words, parameter: undefined })).toBe(false);
  });
});

it("is told in the fault, of a status and inside a stream", () => {
  const place = { baseUrl: "http://h/v1", model: "m", keyName: "K", key: "", now: 0 };
  const error = { message: "response_format is not supported", code: 400 };
  for (const fault of [{ status: 400, error }, { error }]) {
    const told = toProviderError(fault, { ...place, layer: "json-schema" });
    expect(told.details).toMatchObject({ lacks: "json-schema", status: 400 });
    expect(toProviderError(fault, place).details).not.toHaveProperty("lacks");
  }
});
