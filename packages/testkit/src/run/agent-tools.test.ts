import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, provide } from "@loopwright/core";
import { defineStrategy, NO_BOUNDS, type ProviderRequest, Type } from "@loopwright/core/plugin";
import type { ScriptedReplies, ScriptedReply } from "@loopwright/providers";
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
import { testClock } from "../test-clock.ts";

const sold: string[] = [];
const stock = toolOf("stock", (item) => `${item}: 4`);
const sell = toolOf(
  "sell",
  (item) => {
    sold.push(item);
    return `sold ${item}`;
  },
  "once",
);
let root = "";

beforeEach(async () => {
  sold.length = 0;
  root = await mkdtemp(join(tmpdir(), "loopwright-agent-tools-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

const HEAD = "apiVersion: loopwright/v1\nname: clerk\nmodel: stub/model\n";
const COUNT = 'inputs: { item: string }\ntask: "Count {{ inputs.item }}."\n';
const CLERK = `${COUNT}tools: [stock]\nstrategy: react\n`;
const OUTER = "tools: { clerk: { use: agent, spec: inner.yaml } }\nstrategy: react\n";

/** Runs a spec that has the agent `inner.yaml` as a tool. */
async function runWith(
  inner: string,
  outer: string,
  replies: ScriptedReplies,
  options: ScriptedRunOptions = {},
): Promise<ScriptedRun> {
  await writeFile(join(root, "inner.yaml"), HEAD + inner);
  await writeFile(join(root, "outer.yaml"), specOf(outer));
  return runScripted(outer, replies, { plugins: [stock, sell], root, ...options });
}

function expectSound({ events }: ScriptedRun): void {
  expect(unbalanced(events)).toEqual([]);
  expect(misnested(events)).toEqual([]);
  expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
}

function resultsIn({ messages }: ProviderRequest): readonly string[] {
  return messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));
}

/** Replies by who asks: the agent, with the item that it is asked about, or the one that calls it. */
function script(
  inner: (item: string, results: readonly string[]) => ScriptedReply | string,
  outer: (results: readonly string[]) => ScriptedReply | string = (results) =>
    results.length === 0 ? calling("clerk", "nuts") : "told",
): ScriptedReplies {
  return (request) => {
    if (!request.key.includes("/call:")) return outer(resultsIn(request));
    const item = request.inputs?.["item"];
    return inner(typeof item === "string" ? item : "", resultsIn(request));
  };
}

const counting = script((item, results) =>
  results.length > 0 ? `4 ${item}` : calling("stock", item),
);

describe("an agent as a tool", () => {
  it("gives its answer as the tool's output, and nothing else of its state", async () => {
    const run = await runWith(CLERK, OUTER, counting);
    expect(run.outcome).toMatchObject({
      outcome: "done",
      answer: { text: "told" },
      spending: { modelCalls: 4, toolCalls: 2 },
    });
    expect(run.outcome.state.observations).toMatchObject([
      { id: "observation-1", tool: "clerk", content: "4 nuts", ok: true, degraded: false },
    ]);
    expectSound(run);
  });

  it("cites none of its own observations", async () => {
    const run = await runWith(
      CLERK,
      OUTER,
      script((item, results) => {
        const [id] = /[\w.-]*observation-\d+/.exec(results[0] ?? "") ?? [];
        return id === undefined ? calling("stock", item) : `4 nuts [${id}], counted.`;
      }),
    );
    expect(run.outcome.state.observations).toMatchObject([{ content: "4 nuts, counted." }]);
    expect(run.events.map(({ name }) => name)).not.toContain("injection.suspected");
  });

  it("nests its stages under the tool call", async () => {
    const run = await runWith(CLERK, OUTER, counting);
    const starts = run.events.filter(({ name }) => name === "stage.start");
    expect(starts.map(({ spanId, parentId, stage }) => [spanId, parentId, stage])).toEqual([
      ["run/react:0", "run", "react"],
      ["run/react:0/callTools:0/call:0/react:0", "run/react:0/callTools:0/call:0", "react"],
    ]);
  });

  it("gives a typed value as JSON", async () => {
    const run = await runWith(
      `${COUNT}output: { fields: { count: integer, unit: string } }\nstrategy: direct\n`,
      OUTER,
      script(() => ({ json: { count: 4, unit: "nuts" } })),
    );
    expect(run.outcome.state.observations).toMatchObject([
      { content: '{"count":4,"unit":"nuts"}', degraded: false },
    ]);
  });

  it("takes its task as an argument where its spec has none, and may leave out what may be null", async () => {
    const run = await runWith(
      "inputs: { place: 'string?' }\nstrategy: direct\n",
      OUTER,
      script(
        () => "4",
        (results) =>
          results.length === 0
            ? { calls: [{ name: "clerk", arguments: { task: "Count the bolts." } }] }
            : "told",
      ),
    );
    expect(run.outcome.state.observations).toMatchObject([{ content: "4", ok: true }]);
    expect(run.requests[1]?.messages.at(-1)).toMatchObject({
      text: expect.stringContaining("Count the bolts."),
    });
    expect(run.requests[1]?.inputs).toEqual({ place: null });
  });

  it("answers wrong arguments, which start nothing", async () => {
    const run = await runWith(
      CLERK,
      OUTER,
      script(
        () => "4",
        (results) =>
          results.length === 0 ? { calls: [{ name: "clerk", arguments: { items: 1 } }] } : "told",
      ),
    );
    expect(run.requests).toHaveLength(2);
    expect(run.outcome.state.observations).toMatchObject([{ ok: false }]);
  });

  it("tells that a task can't be done, degraded", async () => {
    const run = await runWith(
      `${COUNT}strategy: { stop: { reason: Nobody counts today. } }\n`,
      OUTER,
      script(() => "never asked"),
    );
    expect(run.outcome.state.observations).toMatchObject([
      { content: "clerk could not do it: Nobody counts today.", ok: true, degraded: true },
    ]);
    expectSound(run);
  });

  it("gives what it has at a limit of its own, degraded, and the run goes on", async () => {
    let item = 0;
    const run = await runWith(
      `${CLERK}limits: { modelCalls: 3 }\n`,
      OUTER,
      ({ key, tools, ...request }) => {
        if (!key.includes("/call:"))
          return request.messages.some(({ role }) => role === "tool")
            ? "told"
            : calling("clerk", "nuts");
        return tools.length > 0 ? calling("stock", `nut-${++item}`) : "partly";
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "told" } });
    expect(run.outcome.state.observations).toMatchObject([
      {
        content: "clerk was cut short by a limit (limit-model-calls); what it had by then:\npartly",
        ok: true,
        degraded: true,
      },
    ]);
    expect(run.requests.filter(({ key }) => key.includes("/call:"))).toHaveLength(3);
    expectSound(run);
  });

  it("keeps all its calls below the limits of the tool, with a conclusion", async () => {
    let item = 0;
    const run = await runWith(
      CLERK,
      OUTER.replace("inner.yaml", "inner.yaml, limits: { modelCalls: 4 }"),
      ({ key, tools, ...request }) => {
        if (!key.includes("/call:")) {
          const told = request.messages.filter(({ role }) => role === "tool").length;
          return told < 2 ? calling("clerk", `round-${told}`) : "told";
        }
        return tools.length > 0 ? calling("stock", `nut-${++item}`) : "partly";
      },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "told" } });
    expect(run.outcome.state.observations.map(({ degraded }) => degraded)).toEqual([true, true]);
    expect(run.outcome.state.observations[0]?.content).toContain("partly");
    expect(run.requests.filter(({ key }) => key.includes("/call:"))).toHaveLength(4);
    expectSound(run);
  });

  it("ends with a limit of the run, which still concludes", async () => {
    let item = 0;
    const run = await runWith(CLERK, `${OUTER}limits: { modelCalls: 4 }\n`, ({ key, tools }) => {
      if (tools.length === 0) return "concluded";
      return key.includes("/call:") ? calling("stock", `nut-${++item}`) : calling("clerk", "nuts");
    });
    expect(run.outcome).toMatchObject({ outcome: "limited", answer: { text: "concluded" } });
    expect(run.requests.length).toBeLessThanOrEqual(4);
    expectSound(run);
  });

  it("tells a failure as the call's result", async () => {
    const run = await runWith(
      `${COUNT}strategy: direct\n`,
      OUTER,
      script(() => ({ error: { code: "provider-rejected", message: "no" } })),
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "told" } });
    expect(run.outcome.state.observations).toMatchObject([
      { content: expect.stringContaining("clerk failed: "), ok: false },
    ]);
    expectSound(run);
  });
});

describe("agents that are called together", () => {
  const OUTER_TWICE = script(
    (item, results) =>
      results.length > 0 ? { text: `4 ${item}`, delayMs: 1 } : calling("stock", item),
    (results) => (results.length === 0 ? calling("clerk", "nuts", "bolts", "pins") : "told"),
  );

  it("give their results in the order of the calls, with equal keys in every run", async () => {
    const runs = [];
    for (let round = 0; round < 3; round += 1) runs.push(await runWith(CLERK, OUTER, OUTER_TWICE));
    const contents = runs[0]?.outcome.state.observations.map(({ content }) => content);
    expect(contents).toEqual(["4 nuts", "4 bolts", "4 pins"]);
    const keys = runs.map(({ events }) =>
      events.map(({ name, key }) => `${name} ${key}`).toSorted(),
    );
    expect(keys[1]).toEqual(keys[0]);
    expect(keys[2]).toEqual(keys[0]);
    const ids = runs.map(({ events }) =>
      events.flatMap(({ name, key, data }) =>
        name === "observation.recorded" ? [`${key} ${(data as { id: string }).id}`] : [],
      ),
    );
    expect(new Set(ids[0]).size).toBe(6);
    expect(ids[1]?.toSorted()).toEqual(ids[0]?.toSorted());
    runs.forEach(expectSound);
  });

  it("share what is left of the tokens", async () => {
    const run = await runWith(CLERK, `${OUTER}limits: { tokens: 9000 }\n`, OUTER_TWICE);
    expect(run.outcome.outcome).toBe("done");
    expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, true, true]);
    const asked = run.requests.filter(({ key }) => /call:\d\/react:0\/generate:0$/.test(key));
    for (const { sampling } of asked) expect(sampling?.maxTokens ?? 0).toBeLessThan(4_500);
  });
});

describe("people, effects and time of an agent as a tool", () => {
  const SELLING = `${COUNT}tools: [sell]\nstrategy: react\n`;
  const selling = script((item, results) => (results.length > 0 ? "sold" : calling("sell", item)));

  it("asks for approval inside as usual, and for the whole only where the spec says so", async () => {
    const asked: string[] = [];
    const run = await runWith(SELLING, OUTER, selling, {
      onRun: (live) =>
        live.on("approval.requested", ({ data }) => {
          asked.push(data.tool);
          live.respond(data.id, { approved: true });
        }),
    });
    expect(asked).toEqual(["sell"]);
    expect(sold).toEqual(["nuts"]);
    expect(run.outcome.answer.text).toBe("told");
    expectSound(run);
  });

  it("runs dry: it does its work, and its effects are stubbed", async () => {
    const run = await runWith(SELLING, OUTER, selling, { settings: { dryRun: true } });
    expect(sold).toEqual([]);
    const stubbed = run.events.flatMap((event) =>
      event.name === "effect.stubbed" ? [event.data.tool] : [],
    );
    expect(stubbed).toEqual(["sell"]);
    expect(run.outcome.state.observations).toMatchObject([{ content: "sold" }]);
  });

  it("has no timeout unless the spec says one", async () => {
    const clock = testClock();
    const slow = toolOf("stock", async (item) => {
      await clock.advance(25_000);
      return `${item}: 4`;
    });
    const replies = script((item, results) =>
      results.length < 3 ? calling("stock", `${item}-${results.length}`) : "counted",
    );
    const options = { plugins: [slow, sell], services: [provide(Clock, clock)] };
    const free = await runWith(CLERK, OUTER, replies, options);
    expect(free.outcome.state.observations).toMatchObject([{ content: "counted", ok: true }]);
    const timed = OUTER.replace("inner.yaml", "inner.yaml, timeout: 60s");
    const cut = await runWith(CLERK, timed, replies, options);
    expect(cut.outcome).toMatchObject({ outcome: "done", answer: { text: "told" } });
    expect(cut.outcome.state.observations).toMatchObject([
      { content: expect.stringContaining("clerk did not answer within 60000 ms"), ok: false },
    ]);
    expectSound(cut);
    expect(clock.timers).toBe(0);
  });

  it("leaves behind what ignores its timeout: the run goes on, and hears nothing more of it", async () => {
    const clock = testClock();
    let wake: (() => void) | undefined;
    const deaf = defineStrategy({
      id: "deaf",
      description: "Waits for something that never comes.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => NO_BOUNDS,
      run: async (_state, context) => {
        context.step(1, 1);
        setImmediate(() => void clock.advance(1_000).then(() => clock.advance(100)));
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        context.fact("too-late", 1);
        await context.generate({ prompt: "too late" });
      },
    });
    let woken: (() => void) | undefined;
    const run = await runWith(
      `${COUNT}strategy: deaf\n`,
      OUTER.replace("inner.yaml", "inner.yaml, timeout: 1s"),
      script(
        () => "never asked",
        (results) => {
          woken = wake;
          if (results.length > 0) wake?.();
          return results.length === 0 ? calling("clerk", "nuts") : { text: "told", delayMs: 5 };
        },
      ),
      { plugins: [deaf], services: [provide(Clock, clock)] },
    );
    expect(woken).toBeDefined();
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "told" } });
    expect(run.events.map(({ name }) => name)).not.toContain("fact.told");
    expect(run.requests).toHaveLength(2);
    expectSound(run);
    expect(clock.timers).toBe(0);
  });

  it("ends with an abort at any event, each start meeting its end", async () => {
    const replies = script(
      (item, results) => (results.length > 0 ? `4 ${item}` : calling("stock", item)),
      (results) => (results.length === 0 ? calling("clerk", "nuts", "bolts") : "told"),
    );
    const whole = await runWith(CLERK, OUTER, replies);
    expect(whole.outcome.outcome).toBe("done");
    for (let seq = 0; seq < whole.events.length - 1; seq += 1) {
      let asked = -1;
      let count = 0;
      const counted: ScriptedReplies = (request) => {
        count += 1;
        return (replies as (request: ProviderRequest) => ScriptedReply)(request);
      };
      const run = await runWith(CLERK, OUTER, counted, {
        onRun: (live) =>
          live.on("*", (event) => {
            if (event.seq !== seq) return;
            asked = count;
            live.abort("enough");
          }),
      });
      expect(run.outcome, `at ${seq}`).toMatchObject({ outcome: "aborted" });
      expect(count, `at ${seq}`).toBe(asked);
      expectSound(run);
    }
  });
});
