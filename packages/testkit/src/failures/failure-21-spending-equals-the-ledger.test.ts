import { afterEach, describe, expect, it } from "vitest";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Usage } from "@loopwright/core";
import type { StubReply } from "../stub-servers/stub-reply.ts";
import { type EndpointApp, openEndpointApp } from "./endpoint-app.ts";

// vercel/ai#14382, langfuse#9482: retries and sub-agents are counted as the endpoint counts them.

let app: EndpointApp | undefined;
let root: string | undefined;
afterEach(async () => {
  await app?.close();
  if (root !== undefined) await rm(root, { recursive: true, force: true });
});

/** What the endpoint put on the bill, request by request. */
interface Bill {
  requests: number;
  input: number;
  output: number;
}

/** Fails each third request; what it answers costs more from call to call. */
function endpoint(bill: Bill): (index: number) => StubReply {
  return (index) => {
    bill.requests += 1;
    if (index % 3 === 0) return { status: 503 };
    const [input, output] = [100 + index, 10 + index];
    bill.input += input;
    bill.output += output;
    return {
      text: "four",
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    };
  };
}

describe.each([{ stream: true }, { stream: false }])("with stream: $stream", ({ stream }) => {
  it("equals what the endpoint counted, over retries, branches and an agent inside", async () => {
    const bill: Bill = { requests: 0, input: 0, output: 0 };
    root = await mkdtemp(join(tmpdir(), "loopwright-ledger-"));
    app = await openEndpointApp(endpoint(bill), root);
    const inner = join(root, "inner.yaml");
    await writeFile(
      inner,
      `apiVersion: loopwright/v1\nname: inner\ntask: Say it.\nmodel: { use: vllm/stub, baseUrl: "${app.server.url}", stream: ${stream}, retry: 4, breaker: none }\nstrategy: direct\n`,
    );
    const rest = `strategy:
  - self-consistency: { samples: 4, do: direct }
  - agent: { spec: ${JSON.stringify(inner)} }
  - direct: { id: last }`;
    const { outcome } = await app.run(`stream: ${stream}, retry: 4, breaker: none`, rest);
    const { spending, ...end } = await outcome;
    expect(end).toMatchObject({ outcome: "done" });
    expect(app.server.requests).toHaveLength(bill.requests);
    expect(bill.requests).toBeGreaterThan(6);
    expect(spending.modelCalls).toBe(bill.requests);
    expect(totalsOf(spending.usage)).toEqual({ input: bill.input, output: bill.output });
  });
});

function totalsOf({ input, cacheRead, cacheWrite, output }: Usage) {
  return { input: input + cacheRead + cacheWrite, output };
}
