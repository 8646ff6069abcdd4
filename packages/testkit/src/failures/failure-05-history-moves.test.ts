import { providers } from "@loopwright/providers";
import { afterEach, describe, expect, it } from "vitest";
import { builtIn, packageOf, toolOf } from "../promises/run-scripted.ts";
import { runSpec, type SpecRun } from "../run-spec.ts";
import { type StubOpenAi, stubOpenAi } from "../stub-servers/stub-openai.ts";
import type { StubReply } from "../stub-servers/stub-reply.ts";

type WireMessage = Readonly<Record<string, unknown>>;

const open: StubOpenAi[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

async function serve(reply: (messages: readonly WireMessage[]) => StubReply): Promise<StubOpenAi> {
  const server = await stubOpenAi({
    replies: ({ body }) => reply(body["messages"] as readonly WireMessage[]),
  });
  open.push(server);
  return server;
}

function run(
  from: { profile: string; url: string },
  to: { profile: string; url: string },
): Promise<SpecRun> {
  const spec = `apiVersion: loopwright/v1
name: history-moves
task: Find out how much is in stock.
model:
  use: ${from.profile}/first
  apiKey: k
  baseUrl: ${from.url}
  fallback: { use: ${to.profile}/second, apiKey: k, baseUrl: "${to.url}" }
strategy: react
tools: [stock]
`;
  const plugins = [...builtIn, providers, packageOf([toolOf("stock", () => "4")])];
  return runSpec(spec, { plugins });
}

const isCalling = (message: WireMessage): boolean => message["tool_calls"] !== undefined;
const CALLS: StubReply = {
  reasoning: "I look.",
  calls: [
    { id: "functions.stock:0", name: "stock", arguments: '{"item":"a"}' },
    { id: "functions.stock:1", name: "stock", arguments: '{"item":"b"}' },
  ],
};

/** An endpoint that calls once and is gone then. */
const caller = (): Promise<StubOpenAi> =>
  serve((messages) => (messages.some(isCalling) ? { status: 400, text: "gone" } : CALLS));

describe("a history with calls that moves to another provider", () => {
  it("brings no reasoning where that is refused, and ids that are taken (continue#11600)", async () => {
    const first = await caller();
    const second = await serve((messages) => {
      const ids = messages.flatMap(
        (message) =>
          (message["tool_calls"] as { id: string }[] | undefined)?.map(({ id }) => id) ?? [],
      );
      const results = messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
      const isRight =
        messages.every((message) => !("reasoning_content" in message)) &&
        ids.length === 2 &&
        ids.every((id) => /^[a-zA-Z0-9_-]{1,40}$/.test(id)) &&
        JSON.stringify(ids) === JSON.stringify(results);
      return isRight ? { text: "8 in all." } : { status: 400, text: "not as it must be" };
    });
    const { outcome } = await run(
      { profile: "kimi", url: first.url },
      { profile: "openai", url: second.url },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "8 in all." } });
    expect(second.requests).toHaveLength(1);
  });

  it("brings what stands for reasoning where that is wanted (vercel/ai#14729)", async () => {
    const first = await caller();
    const second = await serve((messages) =>
      messages.filter(isCalling).every((message) => message["reasoning_content"] === "")
        ? { text: "8 in all." }
        : { status: 400, text: "reasoning_content must be passed back" },
    );
    const { outcome } = await run(
      { profile: "openai", url: first.url },
      { profile: "deepseek", url: second.url },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "8 in all." } });
  });
});
