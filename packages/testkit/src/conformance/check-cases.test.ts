import {
  type CheckDefinition,
  type CheckResult,
  defineCheck,
  defineToken,
  type Issue,
  type RunState,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { type CheckConformance, checkCases } from "./check-cases.ts";
import { failuresOf } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";

const shouting: Issue = {
  kind: "missed-constraint",
  detail: "The answer shouts.",
  requiredAction: "Say it without an exclamation mark.",
  needs: "rewrite",
};

const judge = ({ answer }: RunState): CheckResult => ({
  issues: answer.text.includes("!") ? [shouting] : [],
});

const good: CheckDefinition = defineCheck({
  id: "calm",
  description: "The answer has no exclamation mark.",
  options: Type.Object({}),
  run: judge,
});
const given: CheckConformance = {
  passes: [{ state: { answer: { text: "It is 4." } } }],
  finds: [{ state: { answer: { text: "It is 4!" } } }],
};

const judging = (run: (state: RunState) => CheckResult): object => ({ run });
let judged = 0;

const bad: Readonly<Record<string, { readonly fault: object; readonly found: string }>> = {
  "a service with effects": {
    fault: { inject: { disk: defineToken("acme/disk") } },
    found: "asks for services by token, pure ones only",
  },
  "an alarm at nothing": {
    fault: judging(() => ({ issues: [shouting] })),
    found: "passes what has no fault",
  },
  "a blind eye": { fault: judging(() => ({ issues: [] })), found: "finds every fault" },
  "an issue without a remedy": {
    fault: judging((state) => ({
      issues: judge(state).issues.map((issue) => ({ ...issue, requiredAction: "" })),
    })),
    found: "finds every fault",
  },
  "evidence that nobody observed": {
    fault: judging((state) => ({ ...judge(state), supportedEvidence: ["observation-9"] })),
    found: "finds every fault",
  },
  "a state that it changes": {
    fault: judging((state) => {
      (state.answer as { text: string }).text = "";
      return judge(state);
    }),
    found: "passes what has no fault",
  },
  "a look at the clock": {
    fault: judging((state) => ({ ...judge(state), unchecked: [`at ${Date.now()}`] })),
    found: "without time, chance or network",
  },
  "a memory of its own": {
    fault: judging((state) => ({ ...judge(state), unchecked: [`number ${++judged}`] })),
    found: "judges the same state in the same way",
  },
  "a break on odd text": {
    fault: judging((state) => {
      if (/9{300}/.test(state.answer.text)) throw new Error("too long");
      return judge(state);
    }),
    found: "judges whatever a model may have written",
  },
};

describe("the suite of a check", () => {
  it("passes a good check", async () => {
    expect(await failuresOf(checkCases(good, given))).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { fault, found }) => {
    const services = () => ({ disk: {} });
    const failed = await failuresOf(checkCases({ ...good, ...fault }, { ...given, services }));
    expect(failed).toContainEqual(expect.stringContaining(found));
  });

  it("has a bad check for every case of its own", () => {
    const own = checkCases(good, given).slice(definitionCases(good, "check").length);
    const found = Object.values(bad).map((one) => one.found);
    const unproved = own.filter(({ name }) => !found.some((part) => name.includes(part)));
    expect(unproved.map(({ name }) => name)).toEqual([]);
  });
});
