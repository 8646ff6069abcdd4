import { Clock, provide } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const DOWN = { error: { code: "provider-failed", message: "down" } } as const;

describe("a stage", () => {
  it("is skipped where its guard does not hold, and says so", async () => {
    const { outcome, events } = await runScripted(
      `strategy:
  - direct
  - chain-of-thought: { when: answer.revision > 1 }
  - direct:
      id: last
      when: results["chain-of-thought"].ran == false
`,
      ["one", "two"],
    );
    expect(outcome.answer).toMatchObject({ text: "two", by: "last", revision: 2 });
    expect(outcome.state.results).toMatchObject({
      "chain-of-thought": { ran: false, outcome: "skipped", text: "" },
      direct: { ran: true, outcome: "done", text: "one" },
      last: { ran: true, outcome: "done", text: "two" },
    });
    const ends = events.filter((event) => event.name === "stage.end");
    expect(ends.map(({ data }) => data.outcome)).toEqual(["done", "skipped", "done"]);
  });

  it("fails the run with the partial answer", async () => {
    const { outcome } = await runScripted("strategy: [direct, chain-of-thought, direct]\n", [
      "one",
      DOWN,
    ]);
    expect(outcome).toMatchObject({ outcome: "failed", reason: "down", answer: { text: "one" } });
  });

  it("is passed over with onError: continue", async () => {
    const { outcome, events } = await runScripted(
      "strategy:\n  - direct\n  - chain-of-thought: { onError: continue }\n  - direct: { id: last }\n",
      ["one", DOWN, "three"],
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "three" } });
    expect(outcome.state.results["chain-of-thought"]?.outcome).toBe("failed");
    expect(unbalanced(events)).toEqual([]);
  });

  it("marked always runs after a failure, and does not hide it", async () => {
    const lesson = { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" };
    const { outcome, events } = await runScripted(
      "strategy:\n  - direct\n  - chain-of-thought\n  - direct: { id: never }\n  - reflect: { always: true }\n",
      ["one", DOWN, { json: lesson }],
    );
    expect(outcome).toMatchObject({ outcome: "failed", reason: "down" });
    expect(outcome.state.lessons).toMatchObject([lesson]);
    expect(eventNames(events)).not.toContain("stage.start never");
  });

  it("learns in the memory of the run, under an id that a replay gives again", async () => {
    const lesson = { trigger: "t", failurePattern: "f", lesson: "do more", avoid: "a" };
    const { outcome, requests, events } = await runScripted(
      'strategy: { loop: { maxRounds: 2, until: "false", do: [direct, reflect] } }\n',
      ["one", { json: lesson }, "two", { json: { ...lesson, lesson: "" } }],
    );
    expect(requests[2]?.messages.at(-1)?.text).toContain("do more");
    expect(outcome.state.lessons.map(({ id }) => id)).toEqual([
      "lesson:run/loop:0/reflect:0/remember:0",
    ]);
    expect(eventNames(events).filter((name) => name === "lesson.learned")).toHaveLength(1);
  });

  it("keeps its own limit of model calls", async () => {
    const { outcome, requests, events } = await runScripted(
      'strategy: { loop: { maxRounds: 9, until: "false", do: direct, limits: { modelCalls: 3 } } }\n',
      () => "4",
    );
    expect(outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    expect(requests).toHaveLength(3);
    const told = events.filter((event) => event.name === "limit.reached");
    expect(told.at(-1)?.data).toMatchObject({ limit: "stages.loop.modelCalls", soft: false });
  });

  it("keeps its own limit of time, and leaves no timer", async () => {
    const clock = testClock();
    const { outcome, events } = await runScripted(
      "strategy:\n  - direct\n  - chain-of-thought: { limits: { time: 5s }, onError: continue }\n  - direct: { id: last }\n",
      ({ stage }) => (stage === "chain-of-thought" ? { text: "x", delayMs: 60_000 } : stage),
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("model-call.start", (event) => {
            if (event.stage === "chain-of-thought") setImmediate(() => void clock.advance(5_000));
          }),
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "last" } });
    expect(outcome.state.results["chain-of-thought"]?.outcome).toBe("limited");
    expect(unbalanced(events)).toEqual([]);
    expect(clock.timers).toBe(0);
  });
});

describe("ask", () => {
  const ASK =
    'strategy:\n  - ask: { question: "Which one?", timeout: 10s, onTimeout: continue, default: nuts }\n  - direct: { prompt: "Count {{ results.ask.reply }}." }\n';

  it("goes on with its default when the time is up", async () => {
    const clock = testClock();
    const { outcome, requests } = await runScripted(ASK, ["4"], {
      services: [provide(Clock, clock)],
      onRun: (live) =>
        live.on("question.asked", () => {
          expect(live.pending()).toMatchObject([{ kind: "question", question: "Which one?" }]);
          setImmediate(() => void clock.advance(10_000));
        }),
    });
    expect(outcome.state.results["ask"]).toMatchObject({ answered: false, reply: "nuts" });
    expect(requests[0]?.messages.at(-1)?.text).toBe("Count nuts.");
    expect(clock.timers).toBe(0);
  });

  it("takes the reply, once", async () => {
    const clock = testClock();
    const { outcome } = await runScripted(ASK, ["4"], {
      services: [provide(Clock, clock)],
      onRun: (live) =>
        live.on("question.asked", ({ data }) => {
          const { id } = data as { readonly id: string };
          expect(live.respond("unknown", { reply: "x" })).toBe(false);
          expect(live.respond(id, { reply: "bolts" })).toBe(true);
          expect(live.respond(id, { reply: "screws" })).toBe(false);
          expect(live.pending()).toEqual([]);
        }),
    });
    expect(outcome.state.results["ask"]).toMatchObject({ answered: true, reply: "bolts" });
    expect(clock.timers).toBe(0);
  });

  it("does not count waiting as working time", async () => {
    const clock = testClock();
    const { outcome } = await runScripted(
      'strategy:\n  - ask: { question: "Which one?" }\n  - direct\nlimits: { workTime: 20s }\n',
      ["4"],
      {
        services: [provide(Clock, clock)],
        onRun: (live) =>
          live.on("question.asked", ({ data }) => {
            const { id } = data as { readonly id: string };
            setImmediate(
              () => void clock.advance(3_600_000).then(() => live.respond(id, { reply: "nuts" })),
            );
          }),
      },
    );
    expect(outcome).toMatchObject({ outcome: "done", durationMs: 3_600_000 });
  });
});
