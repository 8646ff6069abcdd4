import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../contracts/provider.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import { Ledger } from "./ledger.ts";
import { type CallNeed, NO_NEED } from "./model-cost.ts";
import type { Purpose } from "./purpose.ts";
import type { Reservation } from "./reply-room.ts";

const onLimit = (): void => undefined;
const purpose = fc.constantFrom<Purpose>("work", "work", "work", "always", "conclusion");
const anyCall = fc.record({
  purpose,
  tokens: fc.nat(400),
  /** The share of the room for its reply that a call uses; it fails without. */
  share: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  tools: fc.nat(4),
  stage: fc.boolean(),
  /** Whether it is a call that failed and is made again. */
  isRetry: fc.boolean(),
});

function reserveFor(
  ledger: Ledger,
  { tokens, isRetry, purpose: by }: { tokens: number; isRetry: boolean; purpose: Purpose },
): Reservation | undefined {
  const need = needFor(tokens);
  return isRetry ? ledger.reserveRetry(need, by) : ledger.reserveModelCall(need, by);
}

/** A call that sends so many tokens at a thousandth of a dollar each; a token of its reply costs twice that. */
function needFor(tokens: number): CallNeed {
  return { input: { tokens, usd: tokens / 1000 }, usdPerReplyToken: 0.002 };
}

/** False where a limit refuses; anything else that is thrown is a fault of the ledger. */
function take(act: () => Reservation | undefined): Reservation | undefined {
  try {
    return act();
  } catch (thrown) {
    if (thrown instanceof LimitError) return undefined;
    throw thrown;
  }
}

/** Ends a call as an honest endpoint does: it reports no more than was estimated, and no longer reply than allowed. */
function settle(call?: { ledger: Ledger; taken: Reservation; share: number | null }): void {
  if (call === undefined) return;
  const { ledger, taken, share } = call;
  if (share === null) return ledger.settleFailedCall(taken);
  const output = Math.floor(taken.reply.tokens * share);
  const usage = { ...NO_USAGE, input: taken.input.tokens, output };
  ledger.settleModelCall(taken, usage, taken.input.usd + output * 0.002);
}

describe("a ledger", () => {
  it("passes no hard limit, whoever asks in whatever order, and leaves room for the conclusion", () => {
    fc.assert(
      fc.property(
        fc.array(anyCall, { maxLength: 40 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 0, max: 9 }),
        fc.nat(7),
        (calls, modelCalls, toolCalls, lanes) => {
          const limits = { modelCalls, toolCalls, tokens: 2_000, usd: 2.5 };
          const run = new Ledger({ limits, onLimit });
          const stage = new Ledger({ limits: { modelCalls: 3 }, parent: run, onLimit });
          const closeLanes = run.openLanes(lanes);
          const underWay: { ledger: Ledger; taken: Reservation; share: number | null }[] = [];
          let concluded = 0;
          for (const one of calls) {
            const ledger = one.stage ? stage : run;
            const before = run.spending().modelCalls;
            const taken = take(() => reserveFor(ledger, one));
            if (taken !== undefined) underWay.push({ ledger, taken, share: one.share });
            if (underWay.length > lanes) settle(underWay.shift());
            if (taken !== undefined && one.purpose === "conclusion") concluded += 1;
            expect(run.spending().modelCalls).toBe(before + (taken === undefined ? 0 : 1));
            for (let tools = one.tools; tools > 0; tools--) ledger.reserveToolCall();
            const { modelCalls: used, toolCalls: usedTools, usage, usd } = run.spending();
            expect(used).toBeLessThanOrEqual(concluded > 0 ? modelCalls : modelCalls - 1);
            expect(usedTools).toBeLessThanOrEqual(toolCalls);
            expect(usage.input + usage.output).toBeLessThanOrEqual(2_000);
            expect(usd).toBeLessThanOrEqual(2.5 + 1e-9);
            expect(stage.spending().modelCalls).toBeLessThanOrEqual(3);
          }
          for (const call of underWay) settle(call);
          expect(run.isSettled).toBe(lanes === 0);
          closeLanes();
          expect(run.isSettled).toBe(true);
        },
      ),
    );
  });

  it("counts what is under way: eight calls at once pass no limit, and share what is left", () => {
    const ledger = new Ledger({ limits: { tokens: 9_000 }, onLimit });
    const closeLanes = ledger.openLanes(7);
    const rooms = Array.from(
      { length: 8 },
      () => take(() => ledger.reserveModelCall(needFor(200), "work"))?.maxTokens ?? 0,
    );
    expect(Math.min(...rooms)).toBeGreaterThan(400);
    closeLanes();
    expect(take(() => ledger.reserveModelCall(needFor(9_000), "work"))).toBeUndefined();
  });

  it("counts a call that failed by what it sent", () => {
    const ledger = new Ledger({ limits: { tokens: 3_000 }, onLimit });
    const reserve = () => take(() => ledger.reserveModelCall(needFor(1_000), "work"));
    const first = reserve();
    if (first !== undefined) ledger.settleFailedCall(first);
    expect(first).toBeDefined();
    expect(reserve()).toBeUndefined();
  });

  it("makes a call again beyond the worst case, where a limit holds it, and tells no limit otherwise", () => {
    const told: string[] = [];
    const ledger = new Ledger({
      limits: { modelCalls: 4, tokens: 1_000 },
      worstCase: 2,
      onLimit: (limit, soft) => told.push(`${limit} ${soft}`),
    });
    ledger.reserveModelCall(NO_NEED, "work");
    expect(ledger.reserveRetry(needFor(5_000), "work")).toBeUndefined();
    expect(ledger.reserveRetry(NO_NEED, "work")).toBeDefined();
    expect(told).toEqual([]);
    ledger.reserveModelCall(NO_NEED, "work");
    // The fourth is held back for a conclusion.
    expect(ledger.reserveRetry(NO_NEED, "work")).toBeUndefined();
    expect(told).toEqual([]);
    expect(ledger.spending().modelCalls).toBe(3);
    expect(() => ledger.reserveModelCall(NO_NEED, "work")).toThrow(/worst case|model calls that/u);
  });

  it("gives back a call that never went out, as if it had not been taken", () => {
    const open = () => {
      const limits = { modelCalls: 4, tokens: 3_000 };
      const run = new Ledger({ limits, worstCase: 2, onLimit });
      const stage = new Ledger({ limits: {}, parent: run, onLimit });
      stage.settleFailedCall(stage.reserveModelCall(needFor(100), "work"));
      return { run, stage };
    };
    const [plain, { run, stage }] = [open(), open()];
    for (let round = 0; round < 5; round++) {
      const again = stage.reserveRetry(needFor(900), "work");
      expect(again).toBeDefined();
      if (again !== undefined) stage.release(again);
    }
    stage.release(stage.reserveModelCall(needFor(900), "work"));
    expect(run.spending()).toEqual(plain.run.spending());
    expect(stage.spending()).toEqual(plain.stage.spending());
    const next = (ledger: Ledger): unknown => ledger.reserveModelCall(needFor(900), "work");
    expect(next(stage)).toEqual(next(plain.stage));
    expect(() => next(stage)).toThrow("ask for more than the 2 model calls");
  });

  it("leaves the reply alone where neither tokens nor money are limited", () => {
    const ledger = new Ledger({ limits: { modelCalls: 5 }, onLimit });
    expect(ledger.isMetered).toBe(false);
    expect(ledger.reserveModelCall(NO_NEED, "work").maxTokens).toBeUndefined();
  });

  it("keeps the reserve for stages marked always, and gives them the conclusion's call once it is spent", () => {
    const ledger = new Ledger({ limits: { modelCalls: 5 }, reserve: 2, onLimit });
    const taken = (by: Purpose): boolean =>
      take(() => ledger.reserveModelCall(NO_NEED, by)) !== undefined;
    expect([taken("work"), taken("work"), taken("work")]).toEqual([true, true, false]);
    expect(taken("conclusion")).toBe(true);
    expect([taken("always"), taken("always"), taken("always")]).toEqual([true, true, false]);
  });

  it("tells each limit once, softly at four fifths, then hard", () => {
    const told: string[] = [];
    const ledger = new Ledger({
      limits: { toolCalls: 5 },
      onLimit: (limit, soft, used, max) => told.push(`${limit} ${soft} ${used}/${max}`),
    });
    const takes = (count: number): readonly (string | undefined)[] =>
      Array.from({ length: count }, () => ledger.reserveToolCall()?.code);
    expect(takes(3)).toEqual([undefined, undefined, undefined]);
    expect(ledger.isNearLimit()).toBe(false);
    expect(takes(3)).toEqual([undefined, undefined, "limit-tool-calls"]);
    expect(takes(1)).toEqual(["limit-tool-calls"]);
    expect(told).toEqual(["toolCalls true 4/5", "toolCalls false 5/5"]);
  });

  it("of an agent keeps its own conclusion, and leaves that of the run to the run", () => {
    const run = new Ledger({ limits: { modelCalls: 4 }, onLimit });
    const limits = { modelCalls: 2 };
    const agent = new Ledger({ limits, parent: run, purposeAbove: "work", onLimit });
    const call = (ledger: Ledger, why: Purpose) =>
      take(() => ledger.reserveModelCall(NO_NEED, why)) !== undefined;
    expect(call(agent, "work")).toBe(true);
    expect(call(agent, "work")).toBe(false);
    expect(call(agent, "conclusion")).toBe(true);
    expect(call(run, "work")).toBe(true);
    expect(call(run, "work")).toBe(false);
    const later = new Ledger({ limits, parent: run, purposeAbove: "work", onLimit });
    expect(call(later, "conclusion")).toBe(false);
    expect(call(run, "conclusion")).toBe(true);
  });

  it("knows the errors by which it, or one above it, has refused", () => {
    const run = new Ledger({ limits: { modelCalls: 1 }, onLimit });
    const agent = new Ledger({
      limits: { modelCalls: 9 },
      parent: run,
      purposeAbove: "work",
      onLimit,
    });
    let thrown: unknown;
    try {
      agent.reserveModelCall(NO_NEED, "work");
    } catch (refusal) {
      thrown = refusal;
    }
    expect(thrown).toBeInstanceOf(LimitError);
    expect([run.hasRefused(thrown), agent.hasRefused(thrown)]).toEqual([true, true]);
    expect(run.hasRefused(new Error("another"))).toBe(false);
  });

  it("of a tool's agent counts at the tool's pot too, whichever stage calls it, and keeps a conclusion there", () => {
    const told: string[] = [];
    const pot = new Ledger({
      limits: { modelCalls: 3 },
      tool: "expert",
      onLimit: (limit, soft) => told.push(`${limit} ${soft}`),
    });
    const run = new Ledger({ limits: {}, onLimit });
    const agentOf = (stage: Ledger): Ledger =>
      new Ledger({
        limits: {},
        parent: new Ledger({ limits: {}, parent: stage, beside: [pot], onLimit }),
        purposeAbove: "work",
        onLimit,
      });
    const stages = [1, 2].map(() => new Ledger({ limits: {}, parent: run, onLimit }));
    const [first, second] = stages.map(agentOf) as [Ledger, Ledger];
    const settled = (ledger: Ledger, by: Purpose): void =>
      ledger.settleModelCall(ledger.reserveModelCall(NO_NEED, by), NO_USAGE, 0);
    settled(first, "work");
    settled(second, "work");
    let refusal: unknown;
    try {
      settled(second, "work");
    } catch (thrown) {
      refusal = thrown;
    }
    expect(refusal).toMatchObject({
      code: "limit-model-calls",
      message: expect.stringContaining("tools.expert.limits.modelCalls is reached") as string,
      details: { of: "run", tool: "expert" },
    });
    expect([second.hasRefused(refusal), run.hasRefused(refusal)]).toEqual([true, false]);
    settled(second, "conclusion");
    expect(() => settled(first, "conclusion")).toThrow("tools.expert.limits.modelCalls");
    expect(pot.spending().modelCalls).toBe(3);
    expect(run.spending().modelCalls).toBe(3);
    expect(stages.map((stage) => stage.spending().modelCalls)).toEqual([1, 2]);
    expect(told).toEqual(["modelCalls true", "modelCalls false"]);
    expect(pot.isSettled).toBe(true);
  });

  it("holds limits that were lowered from the next call on, and those of before when they are back", () => {
    const told: string[] = [];
    const limits = { modelCalls: 9 };
    const ledger = new Ledger({
      limits,
      onLimit: (limit, soft, used, max) => told.push(`${limit} ${soft} ${used}/${max}`),
    });
    const taken = (): boolean => take(() => ledger.reserveModelCall(NO_NEED, "work")) !== undefined;
    expect([taken(), taken()]).toEqual([true, true]);
    ledger.setLimits({ modelCalls: 3 });
    expect(taken()).toBe(false);
    ledger.setLimits(limits);
    expect(taken()).toBe(true);
    expect(told).toEqual(["modelCalls false 2/3"]);
  });
});
