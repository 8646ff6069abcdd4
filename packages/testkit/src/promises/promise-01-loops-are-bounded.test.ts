import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp, explainProgram, type RunEvent } from "@loopwright/core";
import { defineStrategy, generations, type ProviderRequest, Type } from "@loopwright/core/plugin";
import { type ScriptedReply, scriptedProvider } from "@loopwright/providers";
import { strategies } from "@loopwright/strategies";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { misnested } from "./misnested.ts";
import { randomReply } from "./random-replies.ts";
import {
  INNER_FILE,
  INNER_SPEC,
  randomStage,
  randomTypedStage,
  TREE_TOOLS,
} from "./random-trees.ts";
import { builtIn, packageOf, runScripted, specOf, toolOf } from "./run-scripted.ts";

const stock = toolOf("stock", (item) => `${item}: 4`);

/** Never ends a loop by itself: calls tools where it may, plans the most, passes nothing. */
function neverDone(request: ProviderRequest, count: number): ScriptedReply {
  if (request.tools.length > 0) {
    const names = ["a", "b", "c", "d", "e"];
    return {
      calls: names.map((name) => ({ name: "stock", arguments: { item: `${name}${count}` } })),
    };
  }
  const properties = Object.keys(request.output?.schema["properties"] ?? {});
  if (properties.includes("outcome")) {
    const issue = { kind: "incomplete", detail: "x", requiredAction: "y", needs: "evidence" };
    return { json: { outcome: "revise", issues: [issue], supportedEvidence: [] } };
  }
  if (properties.includes("steps"))
    return { json: { goal: "g", constraints: [], conflicts: [], steps: [] } };
  return { text: `answer ${count}` };
}

async function boundsOf(
  body: string,
  root?: string,
): Promise<{ requests: number; toolCalls: number }> {
  const app = await createApp({
    ...(root === undefined ? {} : { root }),
    plugins: [...builtIn, packageOf([scriptedProvider("stub", []), stock])],
    discovery: false,
    env: {},
  });
  const { program, diagnostics } = await app.check({ text: specOf(body) });
  await app.close();
  if (program === undefined) throw new Error(diagnostics.map((one) => one.message).join("; "));
  const { totals } = explainProgram(program);
  return { requests: totals.requests[1], toolCalls: totals.toolCalls[1] };
}

const WORST: readonly (readonly [name: string, body: string])[] = [
  ["react that always calls tools", "tools: [stock]\nstrategy: { react: { maxSteps: 4 } }\n"],
  [
    "the shape of the flagship",
    `tools: [stock]
strategy:
  - plan-and-solve: { do: { react: { maxSteps: 3 } } }
  - verify:
      maxRounds: 2
      revise: [refine, { react: { id: more, when: verdict.needsEvidence, maxSteps: 2 } }]
  - reflect: { always: true }
`,
  ],
  [
    "verify that never passes",
    "strategy:\n  - direct\n  - verify: { maxRounds: 3, revise: refine }\n",
  ],
  [
    "loop whose condition never holds",
    "strategy: { loop: { maxRounds: 5, until: verdict.passed, do: [direct, verify] } }\n",
  ],
  [
    "a list of items, then branches beside each other",
    `tools: [stock]
strategy:
  - for-each: { in: "[1, 2, 3]", item: entry, maxItems: 3, do: { react: { maxSteps: 2 } }, combine: direct }
  - parallel: { branches: { left: { react: { id: more, maxSteps: 2 } }, right: plan } }
`,
  ],
  [
    "self-consistency over react",
    "tools: [stock]\nstrategy: { self-consistency: { samples: 3, do: { react: { maxSteps: 3 } } } }\n",
  ],
];

describe("promise 1: every loop is bounded", () => {
  it("is looked at in trees of every built-in strategy", () => {
    const ids = new Set(
      [
        ...fc.sample(randomStage, { numRuns: 400, seed: 1 }),
        ...fc.sample(randomTypedStage, { numRuns: 400, seed: 1 }),
      ].flatMap((stages) =>
        [...JSON.stringify(stages).matchAll(/"([a-z-]+)"/g)].map((match) => match[1] ?? ""),
      ),
    );
    expect(strategies.entries.map(({ id }) => id).filter((id) => !ids.has(id))).toEqual([]);
  });

  it.each(WORST)("%s stays within the bound that explain prints", async (_name, body) => {
    let count = 0;
    const bound = await boundsOf(body);
    const { outcome, events, requests } = await runScripted(
      body,
      (request) => neverDone(request, ++count),
      { plugins: [stock] },
    );
    expect(requests.length).toBeLessThanOrEqual(bound.requests);
    expect(requests.length).toBeGreaterThan(1);
    expect(outcome.spending.modelCalls).toBe(requests.length);
    expect(outcome.spending.toolCalls).toBeLessThanOrEqual(bound.toolCalls);
    expect(unbalanced(events)).toEqual([]);
  });

  it("react uses its whole bound when the model never stops", async () => {
    const body = "tools: [stock]\nstrategy: { react: { maxSteps: 4, maxCallsPerStep: 2 } }\n";
    let count = 0;
    const { outcome } = await runScripted(body, (request) => neverDone(request, ++count), {
      plugins: [stock],
    });
    expect(outcome.spending).toMatchObject({ modelCalls: 4, toolCalls: 6 });
    expect(await boundsOf(body)).toMatchObject({ toolCalls: 6 });
  });

  it("a model whose replies never fit is asked as often as explain says, and no more", async () => {
    const fields = "output: { fields: { count: integer }, repair: 2 }\n";
    const body = `strategy:\n  - direct: { onError: continue }\n  - chain-of-thought\n${fields}`;
    const { outcome, requests } = await runScripted(body, () => "not JSON");
    expect(outcome.outcome).toBe("failed");
    expect(requests).toHaveLength((await boundsOf(body)).requests);
  });

  it("a strategy that asks for more than its bounds name is stopped before it does", async () => {
    const endless = defineStrategy({
      id: "endless",
      description: "Asks again and again.",
      options: Type.Object({}),
      flow: { sets: ["answer"] },
      bounds: () => generations(1),
      run: async (_state, context) => {
        for (let round = 0; round < 50; round += 1) await context.generate({ prompt: `${round}` });
        return { answer: { text: "never" } };
      },
    });
    const run = await runScripted("strategy: endless\n", () => "again", { plugins: [endless] });
    // One generation, and one more that a repair of it could have been.
    expect(run.requests).toHaveLength(2);
    expect(run.outcome).toMatchObject({ outcome: "failed", fault: { code: "contract-broken" } });
    expect(run.outcome.reason).toMatch(/more than the 2 model calls that their bounds name/);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("every random tree of strategies with any model ends once, within its bounds, with a total state", async () => {
    const root = await mkdtemp(join(tmpdir(), "loopwright-trees-"));
    await writeFile(join(root, INNER_FILE), INNER_SPEC);
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          randomStage.map((stages) => ({ stages, output: "" })),
          randomTypedStage.map((stages) => ({ stages, output: TYPED })),
        ),
        fc.array(randomReply, { minLength: 1, maxLength: 12 }),
        async ({ stages, output }, replies) => {
          const body = `tools: ${TREE_TOOLS}\nmemory: { notes: { use: in-process } }\n${output}strategy: ${JSON.stringify(stages)}\n`;
          const bound = await boundsOf(body, root);
          let next = 0;
          const run = await runScripted(
            body,
            (request) => (replies[next++ % replies.length] ?? randomText)(request),
            { plugins: [stock], root },
          );
          expect(["done", "failed", "limited"]).toContain(run.outcome.outcome);
          expect(run.events.filter((event) => event.name === "run.end")).toHaveLength(1);
          expect(unbalanced(run.events)).toEqual([]);
          expect(misnested(run.events)).toEqual([]);
          expect(run.requests.length).toBeLessThanOrEqual(bound.requests);
          expect(run.outcome.spending.toolCalls).toBeLessThanOrEqual(bound.toolCalls);
          expect(Object.values(run.outcome.state)).not.toContain(undefined);
          expect(faultsOf(run.events).filter((code) => BUGS.has(code))).toEqual([]);
          const isAnswered = run.outcome.answer.text.trim() !== "";
          expect(run.outcome.outcome !== "limited" || isAnswered).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
    await rm(root, { recursive: true });
  });
});

const TYPED = "output: { fields: { count: integer } }\n";

/** Codes of faults that only a strategy or core itself can make. */
const BUGS: ReadonlySet<string> = new Set(["contract-broken", "verb-pending", "evidence-unknown"]);

function faultsOf(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.name === "stage.end" && event.data.fault !== undefined ? [event.data.fault.code] : [],
  );
}

const randomText = (): ScriptedReply => ({ text: "4" });
