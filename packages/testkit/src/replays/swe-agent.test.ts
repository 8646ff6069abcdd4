import { describe, expect, it } from "vitest";
import { toolsIn } from "./recorded-tools.ts";
import { type Replay, replayAll } from "./replay.ts";
import { editsOf, nativeRun, patchText, type SweAgentRun, textRun } from "./swe-agent-runs.ts";

async function replayed(run: SweAgentRun): Promise<Replay<SweAgentRun>> {
  const [replay] = await replayAll([run], { tools: toolsIn([run]), react: "{ maxSteps: 20 }" });
  if (replay === undefined) throw new Error(`${run.name} was not replayed`);
  return replay;
}

/** What was handed in: the result of the last call. */
function handedIn({ outcome }: Replay): string {
  return patchText(outcome.state.observations.at(-1)?.content ?? "");
}

describe("one published SWE-agent task in two forms (marshmallow-1867, princeton-nlp/SWE-agent)", () => {
  it("leads to the same edits and the same patch", async () => {
    const native = await replayed(nativeRun());
    const text = await replayed(textRun("marshmallow-1867-text-react"));
    expect([native.executed.length, text.executed.length]).toEqual([11, 14]);
    expect(native.outcome.outcome).toBe("done");
    expect(text.outcome.outcome).toBe("done");
    const edits = editsOf({ ...native.run, steps: native.executed });
    expect(edits).toHaveLength(3);
    expect(editsOf({ ...text.run, steps: text.executed })).toEqual(edits);
    expect(handedIn(native)).toBe(handedIn(text));
    expect(handedIn(native)).toBe(patchText(native.run.submission));
    expect(handedIn(native)).toContain("+        return int(round(value.total_seconds()");
  }, 60_000);
});

describe("two published SWE-agent runs of GPT-4", () => {
  it.each([
    ["pydicom-1458-gpt4", 12],
    ["test-repo-i1-gpt4", 5],
  ])(
    "%s goes through all of its %i steps to its patch",
    async (file, count) => {
      const replay = await replayed(textRun(file));
      expect(replay.outcome).toMatchObject({
        outcome: "done",
        answer: { text: replay.run.answer },
      });
      expect(replay.executed).toHaveLength(count);
      expect(handedIn(replay)).toBe(patchText(replay.run.submission));
    },
    60_000,
  );
});
