import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineStrategy, generations, Type } from "@loopwright/core/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "../promises/misnested.ts";
import {
  calling,
  runScripted,
  type ScriptedRun,
  type ScriptedRunOptions,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import type { ScriptedReplies } from "@loopwright/providers";

const stock = toolOf("stock", (item) => `${item}: 4`);
let root = "";

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-agents-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

/** Runs a spec beside an `inner.yaml`. */
async function runWith(
  inner: string,
  outer: string,
  replies: ScriptedReplies,
  options: ScriptedRunOptions = {},
): Promise<ScriptedRun> {
  const head = "apiVersion: loopwright/v1\nname: inner\nmodel: stub/model\n";
  await writeFile(join(root, "inner.yaml"), head + inner);
  await writeFile(join(root, "outer.yaml"), specOf(outer));
  return runScripted(outer, replies, { plugins: [stock], root, ...options });
}

function expectSound({ events }: ScriptedRun): void {
  expect(unbalanced(events)).toEqual([]);
  expect(misnested(events)).toEqual([]);
  expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
}

const OUTER = "strategy: { agent: { id: helper, spec: inner.yaml } }\n";

describe("an agent inside a run", () => {
  it("gives its answer, and nothing else of its state", async () => {
    const run = await runWith(
      "task: Count the nuts.\ntools: [stock]\nstrategy: react\n",
      OUTER,
      ({ messages }) =>
        messages.at(-1)?.role === "user"
          ? calling("stock", "nut")
          : "4 nuts [helper.observation-1]",
    );
    expect(run.outcome).toMatchObject({
      outcome: "done",
      answer: { text: "4 nuts [helper.observation-1]", evidence: [], by: "helper" },
      spending: { modelCalls: 2, toolCalls: 1 },
    });
    expect(run.outcome.state.observations).toEqual([]);
    expect(run.requests[0]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("Count the nuts."),
    });
    const recorded = run.events.flatMap((event) =>
      event.name === "observation.recorded" ? [event.data.id] : [],
    );
    expect(recorded).toEqual(["helper.observation-1"]);
    expectSound(run);
  });

  it("nests its stages under the stage that runs it", async () => {
    const run = await runWith("task: Count.\nstrategy: direct\n", OUTER, ["4"]);
    const starts = run.events.filter(({ name }) => name === "stage.start");
    expect(starts.map(({ spanId, parentId, stage }) => [spanId, parentId, stage])).toEqual([
      ["run/helper:0", "run", "helper"],
      ["run/helper:0/runAgent:0/direct:0", "run/helper:0", "direct"],
    ]);
  });

  it("takes typed inputs, and the task of the run where it says none", async () => {
    const run = await runWith(
      "inputs: { count: integer, about: string }\nstrategy: direct\n",
      `inputs: { many: { type: integer, default: 3 } }
task: How much is there?
strategy: { agent: { spec: inner.yaml, inputs: { count: "{{ inputs.many }}", about: "{{ task.text }}" } } }
`,
      ["4"],
    );
    expect(run.requests[0]?.inputs).toEqual({ count: 3, about: "How much is there?" });
    expect(run.requests[0]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("## Task\nHow much is there?"),
    });
    expectSound(run);
  });

  it("hands over one field of its output, or all of it", async () => {
    const inner =
      "task: Count.\noutput: { fields: { count: integer, unit: string } }\nstrategy: direct\n";
    const replies = [{ json: { count: 4, unit: "nuts" } }];
    const whole = await runWith(inner, OUTER, replies);
    expect(whole.outcome).toMatchObject({
      outcome: "done",
      answer: { value: { count: 4, unit: "nuts" } },
    });
    const field = "strategy: { agent: { spec: inner.yaml, output: unit } }\n";
    const one = await runWith(inner, field, replies);
    expect(one.outcome).toMatchObject({ outcome: "done", answer: { text: "nuts", value: "nuts" } });
    const typed = await runWith(inner, `${field}output: { fields: { total: integer } }\n`, replies);
    expect(typed.outcome).toMatchObject({ outcome: "done", answer: { text: "nuts", value: null } });
    expect(typed.outcome.state.results["agent"]?.value).toBe("nuts");
  });

  it("concludes within a limit of its own, and ends its stage limited", async () => {
    const inner = "task: Count.\ntools: [stock]\nstrategy: react\nlimits: { modelCalls: 3 }\n";
    let item = 0;
    const run = await runWith(
      inner,
      "strategy: [{ agent: { id: helper, spec: inner.yaml, onError: continue } }, { direct: { id: after } }]\n",
      ({ stage, tools }) => {
        if (stage === "after") return "after it";
        return tools.length > 0 ? calling("stock", `nut-${++item}`) : "partly";
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "after it" } });
    expect(run.outcome.state.results["helper"]).toMatchObject({
      outcome: "limited",
      text: "partly",
    });
    const own = run.requests.filter(({ stage }) => stage !== "after");
    expect(own).toHaveLength(3);
    expectSound(run);
  });

  it("ends with a limit of the run, whose conclusion is kept for the run", async () => {
    let item = 0;
    const run = await runWith(
      "task: Count.\ntools: [stock]\nstrategy: react\n",
      `${OUTER}limits: { modelCalls: 3 }\n`,
      ({ tools }) => (tools.length > 0 ? calling("stock", `nut-${++item}`) : "concluded"),
    );
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "concluded" } });
    expect(run.requests.length).toBeLessThanOrEqual(3);
    expectSound(run);
  });

  it("ends with an abort at any event, each start meeting its end", async () => {
    const inner = "task: Count.\ntools: [stock]\nstrategy: [react, verify]\n";
    const replies: ScriptedReplies = ({ messages, output }) => {
      if (output !== undefined)
        return { json: { outcome: "pass", issues: [], supportedEvidence: [] } };
      return messages.at(-1)?.role === "user" ? calling("stock", "nut") : "4";
    };
    const whole = await runWith(inner, OUTER, replies);
    expect(whole.outcome.outcome).toBe("done");
    for (let seq = 0; seq < whole.events.length - 1; seq += 1) {
      const run = await runWith(inner, OUTER, replies, {
        onRun: (live) => live.on("*", (event) => void (event.seq === seq && live.abort("enough"))),
      });
      expect(run.outcome, `at ${seq}`).toMatchObject({ outcome: "aborted" });
      expectSound(run);
    }
  });

  it("keeps a stop inside it to itself", async () => {
    const run = await runWith(
      "task: Count.\nstrategy: { stop: { reason: Nothing to count. } }\n",
      `strategy: [{ agent: { spec: inner.yaml } }, { direct: { id: after } }]\n`,
      ["after it"],
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "after it" } });
    expect(run.outcome.state.results["agent"]).toMatchObject({
      answer: { solvable: false, text: "Nothing to count." },
    });
    expectSound(run);
  });

  it("learns in memories of its own, and opens no sink", async () => {
    const run = await runWith(
      `task: Count.
memory: { notes: { use: in-process } }
sinks: { log: { use: jsonl, path: inner.jsonl } }
strategy: [direct, { stop: { reason: enough, when: "false" } }]
`,
      OUTER,
      ["4"],
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(run.outcome.state.lessons).toEqual([]);
    await expect(rm(join(root, "inner.jsonl"))).rejects.toThrow(/ENOENT/);
  });

  it("may be run several times by one strategy, its observations told apart", async () => {
    const twice = defineStrategy({
      id: "twice",
      description: "Runs its agent twice.",
      options: Type.Object({
        spec: Type.Unsafe<string>({ type: "string", "x-loopwright": { kind: "spec" } }),
      }),
      flow: { sets: ["answer"] },
      bounds: () => generations(0),
      run: async (_state, context) => {
        await context.runAgent({});
        return { answer: await context.runAgent({}, "Count again.") };
      },
    });
    const run = await runWith(
      "tools: [stock]\nstrategy: { react: { maxSteps: 2 } }\n",
      "strategy: { twice: { spec: inner.yaml } }\n",
      ({ messages }) => (messages.at(-1)?.role === "user" ? calling("stock", "nut") : "counted"),
      { plugins: [stock, twice] },
    );
    const ids = run.events.flatMap((event) =>
      event.name === "observation.recorded" ? [event.data.id] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    expectSound(run);
  });
});
