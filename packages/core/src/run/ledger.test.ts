import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_USAGE } from "../contracts/provider.ts";
import { LimitError } from "../errors/loopwright-error.ts";
import { Ledger, type Purpose } from "./ledger.ts";

const onLimit = (): void => undefined;
const purpose = fc.constantFrom<Purpose>("work", "work", "work", "always", "conclusion");
const call = fc.record({ purpose, tokens: fc.nat(400), tools: fc.nat(4), stage: fc.boolean() });

/** False where a limit refuses; anything else that is thrown is a fault of the ledger. */
function take(act: () => void): boolean {
  try {
    act();
    return true;
  } catch (thrown) {
    if (thrown instanceof LimitError) return false;
    throw thrown;
  }
}

describe("a ledger", () => {
  it("passes no hard limit, whoever asks in whatever order, and leaves room for the conclusion", () => {
    fc.assert(
      fc.property(
        fc.array(call, { maxLength: 40 }),
        fc.integer({ min: 2, max: 12 }),
        fc.integer({ min: 0, max: 9 }),
        (calls, modelCalls, toolCalls) => {
          const limits = { modelCalls, toolCalls, tokens: 2_000 };
          const run = new Ledger({ limits, onLimit });
          const stage = new Ledger({ limits: { modelCalls: 3 }, parent: run, onLimit });
          let concluded = 0;
          for (const one of calls) {
            const ledger = one.stage ? stage : run;
            const estimate = { tokens: one.tokens, usd: 0 };
            const before = run.spending().modelCalls;
            const isTaken = take(() => ledger.reserveModelCall(estimate, one.purpose));
            if (isTaken) ledger.settleModelCall(estimate, { ...NO_USAGE, input: one.tokens }, 0);
            if (isTaken && one.purpose === "conclusion") concluded += 1;
            ledger.reserveToolCalls(one.tools);
            expect(run.spending().modelCalls).toBe(before + (isTaken ? 1 : 0));
            const { modelCalls: used, toolCalls: usedTools, usage } = run.spending();
            expect(used).toBeLessThanOrEqual(concluded > 0 ? modelCalls : modelCalls - 1);
            expect(usedTools).toBeLessThanOrEqual(toolCalls);
            expect(usage.input).toBeLessThanOrEqual(2_000);
            expect(stage.spending().modelCalls).toBeLessThanOrEqual(3);
          }
        },
      ),
    );
  });

  it("counts what is under way: eight calls at once pass no limit", () => {
    const ledger = new Ledger({ limits: { usd: 1 }, onLimit });
    const estimate = { tokens: 1, usd: 0.25 };
    const taken = Array.from({ length: 8 }, () =>
      take(() => ledger.reserveModelCall(estimate, "work")),
    );
    expect(taken.filter(Boolean)).toHaveLength(3);
  });

  it("keeps the reserve for stages marked always, and gives them the conclusion's call once it is spent", () => {
    const ledger = new Ledger({ limits: { modelCalls: 5 }, reserve: 2, onLimit });
    const nothing = { tokens: 0, usd: 0 };
    const taken = (by: Purpose): boolean => take(() => ledger.reserveModelCall(nothing, by));
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
    expect(ledger.reserveToolCalls(3)).toEqual({ granted: 3 });
    expect(ledger.isNearLimit()).toBe(false);
    expect(ledger.reserveToolCalls(4)).toMatchObject({
      granted: 2,
      refusal: { code: "limit-tool-calls" },
    });
    expect(ledger.reserveToolCalls(1).granted).toBe(0);
    expect(told).toEqual(["toolCalls false 5/5", "toolCalls true 5/5"]);
  });
});
