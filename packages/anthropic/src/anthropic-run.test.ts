import { createApp } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openai } from "../../providers/src/openai.ts";
import { runScripted, type ScriptedRun, toolOf } from "../../testkit/src/promises/run-scripted.ts";
import type { StubMessage } from "../../testkit/src/stub-servers/anthropic-wire.ts";
import {
  type StubAnthropic,
  stubAnthropic,
} from "../../testkit/src/stub-servers/stub-anthropic.ts";
import { type StubOpenAi, stubOpenAi } from "../../testkit/src/stub-servers/stub-openai.ts";
import type { StubReply } from "../../testkit/src/stub-servers/stub-reply.ts";
import { repositoryRoot } from "../../testkit/src/specs/example-specs.ts";
import { anthropic } from "./anthropic.ts";

const KEY = "sk-ant-0123456789";
const stock = toolOf("stock", (item) => `${item}: 4`);

let replies: StubMessage[];
let others: StubReply[];
let server: StubAnthropic;
let other: StubOpenAi;

beforeEach(async () => {
  replies = [];
  others = [];
  const down = { status: 500, text: "nothing left to say" };
  server = await stubAnthropic({ replies: () => replies.shift() ?? down });
  other = await stubOpenAi({ replies: () => others.shift() ?? down });
});

afterEach(async () => {
  await server.close();
  await other.close();
});

function run(body: string): Promise<ScriptedRun> {
  const plugins = [stock, anthropic, openai];
  return runScripted(body, [], { plugins, env: { ANTHROPIC_API_KEY: KEY } });
}

interface Turn {
  readonly role: string;
  readonly content: readonly Readonly<Record<string, unknown>>[];
}

const turnsOf = (request: number): readonly Turn[] =>
  server.requests[request]?.["messages"] as readonly Turn[];

const call = { type: "tool_use", id: "toolu_1", name: "stock", input: { item: "nut" } };
const thought = { type: "thinking", thinking: "Look first.", signature: "EqQBCgIYAhIM" };
const hidden = { type: "redacted_thinking", data: "EmwKAhgBEgy3" };
const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 1_000,
  cache_creation_input_tokens: 400,
  output_tokens: 50,
};

describe.each([true, false])("a spec with anthropic (stream: %s)", (stream) => {
  const model = (more = ""): string =>
    `model: { use: anthropic/claude-sonnet-4-5, baseUrl: "${server.url}", stream: ${stream}${more} }\n`;

  it("calls tools, returns its thinking verbatim, and answers by schema at its price", async () => {
    replies = [
      { blocks: [thought, hidden, { type: "text", text: "I look." }, call], usage },
      { text: '{"count": 4}', usage },
    ];
    const price = "price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 }";
    const { outcome } = await run(
      `${model(`, effort: low, ${price}`)}tools: [stock]\nstrategy: react\noutput: { fields: { count: integer } }\n`,
    );
    expect(outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(turnsOf(1).at(-2)).toEqual({
      role: "assistant",
      content: [thought, hidden, { type: "text", text: "I look." }, call],
    });
    expect(turnsOf(1).at(-1)?.content[0]).toMatchObject({
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: expect.stringContaining("nut: 4") as string,
    });
    expect(server.requests[1]).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 2_048 },
      tools: [{ name: "stock" }],
    });
    expect(server.requests[1]?.["stream"] === true).toBe(stream);
    const { spending } = outcome;
    expect(spending).toMatchObject({
      modelCalls: 2,
      usage: { input: 200, cacheRead: 2_000, cacheWrite: 800, output: 100, reasoning: 0 },
    });
    const each = 100 * 3 + 1_000 * 0.3 + 400 * 3.75 + 50 * 15;
    expect(spending.usd).toBeCloseTo((2 * each) / 1_000_000, 12);
  });

  it("asks for the schema in its dialect, and in words where the endpoint has none", async () => {
    const refusal = "output_config.format: The compiled grammar is too large.";
    replies = [
      { status: 400, text: refusal, finishReason: "invalid_request_error" },
      { text: '{"count": 4}' },
    ];
    const { outcome } = await run(
      `${model()}strategy: direct\noutput: { fields: { count: { type: integer, minimum: 1 } } }\n`,
    );
    expect(outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    const [first, second] = server.requests;
    expect(first?.["output_config"]).toMatchObject({
      format: {
        type: "json_schema",
        schema: { properties: { count: { type: "integer" } }, additionalProperties: false },
      },
    });
    expect(JSON.stringify(first?.["output_config"])).not.toContain("minimum");
    expect(second).not.toHaveProperty("output_config");
  });

  it("never tells the key, also where the endpoint repeats it", async () => {
    replies = [{ status: 401, text: `invalid key ${KEY}` }];
    const { outcome, events } = await run(`${model()}strategy: direct\n`);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "provider-unauthorized" } });
    expect(JSON.stringify([outcome, events])).not.toContain(KEY);
  });
});

describe("a history that moves", () => {
  const models = (first: string, second: string): string =>
    `model: { use: ${first}, fallback: second, retry: 1 }\nmodels: { second: { use: ${second} } }\n`;
  const react = "tools: [stock]\nstrategy: react\n";
  const own = (): string => `anthropic/claude-sonnet-4-5, baseUrl: "${server.url}", effort: low`;
  const foreign = (): string => `openai/gpt-4o, baseUrl: "${other.url}"`;

  it("from openai goes on with ids that the protocol takes, and without thinking that was not there", async () => {
    const calls = [1, 2].map((index) => ({
      id: `functions.stock:${index}`,
      name: "stock",
      arguments: '{"item":"nut"}',
    }));
    others = [
      { calls, reasoning: "hm" },
      { status: 400, text: "gone" },
    ];
    replies = [{ text: "There are 4." }];
    const { outcome } = await run(models(foreign(), own()) + react);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "There are 4." } });
    expect(turnsOf(0).slice(1)).toMatchObject([
      {
        role: "assistant",
        content: [1, 2].map((index) => ({ type: "tool_use", id: `functions_stock_${index}` })),
      },
      {
        role: "user",
        content: [1, 2].map((index) => ({
          type: "tool_result",
          tool_use_id: `functions_stock_${index}`,
        })),
      },
    ]);
    expect(server.requests[0]).not.toHaveProperty("thinking");
  });

  it("to openai goes without this protocol's thinking", async () => {
    replies = [
      { blocks: [thought, call], usage },
      { status: 400, text: "gone" },
    ];
    others = [{ text: "There are 4." }];
    const { outcome } = await run(models(own(), foreign()) + react);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "There are 4." } });
    const body = JSON.stringify(other.requests[0]);
    expect(body).toContain('"tool_call_id":"toolu_1"');
    expect(body).not.toMatch(/signature|thinking|EqQBCgIYAhIM/);
  });
});

it("is found by its manifest among the project's dependencies", async () => {
  const app = await createApp({ root: repositoryRoot, env: {} });
  const { plugins, broken } = app.plugins();
  expect(broken.has("@loopwright/anthropic")).toBe(false);
  expect(plugins).toContainEqual(
    expect.objectContaining({
      kind: "provider",
      id: "anthropic",
      package: "@loopwright/anthropic",
    }) as object,
  );
  await app.close();
});
