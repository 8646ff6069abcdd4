import type { ConstraintLayer } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { profileOf, profiles } from "./profiles.ts";
import { layerOf, toRequest } from "./to-request.ts";
import { toOwnArguments } from "./to-tools.ts";

const closed = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};
const open = { type: "object", properties: { a: { type: "string" } } };
const tool = { name: "find", description: "Finds.", input: open };

describe("requests", () => {
  it("translates every role, with opaque fields as they came", () => {
    const body = toRequest(
      stubRequest({
        messages: [
          { role: "system", text: "s" },
          { role: "user", text: "u" },
          {
            role: "assistant",
            text: "",
            reasoning: "hm",
            toolCalls: [{ id: "c1", name: "find", arguments: '{"a":"b"}' }],
            opaque: { reasoning_content: "hm", role: "intruder" },
          },
          { role: "tool", callId: "c1", name: "find", text: "found", ok: true },
          { role: "assistant", text: "done", reasoning: "", toolCalls: [] },
        ],
      }),
      profileOf("deepseek"),
      false,
    );
    expect(body).toEqual({
      model: "stub",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "u" },
        {
          role: "assistant",
          content: null,
          reasoning_content: "hm",
          tool_calls: [
            { id: "c1", type: "function", function: { name: "find", arguments: '{"a":"b"}' } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: "found" },
        { role: "assistant", content: "done" },
      ],
    });
  });

  it.each(['{"a":', "null", "[1]", '"x"', '{"a":1}{"b":2}'])(
    "keeps the history readable for arguments %s",
    (text) => {
      const message = {
        role: "assistant",
        text: "",
        reasoning: "",
        toolCalls: [{ id: "c", name: "f", arguments: text }],
      } as const;
      const body = toRequest(stubRequest({ messages: [message] }), profileOf("vllm"), false);
      expect(JSON.stringify(body)).toContain(JSON.stringify(JSON.stringify({ unreadable: text })));
    },
  );

  it("asks for usage when it streams", () => {
    expect(toRequest(stubRequest(), profileOf("openai"), true)).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it.each([
    ["openai", "gpt-5.2", { max_completion_tokens: 9, reasoning_effort: "none" }],
    ["deepseek", "deepseek-chat", { max_tokens: 9, thinking: { type: "disabled" } }],
    ["qwen", "qwen3-max", { max_tokens: 9, enable_thinking: false }],
    ["vllm", "m", { max_tokens: 9, chat_template_kwargs: { enable_thinking: false } }],
  ])("says limits and no reasoning in the words of %s %s", (id, model, expected) => {
    const sampling = {
      temperature: 0,
      maxTokens: 9,
      effort: "none",
      stop: ["\nObservation:"],
    } as const;
    const body = toRequest(stubRequest({ model, sampling }), profileOf(id), false);
    expect(body).toEqual({
      model,
      messages: body["messages"],
      temperature: 0,
      stop: ["\nObservation:"],
      ...expected,
    });
  });

  it("leaves the endpoint's defaults alone", () => {
    expect(Object.keys(toRequest(stubRequest(), profileOf("openai"), false))).toEqual([
      "model",
      "messages",
    ]);
  });
});

describe("thinking", () => {
  const said = (id: string, changes: Parameters<typeof stubRequest>[0], stream = true): object => {
    const {
      messages: _,
      model: __,
      stream: ___,
      stream_options: ____,
      ...rest
    } = toRequest(stubRequest(changes), profileOf(id), stream);
    return rest;
  };
  const json = { name: "a", schema: closed, layer: "json-mode" } as const;

  it.each([
    ["openai", "gpt-5.2", "minimal", { reasoning_effort: "minimal" }],
    ["openai", "o3", "none", {}],
    ["openai", "gpt-5.2", "none", { reasoning_effort: "none" }],
    ["openai", "gpt-4o", "none", {}],
    ["openai", "gpt-5-chat-latest", "none", {}],
    ["openai", "ft:gpt-4o-mini-2024-07-18:acme::abc", "none", {}],
    ["openai", "ft:gpt-5.1-2025-11-13:acme::abc", "none", { reasoning_effort: "none" }],
    ["openai", "gpt-5-codex", "none", {}],
    ["openai", "gpt-5.1-codex-max", "none", {}],
    ["openai", "gpt-5.2-pro", "none", {}],
    ["openai", "codex-mini-latest", "none", {}],
    ["openai", "nobody-knows", "none", {}],
    ["openai", "nobody-knows", "low", { reasoning_effort: "low" }],
    ["deepseek", "deepseek-v4-pro", "none", { thinking: { type: "disabled" } }],
    ["deepseek", "deepseek-reasoner", "none", {}],
    ["deepseek", "m", "medium", { thinking: { type: "enabled" }, reasoning_effort: "high" }],
    ["deepseek", "m", "minimal", { thinking: { type: "enabled" }, reasoning_effort: "low" }],
    ["kimi", "kimi-k2.6", "none", { thinking: { type: "disabled" } }],
    ["kimi", "kimi-k2-thinking", "none", {}],
    ["kimi", "kimi-k2.6", "high", { thinking: { type: "enabled" } }],
    ["qwen", "qwen3-max", "high", { enable_thinking: true }],
    ["glm", "glm-5", "none", { thinking: { type: "disabled" } }],
    ["gemini-compat", "gemini-2.5-flash", "none", { reasoning_effort: "none" }],
    ["gemini-compat", "gemini-2.5-pro", "none", {}],
    ["gemini-compat", "gemini-2.0-flash", "none", {}],
    ["gemini-compat", "gemma-3-27b-it", "none", {}],
    ["kimi", "moonshot-v1-8k", "none", {}],
    ["glm", "glm-4-plus", "none", {}],
    ["custom", "mistral-large-latest", "none", {}],
    ["anthropic-compat", "m", "high", {}],
    ["ollama", "m", "none", { reasoning_effort: "none" }],
    ["vllm", "m", "none", { chat_template_kwargs: { enable_thinking: false } }],
    ["llamacpp", "m", "low", { chat_template_kwargs: { reasoning_effort: "low" } }],
    ["openrouter", "m", "none", { reasoning: { effort: "none" } }],
    ["custom", "m", "high", { reasoning_effort: "high" }],
  ] as const)("of %s %s at effort %s", (id, model, effort, expected) => {
    expect(said(id, { model, sampling: { effort } })).toEqual(expected);
  });

  it("is refused in the words that a spec gives, of a model that nobody else knows", () => {
    const none = { think: false };
    const profile = profileOf("custom", { efforts: { none } });
    const request = stubRequest({ model: "m", sampling: { effort: "none" } });
    expect(toRequest(request, profile, true)).toMatchObject(none);
  });

  it("is off for JSON where the endpoint wants that, unless the spec says an effort", () => {
    expect(said("qwen", { output: json })).toMatchObject({ enable_thinking: false });
    expect(said("ollama", { output: json })).toMatchObject({ reasoning_effort: "none" });
    expect(said("qwen", { output: json, sampling: { effort: "low" } })).toMatchObject({
      enable_thinking: true,
    });
    expect(said("qwen", { output: { ...json, layer: "prompt" } })).toEqual({});
    expect(said("deepseek", { output: json })).toEqual({
      response_format: { type: "json_object" },
    });
  });

  it("is off for whole replies of Qwen", () => {
    expect(said("qwen", {}, false)).toEqual({ enable_thinking: false });
    expect(said("qwen", {}, true)).toEqual({});
  });

  it.each(["json-schema", "json-mode"] as const)(
    "counts more than the form where the vendor refuses both: %s",
    (layer) => {
      const output = { name: "a", schema: closed, layer };
      const high = stubRequest({ output, sampling: { effort: "high" } });
      const asked = (id: string): unknown => said(id, { output, sampling: { effort: "high" } });
      expect(asked("qwen")).toEqual({ enable_thinking: true });
      expect(asked("deepseek")).toHaveProperty("response_format");
      // What is not asked for can't be lacked.
      expect(layerOf(high, profileOf("qwen"), true)).toBe("prompt");
      expect(layerOf(stubRequest({ output }), profileOf("qwen"), true)).toBe(layer);
      expect(layerOf(high, profileOf("deepseek"), true)).toBe(layer);
    },
  );

  it.each([
    ["deepseek", "deepseek-v4-pro", undefined, []],
    ["deepseek", "deepseek-v4-pro", "none", ["temperature"]],
    ["deepseek", "deepseek-chat", undefined, ["temperature"]],
    ["deepseek", "deepseek-chat", "low", []],
    ["openai", "o3", undefined, []],
    ["openai", "gpt-4o", undefined, ["temperature"]],
    ["qwen", "qwq-plus", undefined, ["temperature"]],
  ] as const)("leaves out what can't be said then: %s %s %s", (id, model, effort, expected) => {
    const sampling = { temperature: 0.5, ...(effort === undefined ? {} : { effort }) };
    const names = Object.keys(said(id, { model, sampling }));
    expect(names.filter((name) => name === "temperature")).toEqual(expected);
  });
});

describe("schemas", () => {
  const format = (id: string, layer: ConstraintLayer, schema: object): unknown =>
    toRequest(
      stubRequest({ output: { name: "my answer", schema: schema as never, layer } }),
      profileOf(id),
      false,
    )["response_format"];
  const schema = { name: "my_answer", schema: closed };

  it.each([
    ["openai", "json-schema", { type: "json_schema", json_schema: { ...schema, strict: true } }],
    ["qwen", "json-schema", { type: "json_schema", json_schema: { ...schema, strict: true } }],
    ["ollama", "json-schema", { type: "json_schema", json_schema: schema }],
    ["openai", "json-mode", { type: "json_object" }],
    ["deepseek", "json-mode", { type: "json_object" }],
    ["openai", "prompt", undefined],
  ] as const)("%s on the layer %s", (id, layer, expected) => {
    expect(format(id, layer, closed)).toEqual(expected);
  });

  it("ask for no JSON mode where the whole is no object", () => {
    expect(format("deepseek", "json-mode", { type: "array" })).toBeUndefined();
  });
});

describe("tools", () => {
  const union = {
    anyOf: [
      { type: "object", properties: { kind: { const: "a" }, size: { type: "number" } } },
      { $ref: "#/$defs/other" },
    ],
    $defs: { other: { type: "object", properties: { kind: { const: "b" } }, required: ["kind"] } },
  };
  const sent = (id: string, input: object, overrides = {}): unknown => {
    const tools = [{ name: "find", description: "Finds.", input: input as never }];
    const body = toRequest(stubRequest({ tools }), profileOf(id, overrides), true);
    return (body["tools"] as [{ function: unknown }])[0].function;
  };

  it("go as they are where the endpoint takes any schema", () => {
    const expected = { name: "find", description: "Finds.", parameters: open };
    for (const id of ["openai", "deepseek", "qwen", "vllm", "anthropic-compat"])
      expect(sent(id, open)).toEqual(expected);
  });

  it("are held to Kimi's dialect, and left open where it can't say them", () => {
    expect(sent("kimi", open)).toEqual({ name: "find", description: "Finds.", parameters: open });
    expect(sent("kimi", union)).toMatchObject({
      parameters: { type: "object", properties: { size: { type: "number" } } },
      strict: false,
    });
    const parameters = (sent("kimi", union) as { parameters: object }).parameters;
    expect(parameters).not.toHaveProperty("anyOf");
    expect(parameters).not.toHaveProperty("required");
  });

  it.each(Object.keys(profiles))("never fail a request for a root that is a union: %s", (id) => {
    for (const schema of [
      union,
      { oneOf: union.anyOf, $defs: union.$defs },
      { type: "string" },
      {},
    ])
      expect(sent(id, schema)).toMatchObject({ parameters: { type: "object" } });
    expect(JSON.stringify(sent(id, union))).toMatch(/"kind".*"a".*"b"/);
  });

  it("are called with fields left out in the form of their own schema", () => {
    const strict = profileOf("openai", { toolDialect: "openai", toolFields: { strict: true } });
    const input = { ...closed, required: [] };
    const strictTool = { name: "find", description: "Finds.", input };
    const body = toRequest(stubRequest({ tools: [strictTool] }), strict, true);
    expect(body["tools"]).toMatchObject([
      { function: { strict: true, parameters: { required: ["a"] } } },
    ]);
    const lax = toRequest(stubRequest({ tools: [{ ...strictTool, input: union }] }), strict, true);
    expect(JSON.stringify(lax["tools"])).not.toContain("strict");
    expect(toOwnArguments('{"a":null}', strictTool, strict)).toBe("{}");
    expect(toOwnArguments('{"a": "x"}', strictTool, strict)).toBe('{"a": "x"}');
    expect(toOwnArguments('{"a"', strictTool, strict)).toBe('{"a"');
    for (const text of ['{"a":null,"a":null}', '{"a":null,"b":12345678901234567890}'])
      expect(toOwnArguments(text, strictTool, strict)).toBe(text);
  });

  it("say what streams of GLM need, and nothing about parallel calls unless told", () => {
    const request = stubRequest({ tools: [tool] });
    expect(toRequest(request, profileOf("glm"), true)).toMatchObject({ tool_stream: true });
    expect(toRequest(request, profileOf("glm"), true)).not.toHaveProperty("stream_options");
    expect(toRequest(request, profileOf("glm"), false)).not.toHaveProperty("tool_stream");
    expect(toRequest(request, profileOf("openai"), true)).not.toHaveProperty("parallel_tool_calls");
    expect(toRequest(request, profileOf("openai", { parallelCalls: false }), true)).toMatchObject({
      parallel_tool_calls: false,
    });
  });
});
