import type { Observation, StageTool } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import {
  isReflection,
  reflectionCount,
  reflectionMoment,
  type ReflectionOptions,
  reflectionRefusal,
  reflectionRequest,
  type ReflectionView,
} from "./reflection-moments.ts";

const tool = (name: string, more: Partial<StageTool> = {}): StageTool => ({
  name,
  description: "",
  input: {},
  tool: name.replace("_", "/"),
  effect: "read",
  isThought: false,
  use: name,
  polls: false,
  ...more,
});

const TOOLS = [
  tool("shop_stock"),
  tool("price"),
  tool("book", { effect: "once" }),
  tool("status", { polls: true }),
  tool("think", {
    isThought: true,
    effect: "idempotent",
    input: { type: "object", properties: { moment: {} } },
  }),
];
const MUSE = tool("muse", { isThought: true, input: { type: "object", properties: { text: {} } } });

let count = 0;
const result = (name: string, content: string, more: Partial<Observation> = {}): Observation => ({
  id: `observation-${(count += 1)}`,
  tool: name,
  input: { item: "nut" },
  content,
  ok: true,
  degraded: false,
  ...more,
});
const thought = (): Observation => result("think", "Noted", { isThought: true });
const failure = (): Observation => result("shop/stock", "down", { ok: false });

const OPTIONS: ReflectionOptions = {
  maxReflections: 3,
  reflectAt: ["key-step-done", "tool-error", "contradiction", "before-final-answer"],
};

const momentOf = (view: Partial<ReflectionView>, options: Partial<ReflectionOptions> = {}) =>
  reflectionMoment(
    { tools: TOOLS, observations: [], stepsLeft: 4, ...view },
    { ...OPTIONS, ...options },
  );

describe("the moments of reflection", () => {
  it("are none while nothing has happened", () => {
    expect(momentOf({})).toBeUndefined();
    expect(momentOf({ observations: [result("price", "4")] })).toBeUndefined();
  });

  it("come when a step of the plan has ended", () => {
    expect(momentOf({ hasEndedStep: true })).toBe("key-step-done");
  });

  it("come when a call failed, until the model has reflected or was asked", () => {
    const observations = [failure()];
    expect(momentOf({ observations })).toBe("tool-error");
    expect(momentOf({ observations, askedAt: 1 })).toBeUndefined();
    expect(momentOf({ observations: [...observations, thought()] })).toBeUndefined();
    expect(momentOf({ observations: [...observations, failure()], askedAt: 1 })).toBe("tool-error");
  });

  it.each([
    [
      "reading the same brings something else",
      [result("price", "4"), result("price", "5")],
      "contradiction",
    ],
    [
      "a stand-in value and the true one differ",
      [result("price", "4", { degraded: true }), result("price", "5")],
      "contradiction",
    ],
    [
      "the fields stand in another order",
      [
        result("price", "4", { input: { a: 1, b: 2 } }),
        result("price", "5", { input: { b: 2, a: 1 } }),
      ],
      "contradiction",
    ],
    ["the result is the same", [result("price", "4"), result("price", "4")], undefined],
    [
      "the question is another",
      [result("price", "4"), result("price", "5", { input: {} })],
      undefined,
    ],
    [
      "something was done in between",
      [result("price", "4"), result("book", "ok"), result("price", "5")],
      undefined,
    ],
    ["the tool polls", [result("status", "4"), result("status", "5")], undefined],
    ["the tool does something", [result("book", "4"), result("book", "5")], undefined],
  ])("tell a contradiction by its reason: %s", (_name, observations, moment) => {
    expect(momentOf({ observations })).toBe(moment);
  });

  it("come before the final answer, unless the model has reflected since its last result", () => {
    const observations = [result("price", "4")];
    expect(momentOf({ observations, isAnswering: true })).toBe("before-final-answer");
    expect(
      momentOf({ observations: [...observations, thought()], isAnswering: true }),
    ).toBeUndefined();
    expect(momentOf({ isAnswering: true })).toBeUndefined();
    expect(momentOf({ observations, isAnswering: true, stepsLeft: 1 })).toBeUndefined();
  });

  it("are none without a tool for thoughts, without a step left, or above the most thoughts", () => {
    const observations = [failure()];
    expect(momentOf({ observations, tools: TOOLS.slice(0, 4) })).toBeUndefined();
    expect(momentOf({ observations, stepsLeft: 0 })).toBeUndefined();
    expect(
      momentOf({ observations: [thought(), failure()] }, { maxReflections: 1 }),
    ).toBeUndefined();
    expect(reflectionCount([thought(), failure()], TOOLS)).toBe(1);
  });

  it("leave a tool alone that takes thoughts without a moment", () => {
    const tools = [...TOOLS.slice(0, 4), MUSE];
    expect(momentOf({ observations: [failure()], tools })).toBeUndefined();
    expect(isReflection({ id: "1", name: "muse", arguments: "{}" }, tools)).toBe(false);
    expect(reflectionCount([result("muse", "OK.", { isThought: true })], tools)).toBe(0);
  });

  it("are those that the options name", () => {
    expect(
      momentOf({ observations: [failure()] }, { reflectAt: ["contradiction"] }),
    ).toBeUndefined();
  });
});

describe("the request of a reflection", () => {
  it("names the tool, the moment and, after an error, the other tools", () => {
    const view: ReflectionView = { tools: TOOLS, observations: [failure()], stepsLeft: 4 };
    expect(reflectionRequest(view, "tool-error", "en")).toBe(
      'Before anything else, call think with the moment "tool-error": a call failed; why, and what other way is there? Other tools: price, book, status.',
    );
    expect(reflectionRequest(view, "contradiction", "zh")).toContain(
      "请先调用 think，moment 填 “contradiction”",
    );
  });

  it("is answered by calls of that tool alone, and refused above the most", () => {
    const call = { id: "1", name: "think", arguments: "{}" };
    expect(isReflection(call, TOOLS)).toBe(true);
    expect(isReflection({ ...call, name: "price" }, TOOLS)).toBe(false);
    expect(reflectionRefusal(OPTIONS, "en")).toContain(
      "not executed: you have stopped to think 3 times",
    );
    expect(reflectionRefusal(OPTIONS, "zh")).toContain("3 次");
  });
});
