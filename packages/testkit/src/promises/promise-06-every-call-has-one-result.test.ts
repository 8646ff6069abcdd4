import type { Message, ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { calling, runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** What a strict endpoint would refuse in a conversation. */
function faultsOf(messages: readonly Message[]): readonly string[] {
  const faults: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.filter((id) => id === message.callId).length !== 1)
        faults.push(`a result for ${message.callId}, which nothing waits for`);
      open = open.filter((id) => id !== message.callId);
      continue;
    }
    if (open.length > 0) faults.push(`no result for ${open.join(", ")}`);
    open = message.role === "assistant" ? message.toolCalls.map(({ id }) => id) : [];
    if (open.includes("")) faults.push("a call without an id");
    const isEmpty = message.text.trim() === "" && open.length === 0;
    if (isEmpty) faults.push(`an empty ${message.role} message`);
  }
  return open.length > 0 ? [...faults, `no result for ${open.join(", ")} at the end`] : faults;
}

function expectValid({ requests, outcome }: ScriptedRun): void {
  for (const { messages } of requests) expect(faultsOf(messages)).toEqual([]);
  expect(faultsOf(outcome.state.thread?.messages ?? [])).toEqual([]);
}

const REACT = "tools: [stock]\nstrategy: { react: { maxSteps: 4, maxCallsPerStep: 2 } }\n";

describe("promise 6: every tool call has exactly one result in what a provider is sent", () => {
  it.each<readonly [string, readonly ScriptedReply[]]>([
    ["parallel calls", [calling("stock", "a", "b"), { text: "4" }]],
    ["calls above maxCallsPerStep", [calling("stock", "a", "b", "c", "d"), { text: "4" }]],
    ["unknown tools", [calling("stok", "a"), calling("drop table", "b"), { text: "4" }]],
    ["no name", [calling("", "a"), { text: "4" }]],
    [
      "invalid arguments",
      [
        {
          calls: [
            { name: "stock", arguments: '{"a":' },
            { name: "stock", arguments: "null" },
          ],
        },
        { text: "4" },
      ],
    ],
    ["text beside calls", [{ ...calling("stock", "a"), text: "Let me look." }, { text: "4" }]],
    ["an empty reply", [calling("stock", "a"), { text: "" }, { text: "4" }]],
    [
      "a finish reason that says nothing of calls",
      [{ ...calling("stock", "a"), finishReason: "other" }, { text: "4" }],
    ],
    [
      "ids that are empty",
      [
        {
          calls: [
            { name: "stock", id: "" },
            { name: "stock", id: "" },
          ],
        },
        { text: "4" },
      ],
    ],
    [
      "ids that never change",
      [
        {
          calls: [
            { name: "stock", id: "c" },
            { name: "stock", id: "c", arguments: { item: "b" } },
          ],
        },
        { calls: [{ name: "stock", id: "c", arguments: { item: "d" } }] },
        { text: "4" },
      ],
    ],
  ])("with %s", async (_name, replies) => {
    const run = await runScripted(REACT, replies, { plugins: [stock] });
    expect(run.outcome.outcome).toBe("done");
    expectValid(run);
  });

  it("with two empty replies, which leave no answer", async () => {
    const run = await runScripted(REACT, [{ text: "" }, { text: "" }], { plugins: [stock] });
    expect(run.outcome.fault?.code).toBe("output-empty");
    expectValid(run);
  });

  it("with calls in the last step, which leave what was found", async () => {
    const replies = Array.from({ length: 5 }, (_, n) => calling("stock", `${n}`));
    const run = await runScripted(REACT, replies, { plugins: [stock] });
    expect(run.outcome).toMatchObject({
      outcome: "done",
      answer: { evidence: ["observation-1", "observation-2", "observation-3"] },
    });
    expectValid(run);
  });

  it("tells how many calls a step leaves out", async () => {
    const replies = [calling("stock", "a", "b", "c", "d"), calling("stock", "e", "f"), "4"];
    const { events } = await runScripted(REACT, replies, { plugins: [stock] });
    const told = events.filter(({ name }) => name === "fact.told").map(({ data }) => data);
    expect(told).toEqual([{ fact: "calls.refused", data: { count: 2, max: 2 } }]);
  });

  it("in the order of the calls, whatever finishes first", async () => {
    const first = withResolvers();
    const late = toolOf("stock", async (item) => {
      if (item === "a") await first.promise;
      else first.resolve(undefined);
      return item;
    });
    const { requests } = await runScripted(REACT, [calling("stock", "a", "b"), "4"], {
      plugins: [late],
    });
    const results = requests[1]?.messages.filter((message) => message.role === "tool");
    expect(results?.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^<observation id="observation-1" tool="\w+">\na\n<\/observation>$/),
      expect.stringMatching(/^<observation id="observation-2" tool="\w+">\nb\n<\/observation>\n\n/),
    ]);
  });

  it("after a limit: in the conclusion too", async () => {
    const body = "tools: [stock]\nstrategy: { react: { maxSteps: 20 } }\n";
    const calls = (request: ProviderRequest): ScriptedReply =>
      request.tools.length > 0 ? calling("stock", "nut") : { text: "4" };
    const repeat = await runScripted(body, calls, { plugins: [stock] });
    expect(repeat.outcome.fault?.code).toBe("limit-repeat");
    expectValid(repeat);
    const tools = await runScripted(
      `${body}limits: { toolCalls: 2 }\n`,
      [calling("stock", "a", "b", "c"), "4"],
      { plugins: [stock] },
    );
    expect(tools.outcome.fault?.code).toBe("limit-tool-calls");
    expectValid(tools);
  });

  it("when a thread goes on in a second acting stage", async () => {
    const issue = { kind: "incomplete", detail: "d", requiredAction: "a", needs: "evidence" };
    const run = await runScripted(
      `tools: [stock]
strategy:
  - react: { maxSteps: 2 }
  - verify: { maxRounds: 1, revise: { react: { id: more, maxSteps: 2 } } }
`,
      [
        calling("stock", "a"),
        calling("stock", "b"),
        "3",
        { json: { outcome: "revise", issues: [issue], supportedEvidence: [] } },
        calling("stock", "c"),
        "4",
        { json: { outcome: "pass", issues: [], supportedEvidence: [] } },
      ],
      { plugins: [stock] },
    );
    expect(run.outcome.verified).toBe("pass");
    expectValid(run);
  });

  it("when an invalid answer is fed back", async () => {
    const run = await runScripted(
      `${REACT}output: { fields: { count: integer }, repair: 2 }\n`,
      [calling("stock", "a"), { text: "four" }, { text: "" }, { json: { count: 4 } }],
      { plugins: [stock] },
    );
    expect(run.outcome.value).toEqual({ count: 4 });
    expectValid(run);
  });
});

function withResolvers(): { promise: Promise<unknown>; resolve: (value: unknown) => void } {
  let resolve: (value: unknown) => void = () => undefined;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
