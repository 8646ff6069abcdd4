import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Clock, provide } from "@loopwright/core";
import { providers } from "@loopwright/providers";
import type { ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalEvents } from "../events.ts";
import { runSpec } from "../run-spec.ts";
import { testClock } from "../test-clock.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  type ScriptedRun,
  specOf,
  toolOf,
} from "./run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

const BODY = `tools: [stock]
memory: { notes: { use: in-process } }
strategy:
  - recall: { from: notes }
  - plan-and-solve
  - self-consistency: { samples: 4, do: { react: { id: sampled, maxSteps: 2 } } }
  - react: { maxSteps: 3 }
  - verify: { checks: [evidence], maxRounds: 1, revise: refine }
  - reflect: { into: notes, always: true }
`;

const JUDGEMENTS = [
  {
    outcome: "revise",
    issues: [{ kind: "incomplete", detail: "d", requiredAction: "a", needs: "rewrite" }],
    supportedEvidence: [],
  },
  { outcome: "pass", issues: [], supportedEvidence: [] },
];
const STEP = { id: "s", objective: "o", needsExternalInfo: false, successCondition: "c" };

/** What the model says depends on the step alone, as on a replay. */
function script({ key, stage, output, tools }: ProviderRequest): ScriptedReply {
  const turn = Number(/generate:(\d+)[^/]*$/.exec(key)?.[1] ?? "0");
  if (stage === "verify") return { json: JUDGEMENTS[turn] ?? JUDGEMENTS[1] ?? {} };
  if (stage === "reflect")
    return { json: { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" } };
  if (Object.keys(output?.schema["properties"] ?? {}).includes("steps"))
    return key.includes("repair")
      ? { json: { goal: "g", constraints: [], conflicts: [], steps: [{ ...STEP, dependsOn: [] }] } }
      : { text: "no plan" };
  if (turn === 0 && tools.length > 0) return calling("stock", `nut of ${key}`, "bolt");
  if (key.includes("sample:2")) return { error: { code: "provider-failed", message: "down" } };
  return { text: `There are ${key.length % 2} [observation-1].` };
}

async function run(replies: (request: ProviderRequest) => ScriptedReply | Promise<ScriptedReply>) {
  return await runScripted(BODY, replies, {
    plugins: [stock],
    services: [provide(Clock, testClock())],
  });
}

/** The canonical events without the name of the model and of the program, which a replay changes. */
function storyOf({ events }: Pick<ScriptedRun, "events">): readonly string[] {
  return canonicalEvents(events)
    .filter((line) => !line.includes('"run.start"'))
    .map((line) => line.replaceAll("replay/model", "stub/model"));
}

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-replay-"));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe("promise 10: the same replies give the same canonical events", () => {
  it("in two runs", async () => {
    const first = await run(script);
    const second = await run(script);
    expect(first.outcome).toMatchObject({ outcome: "done", verified: "pass" });
    expect(canonicalEvents(second.events)).toEqual(canonicalEvents(first.events));
    expect(second.events.length).toBeGreaterThan(80);
    expect(new Set(second.events.map(({ runId }) => runId))).not.toEqual(
      new Set(first.events.map(({ runId }) => runId)),
    );
  });

  it("in whatever order branches finish", async () => {
    const first = await run(script);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 7 }), async (delays) => {
        let count = 0;
        const later = await run(async (request) => {
          let turns = delays[count++ % delays.length] ?? 0;
          while (turns-- > 0) await new Promise((resolve) => setImmediate(resolve));
          return script(request);
        });
        expect(canonicalEvents(later.events)).toEqual(canonicalEvents(first.events));
        expect(later.outcome.state.observations).toEqual(first.outcome.state.observations);
        expect(later.outcome.state.candidates).toEqual(first.outcome.state.candidates);
      }),
      { numRuns: 15 },
    );
  });

  it("when a recorded run is replayed from its log", async () => {
    const log = join(root, "run.jsonl");
    const sink = `sinks: [{ jsonl: { path: ${JSON.stringify(log)} } }]\n`;
    const recorded = await runScripted(`${BODY}${sink}`, script, {
      plugins: [stock],
      services: [provide(Clock, testClock())],
      root,
    });
    const model = `model: { use: replay/model, file: ${JSON.stringify(log)} }\n`;
    const replayed = await runSpec(specOf(`${model}${BODY}`), {
      plugins: [...builtIn, providers, packageOf([stock])],
      services: [provide(Clock, testClock())],
      root,
    });
    expect(replayed.outcome).toMatchObject({ outcome: "done", verified: "pass" });
    expect(storyOf(replayed)).toEqual(storyOf(recorded));
    expect(replayed.outcome.answer).toEqual(recorded.outcome.answer);
  });
});
