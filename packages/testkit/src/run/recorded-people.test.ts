import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, provide, type Run, type RunEvent } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";
import { providers, type ScriptedReply } from "@loopwright/providers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalEvents } from "../events.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { runSpec } from "../run-spec.ts";
import { testClock } from "../test-clock.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);
const shipped: string[] = [];
const ship = toolOf(
  "ship",
  (item) => {
    shipped.push(item);
    return `shipped ${item}`;
  },
  "once",
);

const BODY = `tools: [stock, ship]
limits: { modelCalls: 40 }
switches:
  calm: { stages: [later], tools: [stock], limits: { modelCalls: 35 } }
strategy:
  - react: { maxSteps: 6 }
  - ask: { question: "Which colour?", options: [red, blue], timeout: 1m }
  - ask: { id: silent, question: "Anything else?", timeout: 1m, onTimeout: continue }
  - self-consistency: { samples: 3, maxParallel: 3, do: { react: { id: sampled, maxSteps: 3 } } }
  - chain-of-thought: { id: later }
  - direct
`;

let root: string;

beforeEach(async () => {
  shipped.length = 0;
  root = await mkdtemp(join(tmpdir(), "loopwright-recorded-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** What the model says depends on the step alone; what people do comes while it speaks. */
async function script({ key, stage, tools }: ProviderRequest, run: Run): Promise<ScriptedReply> {
  const turn = Number(/generate:(\d+)[^/]*$/.exec(key)?.[1] ?? "0");
  await new Promise(setImmediate);
  if (stage === "react") {
    if (turn === 0) run.send("Only nuts, please.");
    if (turn === 1) run.setSwitch("calm", true);
    if (turn === 3) run.setSwitch("calm", false);
    const calls = [calling("ship", "a", "b"), calling("stock", "nut"), calling("stock", "bolt")];
    return calls[turn] ?? { text: "There are 4." };
  }
  if (stage === "sampled") {
    if (turn === 0 && key.includes("sample:1")) run.send("And blue ones.");
    if (turn === 0 && tools.length > 0) return calling("stock", key);
    if (key.includes("sample:2")) run.setSwitch("calm", true);
  }
  if (stage === "direct") run.send("Too late.");
  return { text: "There are 4." };
}

/** Approves the first of two calls, refuses the other; answers one question, and lets the other wait for ever. */
function attend(run: Run, clock: ReturnType<typeof testClock>): void {
  run.on("approval.requested", ({ data }) => {
    setImmediate(() =>
      run.respond(data.id, { approved: data.id.endsWith("call:1"), reason: "why" }),
    );
  });
  run.on("question.asked", ({ data }) => {
    setImmediate(() => {
      if (data.options.length > 0) run.respond(data.id, { reply: "blue" });
      else void clock.advance(60_000);
    });
  });
}

async function record(): Promise<{ readonly log: string; readonly events: readonly RunEvent[] }> {
  const log = join(root, "run.jsonl");
  const clock = testClock();
  let run: Run | undefined;
  const recorded = await runScripted(
    `${BODY}sinks: [{ jsonl: { path: ${JSON.stringify(log)} } }]\n`,
    (request) => script(request, run as Run),
    {
      plugins: [stock, ship],
      services: [provide(Clock, clock)],
      root,
      onRun: (live) => {
        run = live;
        attend(live, clock);
      },
    },
  );
  expect(recorded.outcome).toMatchObject({ outcome: "done", missed: ["Too late."] });
  return { log, events: recorded.events };
}

function storyOf(events: readonly RunEvent[]): readonly string[] {
  return canonicalEvents(events)
    .filter((line) => !line.includes('"run.start"'))
    .map((line) => line.replaceAll("replay/model", "stub/model"));
}

describe("what people did to a run", () => {
  it("is done again on a replay: messages, switches, approvals, answers and silence", async () => {
    const { log, events } = await record();
    const names = new Set(events.map(({ name }) => name));
    for (const name of [
      "message.received",
      "message.shared",
      "message.missed",
      "switch.changed",
      "approval.given",
      "question.answered",
    ] as const)
      expect(names).toContain(name);
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    const model = `model: { use: replay/model, file: ${JSON.stringify(log)} }\n`;
    const clock = testClock();
    for (const isPersonPresent of [true, false]) {
      let run: Run | undefined;
      const replayed = await runSpec(specOf(`${model}${BODY}`), {
        plugins: [...builtIn, providers, packageOf([stock, ship])],
        services: [provide(Clock, clock)],
        root,
        settings: {
          recorded: lines.map((line) => JSON.parse(line) as RunEvent),
          isPersonPresent,
        },
        onRun: (live) => {
          run = live;
          live.on("stage.start", () => {
            expect([live.send("More."), live.setSwitch("calm", true)]).toEqual([false, false]);
          });
        },
      });
      expect(storyOf(replayed.events)).toEqual(storyOf(events));
      expect(replayed.outcome.missed).toEqual(["Too late."]);
      expect(run?.pending()).toEqual([]);
    }
    expect(clock.timers).toBe(0);
    // What was shipped is not shipped again.
    expect(shipped).toEqual(["b"]);
  });

  it("is not taken for another call or another question than it was said to", async () => {
    const looked: string[] = [];
    const look = toolOf("look", (item) => looked.push(item));
    const act = (item: string, question: string, options: string) =>
      [
        `tools: { look: { approval: always } }\nstrategy: [{ react: {} }, { ask: { question: ${question}, options: [${options}], timeout: 1m, onTimeout: continue } }]\n`,
        [calling("look", item), "ok"],
      ] as const;
    const first = await runScripted(...act("one", "Which?", "red, blue"), {
      plugins: [look],
      onRun: (run) => {
        run.on("approval.requested", ({ data }) => {
          setImmediate(() => run.respond(data.id, { approved: true }));
        });
        run.on("question.asked", ({ data }) => {
          setImmediate(() => run.respond(data.id, { reply: "blue" }));
        });
      },
    });
    const recorded = JSON.parse(JSON.stringify(first.events)) as readonly RunEvent[];
    for (const [item, question, options, approved, answered] of [
      ["one", "Which?", "red, blue", true, true],
      ["two", "Which?", "red, blue", false, true],
      ["one", "Whose?", "red, blue", true, false],
      ["one", "Which?", "red, blue, green", true, false],
    ] as const) {
      const again = await runScripted(...act(item, question, options), {
        plugins: [look],
        settings: { recorded, isPersonPresent: false },
      });
      const said = again.events.flatMap(({ name, data }) => {
        if (name === "approval.given") return [data.approved];
        return name === "question.answered" ? [data.answered] : [];
      });
      expect(said).toEqual([approved, answered]);
    }
    expect(looked).toEqual(["one", "one", "one", "one"]);
    const asked: unknown[] = [];
    await runScripted(...act("two", "Whose?", "red, blue"), {
      plugins: [look],
      settings: { recorded },
      onRun: (run) => {
        run.on("approval.requested", ({ data }) => {
          asked.push(run.pending().map(({ id }) => id === data.id));
          setImmediate(() => run.respond(data.id, { approved: false }));
        });
        run.on("question.asked", ({ data }) => {
          asked.push(run.pending().map(({ id }) => id === data.id));
          setImmediate(() => run.respond(data.id, { reply: "red" }));
        });
      },
    });
    expect(asked).toEqual([[true], [true]]);
  });
});
