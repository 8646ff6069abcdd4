import { describe, expect, it } from "vitest";
import { stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { profileOf } from "./profiles.ts";
import { toRequest } from "./to-request.ts";

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
    ["openai", { max_completion_tokens: 9, reasoning_effort: "none" }],
    ["deepseek", { max_tokens: 9, thinking: { type: "disabled" } }],
    ["qwen", { max_tokens: 9, enable_thinking: false }],
    ["vllm", { max_tokens: 9, chat_template_kwargs: { enable_thinking: false } }],
  ])("says limits and no reasoning in the words of %s", (id, expected) => {
    const sampling = {
      temperature: 0,
      maxTokens: 9,
      effort: "none",
      stop: ["\nObservation:"],
    } as const;
    const body = toRequest(stubRequest({ sampling }), profileOf(id), false);
    expect(body).toEqual({
      model: "stub",
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

describe("schemas", () => {
  const format = (id: string, schema: object, tools: (typeof tool)[] = []): unknown =>
    toRequest(
      stubRequest({ output: { name: "my answer", schema: schema as never }, tools }),
      profileOf(id),
      false,
    )["response_format"];

  it.each([
    [
      "openai",
      closed,
      { type: "json_schema", json_schema: { name: "my_answer", strict: true, schema: closed } },
    ],
    [
      "openai",
      open,
      { type: "json_schema", json_schema: { name: "my_answer", strict: false, schema: open } },
    ],
    [
      "ollama",
      closed,
      { type: "json_schema", json_schema: { name: "my_answer", strict: false, schema: closed } },
    ],
    ["deepseek", closed, { type: "json_object" }],
    ["qwen", { type: "array" }, undefined],
  ])("%s", (id, schema, expected) => {
    expect(format(id, schema)).toEqual(expected);
  });

  it("is strict only when OpenAI takes it", () => {
    const nested = { ...closed, properties: { a: { type: "array", items: open } } };
    const strict = (schema: object): unknown =>
      (format("openai", schema) as { json_schema: { strict: boolean } }).json_schema.strict;
    expect(strict(nested)).toBe(false);
    expect(strict({ ...closed, properties: { a: { type: "array", items: closed } } })).toBe(true);
    expect(strict({ ...closed, properties: { a: { oneOf: [closed] } } })).toBe(false);
    expect(strict({ ...closed, properties: { a: { anyOf: [closed, { type: "null" }] } } })).toBe(
      true,
    );
  });

  it("stands beside tools only for OpenAI", () => {
    expect(format("openai", closed, [tool])).toBeDefined();
    for (const id of ["deepseek", "kimi", "qwen", "ollama", "vllm"])
      expect(format(id, closed, [tool])).toBeUndefined();
  });

  it("asks Kimi not to hold tools to its dialect", () => {
    const body = toRequest(stubRequest({ tools: [tool] }), profileOf("kimi"), false);
    expect(body["tools"]).toEqual([
      {
        type: "function",
        function: { name: "find", description: "Finds.", parameters: open, strict: false },
      },
    ]);
  });
});
