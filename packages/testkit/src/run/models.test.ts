import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";

const DOWN = { error: { code: "provider-unavailable", message: "overloaded" } } as const;
const OUTPUT = "output: { fields: { count: integer }, repair: 2 }\n";

describe("a model", () => {
  const MODELS =
    "model: { use: stub/first, fallback: [second, stub/third] }\nmodels: { second: stub/second }\nstrategy: direct\n";

  it("that fails is stood in for by its fallbacks, in order", async () => {
    const { outcome, requests, events } = await runScripted(MODELS, ({ model }) =>
      model === "third" ? "4" : DOWN,
    );
    expect(requests.map(({ model }) => model)).toEqual(["first", "second", "third"]);
    expect(outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 3 } });
    const told = events.filter((event) => event.name === "call.retried");
    expect(told.map(({ data }) => [data.model, data.nextModel])).toEqual([
      ["stub/first", "stub/second"],
      ["stub/second", "stub/third"],
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("that fails like all its fallbacks fails the run with the last fault", async () => {
    const { outcome, events } = await runScripted(MODELS, () => DOWN);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "provider-unavailable" } });
    expect(unbalanced(events)).toEqual([]);
  });

  it("whose reply does not fit is told why, and mends it", async () => {
    const { outcome, requests, events } = await runScripted(`strategy: direct\n${OUTPUT}`, [
      '{"count": "four"}',
      "It is 4.",
      '{"count": 4}',
    ]);
    expect(outcome).toMatchObject({ outcome: "done", value: { count: 4 } });
    expect(requests[1]?.messages.at(-2)).toMatchObject({
      role: "assistant",
      text: '{"count": "four"}',
    });
    expect(requests[1]?.messages.at(-1)?.text).toMatch(/`count` is "four", not integer/);
    expect(requests[2]?.messages.at(-1)?.text).toMatch(/holds no JSON object/);
    expect(eventNames(events).filter((name) => name === "output.rejected")).toHaveLength(2);
  });

  it("whose reply never fits fails after the repairs allowed", async () => {
    const { outcome, requests } = await runScripted(`strategy: direct\n${OUTPUT}`, () => "no");
    expect(requests).toHaveLength(3);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-invalid" } });
  });

  it("whose reply was cut is not believed, also when the text parses", async () => {
    const cut = { json: { count: 4 }, finishReason: "length" } as const;
    const { outcome, requests } = await runScripted(`strategy: direct\n${OUTPUT}`, () => cut);
    expect(requests).toHaveLength(3);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "output-truncated" } });
  });

  it("that refuses gives an answer that says so", async () => {
    const { outcome } = await runScripted(`strategy: direct\n${OUTPUT}`, [{ refusal: "I can't." }]);
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { solvable: false, unsolvableReason: "I can't." },
    });
  });

  it("may say that the task can't be done instead of filling the fields", async () => {
    const { outcome, events } = await runScripted(`strategy: direct\n${OUTPUT}`, [
      { json: { solvable: false, unsolvableReason: "nobody counted" } },
    ]);
    expect(outcome).toMatchObject({ outcome: "done", value: null, answer: { solvable: false } });
    expect(events.at(-1)?.data).toMatchObject({ answer: { unsolvableReason: "nobody counted" } });
  });
});
