import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunEvent } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Ledger } from "../../../core/src/run/ledger.ts";
import { unbalanced } from "../events.ts";
import { randomReply } from "./random-replies.ts";
import { INNER_FILE, INNER_SPEC, randomStage } from "./random-trees.ts";
import { runScripted, type ScriptedRun, toolOf } from "./run-scripted.ts";

const stock = toolOf("stock", async (item) => {
  await new Promise(setImmediate);
  if (item.endsWith("x")) throw new Error("no stock today");
  return `${item}: 4`;
});

/** What a reply costs: how long it wants to be, and how long the endpoint takes. */
interface Cost {
  readonly output: number;
  readonly turns: number;
}

const PRICED = "model: { use: stub/model, price: { input: 100, output: 400 } }\n";
const pricedInner = INNER_SPEC.replace("model: stub/model\n", PRICED);

/** The same stages with so many samples beside each other. */
function widened(stages: unknown, samples: number, maxParallel: number): string {
  return JSON.stringify(stages).replaceAll(
    '"samples":2',
    `"samples":${samples},"maxParallel":${maxParallel}`,
  );
}

/** A token for four characters of everything that is sent: fewer than the estimate, as true endpoints count. */
function inputTokens({ messages, tools, output }: ProviderRequest): number {
  return Math.ceil(JSON.stringify([messages, tools, output?.schema ?? null]).length / 4);
}

/** An endpoint that keeps to `maxTokens` and reports what it used. */
function honest(request: ProviderRequest, { output }: Cost, reply: ScriptedReply): ScriptedReply {
  if (reply.error !== undefined || reply.refusal !== undefined) return reply;
  const used = Math.min(output, request.sampling.maxTokens ?? output);
  return { ...reply, usage: { input: inputTokens(request), output: used } };
}

function ended(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.name === "model-call.end" ? [event.data] : []));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

let root: string;
/** They let every call through, and know the ledgers that were asked. */
let spies: readonly {
  readonly mock: { readonly contexts: readonly unknown[] };
  mockClear(): unknown;
}[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-limits-"));
  await writeFile(join(root, INNER_FILE), pricedInner);
  spies = [vi.spyOn(Ledger.prototype, "reserveModelCall"), vi.spyOn(Ledger.prototype, "openLanes")];
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(root, { recursive: true, force: true });
});

type Max = Readonly<Partial<Record<"modelCalls" | "toolCalls" | "tokens" | "usd", number>>>;

/** The limits with what the refusal of the spec says is the least; anything else that is thrown is a fault. */
function raised(max: Max, refusal: unknown): Max {
  const message = refusal instanceof Error ? refusal.message : "";
  const said = /write `(modelCalls|toolCalls): (\d+)` or more/u.exec(message);
  if (said !== null) return { ...max, [said[1] ?? ""]: Number(said[2]) };
  const tokens = /write a limit well above ([\d,]+)/u.exec(message);
  if (tokens === null) throw refusal;
  return { ...max, tokens: 1000 + Number(tokens[1]?.replaceAll(",", "")) };
}

const limits = fc.record(
  {
    modelCalls: fc.integer({ min: 6, max: 40 }),
    toolCalls: fc.integer({ min: 0, max: 12 }),
    tokens: fc.integer({ min: 2000, max: 60_000 }),
    usd: fc.integer({ min: 5, max: 500 }).map((cents) => cents / 100),
  },
  { requiredKeys: [] },
);

describe("a limit", () => {
  it("is passed by no tree of stages, branches and agents, and everything that was taken is settled", async () => {
    await fc.assert(
      fc.asyncProperty(
        randomStage,
        fc.record({
          samples: fc.integer({ min: 2, max: 8 }),
          maxParallel: fc.integer({ min: 1, max: 8 }),
        }),
        limits,
        fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
        fc.array(randomReply, { minLength: 1, maxLength: 6 }),
        fc.array(fc.record({ output: fc.nat(3000), turns: fc.nat(3) }), {
          minLength: 1,
          maxLength: 6,
        }),
        async (stages, { samples, maxParallel }, wanted, ofTool, says, costs) => {
          let max: Max = wanted;
          let count = 0;
          const own = ofTool === undefined ? "{}" : `{ limits: { toolCalls: ${ofTool} } }`;
          const ran = async (): Promise<ScriptedRun> =>
            runScripted(
              `${PRICED}tools: { stock: ${own}, reflection: {}, javascript: {} }\nmemory: { notes: { use: in-process } }\nstrategy: ${widened(stages, samples, maxParallel)}\nlimits: ${JSON.stringify(max)}\n`,
              async (request) => {
                const number = count++;
                const cost = costs[number % costs.length] as Cost;
                for (let turns = cost.turns; turns > 0; turns--) await new Promise(setImmediate);
                return honest(
                  request,
                  cost,
                  says[number % says.length]?.(request) as ScriptedReply,
                );
              },
              { plugins: [stock], root },
            );
          let run: ScriptedRun | undefined;
          while (run === undefined) {
            for (const spy of spies) spy.mockClear();
            run = await ran().catch((refusal: unknown) => {
              max = raised(max, refusal);
              return undefined;
            });
          }
          const { outcome, events, requests } = run;
          const { spending } = outcome;
          const calls = ended(events);
          const tools = events.flatMap((event) =>
            event.name === "tool-call.start" ? [event] : [],
          );
          const used = sum(calls.map(({ usage }) => usage.input + usage.output));
          const usd = sum(calls.map((call) => call.usd));
          // Never, and not by one.
          expect(requests.length).toBeLessThanOrEqual(max.modelCalls ?? Infinity);
          expect(tools.length).toBeLessThanOrEqual(max.toolCalls ?? Infinity);
          expect(used).toBeLessThanOrEqual(max.tokens ?? Infinity);
          expect(usd).toBeLessThanOrEqual((max.usd ?? Infinity) + 1e-9);
          // Calls of a name that no tool has are told, and are none of the tool's.
          const ownCalls = tools.filter(
            ({ key, data }) => data.tool === "stock" && !key.includes("/agent:"),
          );
          expect(ownCalls.length).toBeLessThanOrEqual(ofTool ?? Infinity);
          // Spending is what was reported.
          expect(spending.modelCalls).toBe(calls.length);
          expect(spending.toolCalls).toBe(tools.length);
          expect(spending.usage.input + spending.usage.output).toBe(used);
          expect(spending.usd).toBeCloseTo(usd, 9);
          // Nothing is left open.
          const ledgers = spies.flatMap(({ mock }) => mock.contexts as Ledger[]);
          expect(ledgers.length).toBeGreaterThan(0);
          expect(ledgers.every((ledger) => ledger.isSettled)).toBe(true);
          expect(unbalanced(events)).toEqual([]);
          expect(events.filter(({ name }) => name === "run.end")).toHaveLength(1);
          const isAnswered = outcome.answer.text !== "" && outcome.reason !== undefined;
          expect(outcome.outcome !== "limited" || isAnswered).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });
});
