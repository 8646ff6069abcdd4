import type { RunEvent } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import type { SpecRun } from "../run-spec.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import { type OrderDesk, openOrderDesk } from "./order-desk-run.ts";

const KEY = "sk-stub-0123456789";

let desk: OrderDesk;
let server: StubOpenAi;
beforeEach(async () => {
  desk = await openOrderDesk();
  server = await stubOpenAi({ replies: (_request, index) => REPLIES[index] ?? { status: 500 } });
});
afterEach(async () => {
  await server.close();
  await desk.close();
});

describe.each([{ stream: true }, { stream: false }])("with stream: $stream", ({ stream }) => {
  it("takes the same way over the wire, with native tool calls", async () => {
    const { outcome, events } = await ask(stream);
    expect(unbalanced(events)).toEqual([]);
    expect(outcome).toMatchObject({
      outcome: "done",
      verified: "pass",
      value: { reply: expect.stringContaining("can't promise a day"), addressChanged: false },
      answer: { evidence: ["observation-1"], revision: 3 },
    });
    expect(server.requests.map(pathOfRequest)).toEqual([
      "deepseek-v4-flash json",
      "deepseek-v4-flash tools",
      "deepseek-v4-flash tools",
      "deepseek-v4-flash json",
      "deepseek-v4-flash tools",
      "deepseek-v4-flash tools",
      "deepseek-v4-pro json",
      "deepseek-v4-flash json",
    ]);
    for (const body of server.requests) expect(body["stream"] === true).toBe(stream);
    for (const { headers } of server.received)
      expect(headers["authorization"]).toBe(`Bearer ${KEY}`);
  });

  it("sends each result back under the id of its call", async () => {
    await ask(stream);
    const messages = server.requests[2]?.["messages"] as readonly WireMessage[];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(messages[2]).toMatchObject({
      tool_calls: [{ id: "call-a", type: "function", function: { name: "orders_query" } }],
    });
    expect(messages[3]).toMatchObject({
      tool_call_id: "call-a",
      content: expect.stringContaining('<observation id="observation-1"'),
    });
    const before = server.requests[5]?.["messages"] as readonly WireMessage[];
    // What a step alone is told stands behind its last message, and is not kept.
    const [kept, last] = [messages.slice(0, -1), messages.at(-1)];
    expect(before.slice(0, kept.length)).toEqual(kept);
    const { content } = before[kept.length] ?? {};
    expect(last?.content).toMatch(/<\/observation>\n/);
    expect(last?.content?.startsWith(String(content))).toBe(true);
  });

  it("counts the usage, and the money at the prices of the spec", async () => {
    const { outcome } = await ask(stream);
    const { spending } = outcome;
    expect(spending).toMatchObject({ modelCalls: 8, toolCalls: 2 });
    expect(spending.usage).toEqual({
      input: 8 * 800,
      cacheRead: 8 * 200,
      cacheWrite: 0,
      output: 8 * 100,
      reasoning: 8 * 40,
    });
    // Seven calls at 0.50 and 1.00 a million, one of the judge at 1.00 and 2.00.
    const flash = (1_000 * 0.5 + 100 * 1) / 1_000_000;
    const pro = (1_000 * 1 + 100 * 2) / 1_000_000;
    expect(spending.usd).toBeCloseTo(7 * flash + pro, 12);
  });

  it("never tells the key, also where the endpoint repeats it", async () => {
    const { outcome, events } = await ask(stream);
    const told = JSON.stringify([outcome, events]);
    expect(told).not.toContain(KEY);
    expect(told).toContain("asked with the key [redacted]");
  });
});

it("tells a streamed reply piece by piece, inside its call, and the same text at the end", async () => {
  const { events } = await ask(true);
  expect(eventNames(events).slice(4, 8)).toEqual([
    "stage.start plan-and-solve",
    "model-call.start",
    "model-call.delta",
    "model-call.delta",
  ]);
  expect(toldTexts(events)).toEqual(endTexts(events));
});

it("gives the same events streamed or not, but for the pieces", async () => {
  const streamed = await ask(true);
  await server.close();
  await desk.close();
  desk = await openOrderDesk();
  server = await stubOpenAi({ replies: (_request, index) => REPLIES[index] ?? { status: 500 } });
  const whole = await ask(false);
  const without = ["model-call.delta"] as const;
  expect(eventNames(whole.events, { without })).toEqual(eventNames(streamed.events, { without }));
});

interface WireMessage {
  readonly role: string;
  readonly content?: string;
}

function ask(stream: boolean): Promise<SpecRun> {
  const endpoint = ["model", "models.judge"].flatMap((path) => [
    { path: `${path}.baseUrl`, value: server.url },
    { path: `${path}.stream`, value: stream },
  ]);
  return desk.run("A20260824001", "Where is my parcel?", {
    env: { DEEPSEEK_API_KEY: KEY },
    compile: { models: [], overrides: [...desk.overrides, ...endpoint] },
  });
}

/** Which model a request asks, and whether it offers tools or wants JSON. */
function pathOfRequest(body: Readonly<Record<string, unknown>>): string {
  const wants = [
    ...(body["tools"] === undefined ? [] : ["tools"]),
    ...(body["response_format"] === undefined ? [] : ["json"]),
  ];
  return [body["model"], ...wants].join(" ");
}

/** The pieces of text of each model call that was told in pieces, joined. */
function toldTexts(events: readonly RunEvent[]): readonly string[] {
  const texts = new Map<string, string>();
  for (const event of events) {
    if (event.name === "model-call.start") texts.set(event.spanId, "");
    if (event.name !== "model-call.delta" || event.data.kind !== "text") continue;
    texts.set(event.spanId, (texts.get(event.spanId) ?? "") + event.data.text);
  }
  return [...texts.values()];
}

function endTexts(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) => (event.name === "model-call.end" ? [event.data.text] : []));
}

const usage = {
  prompt_tokens: 1_000,
  completion_tokens: 100,
  prompt_tokens_details: { cached_tokens: 200 },
  completion_tokens_details: { reasoning_tokens: 40 },
};

const say = (value: object): StubReply => ({ text: JSON.stringify(value), usage });

const reply = (text: string): StubReply =>
  say({
    reply: text,
    addressChanged: false,
    evidence: ["observation-1"],
    solvable: true,
    unsolvableReason: null,
  });

const lookUp = (id: string): StubReply => ({
  text: "I look the order up.",
  reasoning: "The order has to be seen first.",
  calls: [{ id, name: "orders_query", arguments: '{"orderId":"A20260824001"}' }],
  usage,
});

const REPLIES: readonly StubReply[] = [
  say({
    goal: "Tell the customer where the order is.",
    constraints: [],
    conflicts: [],
    steps: [
      {
        id: "step-1",
        objective: "Look the order up.",
        needsExternalInfo: true,
        successCondition: "The status is known.",
        dependsOn: [],
      },
    ],
  }),
  lookUp("call-a"),
  reply("Your parcel left us on 2026-08-25 and will be with you on 2026-08-28."),
  reply("Your parcel left us on 2026-08-25. I am checking when it arrives."),
  lookUp("call-b"),
  reply("Your parcel left us on 2026-08-25. I can't promise a day."),
  {
    ...say({ outcome: "pass", issues: [], supportedEvidence: ["observation-1"] }),
    reasoning: `asked with the key ${KEY}`,
  },
  say({
    trigger: "a customer asks when a parcel arrives",
    failurePattern: "the reply named a date that stood in no tool result",
    lesson: "Name a date only where a tool returned it.",
    avoid: "working a date out",
  }),
];
