import type { AssistantMessage, Message, ProviderRequest } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { stubRequest } from "../../../testkit/src/stub-servers/stub-request.ts";
import { type RequestSettings, toMessagesRequest } from "./to-messages-request.ts";

const settings: RequestSettings = { stream: false, cache: "none" };

function bodyOf(changes: Partial<ProviderRequest>, more: Partial<RequestSettings> = {}): unknown {
  return toMessagesRequest(stubRequest(changes), { ...settings, ...more });
}

function turnsOf(...messages: readonly Message[]): unknown {
  return (bodyOf({ messages }) as { readonly messages: unknown }).messages;
}

const user = (text: string): Message => ({ role: "user", text });
const system = (text: string): Message => ({ role: "system", text });
const result = (callId: string, text: string, ok = true): Message => ({
  role: "tool",
  callId,
  name: "look",
  text,
  ok,
});
const calling = (
  calls: readonly (readonly [id: string, text: string])[],
  more: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: "assistant",
  text: "",
  reasoning: "",
  toolCalls: calls.map(([id, text]) => ({ id, name: "look", arguments: text })),
  ...more,
});
const said = (text: string): AssistantMessage => calling([], { text });
const words = (text: string): object => ({ type: "text", text });
const use = (id: string, input: object): object => ({ type: "tool_use", id, name: "look", input });
const back = (id: string, more: object): object => ({
  type: "tool_result",
  tool_use_id: id,
  ...more,
});

describe("a conversation", () => {
  it("puts the system above the messages, as one text", () => {
    expect(
      bodyOf({ messages: [system("Be brief."), user("hi"), system(" "), system("JSON.")] }),
    ).toEqual({
      model: "stub",
      max_tokens: 8_192,
      system: [words("Be brief.\n\nJSON.")],
      messages: [{ role: "user", content: [words("hi")] }],
    });
  });

  it("joins what one side says in a row, and leaves out texts without words", () => {
    expect(turnsOf(user("a"), user(" \n"), user("b"), said(""), user("c"))).toEqual([
      { role: "user", content: [words("a"), words("b")] },
      { role: "user", content: [words("c")] },
    ]);
  });

  it("begins and ends with the person", () => {
    const goOn = { role: "user", content: [words("Go on.")] };
    expect(turnsOf(said("hello"))).toEqual([
      goOn,
      { role: "assistant", content: [words("hello")] },
      goOn,
    ]);
    expect(turnsOf(system("x"))).toEqual([goOn]);
  });

  it("answers the calls of one message in one turn, the results first", () => {
    expect(
      turnsOf(
        user("q"),
        calling(
          [
            ["a", '{"x":1}'],
            ["b", ""],
          ],
          { text: "I look." },
        ),
        result("b", "", false),
        user("hurry"),
        result("a", "one"),
      ),
    ).toEqual([
      { role: "user", content: [words("q")] },
      { role: "assistant", content: [words("I look."), use("a", { x: 1 }), use("b", {})] },
      {
        role: "user",
        content: [back("b", { is_error: true }), back("a", { content: "one" }), words("hurry")],
      },
    ]);
  });

  it.each(["[1]", "nonsense", '"text"', "null"])("wraps the arguments %s", (text) => {
    expect(turnsOf(user("q"), calling([["a", text]]), result("a", "x"))).toContainEqual({
      role: "assistant",
      content: [use("a", { unreadable: text })],
    });
  });

  it("rewrites ids of other vendors, one to one", () => {
    expect(
      turnsOf(
        user("q"),
        calling([
          ["functions.look:0", "{}"],
          ["functions_look_0", "{}"],
        ]),
        result("functions.look:0", "one"),
        result("functions_look_0", "two"),
        calling([
          ["functions.look:0", "{}"],
          ["", "{}"],
        ]),
        result("functions.look:0", "three"),
        result("", "four"),
      ),
    ).toEqual([
      { role: "user", content: [words("q")] },
      { role: "assistant", content: [use("functions_look_0", {}), use("functions_look_0_2", {})] },
      {
        role: "user",
        content: [
          back("functions_look_0", { content: "one" }),
          back("functions_look_0_2", { content: "two" }),
        ],
      },
      { role: "assistant", content: [use("functions_look_0_3", {}), use("call", {})] },
      {
        role: "user",
        content: [
          back("functions_look_0_3", { content: "three" }),
          back("call", { content: "four" }),
        ],
      },
    ]);
  });

  it("tells a result without its call in words", () => {
    expect(turnsOf(result("gone", "42"))).toEqual([
      { role: "user", content: [words("Result of look:\n42")] },
    ]);
  });

  it("returns thinking as it came, in its place", () => {
    const thought = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
    const hidden = { type: "redacted_thinking", data: "ZGF0YQ" };
    const opaque = {
      content: [
        thought,
        { type: "text", text: "I look." },
        { type: "tool_use", id: "a" },
        hidden,
        { type: "tool_use", id: "b" },
      ],
    };
    const message = calling(
      [
        ["a", "{}"],
        ["b", "{}"],
      ],
      { text: "I look.", reasoning: "Hm.", opaque },
    );
    expect(turnsOf(user("q"), message, result("a", "1"), result("b", "2"))).toContainEqual({
      role: "assistant",
      content: [thought, words("I look."), use("a", {}), hidden, use("b", {})],
    });
    const { opaque: _, ...foreign } = message;
    expect(turnsOf(user("q"), foreign, result("a", "1"), result("b", "2"))).toContainEqual({
      role: "assistant",
      content: [words("I look."), use("a", {}), use("b", {})],
    });
  });
});

describe("tools", () => {
  const tools = [
    { name: "look", description: "Looks.", input: { type: "object", properties: {} } },
    { name: "any", description: "Takes anything.", input: {} },
  ];

  it("are offered with their schemas", () => {
    expect(bodyOf({ tools })).toMatchObject({
      tools: [
        { name: "look", description: "Looks.", input_schema: { type: "object", properties: {} } },
        { name: "any", description: "Takes anything.", input_schema: { type: "object" } },
      ],
    });
  });

  it("with a choice at the root say it in words", () => {
    const anyOf = [{ required: ["a"] }, { required: ["b"] }];
    const input = { type: "object", properties: { a: {}, b: {} }, anyOf };
    expect(bodyOf({ tools: [{ name: "pick", description: "Picks.", input }] })).toMatchObject({
      tools: [
        {
          name: "pick",
          description: `Picks.\n\nThe input also fits ${JSON.stringify({ anyOf })}.`,
          input_schema: { type: "object", properties: { a: {}, b: {} } },
        },
      ],
    });
  });

  it("that only the history names are named, and can't be called", () => {
    const messages = [
      user("q"),
      calling([
        ["a", "{}"],
        ["b", "{}"],
      ]),
      result("a", "x"),
      result("b", "x"),
    ];
    expect(bodyOf({ messages })).toMatchObject({
      tools: [{ name: "look", input_schema: { type: "object" } }],
      tool_choice: { type: "none" },
    });
  });

  it("are cached with the system, and with the conversation that goes on", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const messages = [system("s"), user("a"), said("b"), user("c")];
    expect(bodyOf({ tools, messages }, { cache: "auto" })).toMatchObject({
      system: [{ text: "s", ...mark }],
      tools: [{ name: "look" }, { name: "any", ...mark }],
      messages: [{}, {}, { content: [{ text: "c", ...mark }] }],
    });
    const alone = JSON.stringify(bodyOf({ messages }, { cache: "auto" }));
    expect(alone.match(/cache_control/g)).toHaveLength(1);
    expect(JSON.stringify(bodyOf({ tools, messages }))).not.toContain("cache_control");
  });
});

describe("the form of the output", () => {
  const schema = { type: "object", properties: {}, additionalProperties: false };

  it.each(["json-mode", "prompt"] as const)("is left to words on the layer %s", (layer) => {
    expect(bodyOf({ output: { name: "x", schema, layer } })).not.toHaveProperty("output_config");
  });

  it("is asked for by schema, beside the effort", () => {
    const output = { name: "x", schema, layer: "json-schema" as const };
    const format = { type: "json_schema", schema };
    expect(bodyOf({ output })).toMatchObject({ output_config: { format } });
    expect(
      bodyOf({ output, model: "claude-sonnet-5-5", sampling: { effort: "low" } }),
    ).toMatchObject({ output_config: { effort: "low", format } });
  });
});
