import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";

const BODY =
  "tools: [stock]\nstrategy: { react: { maxSteps: 4 } }\noutput: { fields: { count: integer } }\n";
const beside = (text: string): ScriptedReply => ({ ...calling("stock", "box"), text });

function ask(...replies: readonly (ScriptedReply | string)[]): Promise<ScriptedRun> {
  return runScripted(BODY, replies, { plugins: [toolOf("stock", () => "4")] });
}

/** Public reports: mastra#3139, langchainjs#10242, VoltAgent#1145. */
describe("an object beside a tool call", () => {
  it("that does not fit is no answer: the call is made, and the model is told what was wrong", async () => {
    const run = await ask(beside('{"count": "four"}'), '{"count": 4}');
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.outcome.state.observations).toMatchObject([{ tool: "stock", ok: true }]);
    const roles = run.requests[1]?.messages.map(({ role }) => role);
    // Behind the result: some endpoints take no message of a user after results.
    expect(roles).toEqual(["system", "user", "assistant", "tool"]);
    expect(run.requests[1]?.messages.at(-1)?.text).toContain('`count` is "four", not integer');
    const told = run.events.flatMap(({ name, data }) =>
      name === "output.repaired" ? data.repairs : [],
    );
    expect(told.join()).toContain("left out the object beside the tool calls");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("that does not fit, and one without a call that does not either, end with a valid one", async () => {
    const run = await ask(beside('{"count": "four"}'), '{"count": "4 boxes"}', '{"count": 4}');
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.events.filter(({ name }) => name === "output.rejected")).toHaveLength(1);
  });

  it("that fits does not end the work before the call is made", async () => {
    const run = await ask(beside('{"count": 3}'), '{"count": 4}');
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.requests[1]?.messages.at(-1)?.role).toBe("tool");
  });

  it("is told nothing where it is only text", async () => {
    const run = await ask(beside("Let me look for {box}."), '{"count": 4}');
    expect(run.requests[1]?.messages.at(-1)?.role).toBe("tool");
    expect(run.events.some(({ name }) => name === "output.repaired")).toBe(false);
  });

  it("where tools are off goes back without the calls, and the history stays valid", async () => {
    const run = await runScripted(
      "tools: [stock]\nstrategy: direct\noutput: { fields: { count: integer } }\n",
      [beside('{"count": "four"}'), '{"count": 4}'],
      { plugins: [toolOf("stock", () => "4")] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(run.requests[1]?.messages.at(-2)).toMatchObject({ role: "assistant", toolCalls: [] });
    expect(run.requests[1]?.messages.at(-1)?.text).toContain("not integer");
  });
});
