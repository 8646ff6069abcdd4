import { createApp } from "@loopwright/core";
import {
  defineStrategy,
  generations,
  one,
  type StrategyContext,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { builtIn, calling, runScripted, specOf, toolOf } from "../promises/run-scripted.ts";

const NAMES = ["constructor", "toString", "hasOwnProperty"];

describe("a name that every object inherits", () => {
  it.each(NAMES)("as a tool (%s) keeps its policy", async (name) => {
    let count = 0;
    const ship = toolOf("ship", () => ++count, "once");
    const look = toolOf("look", () => "seen");
    const run = await runScripted(
      `tools: { ${name}: { use: ship }, look: {} }\nstrategy: { react: { tools: { ${name}: {}, look: { timeout: 1s } } } }\n`,
      [calling(name, "a"), calling(name, "a"), calling("look", "a"), "ok"],
      { plugins: [ship, look], settings: { isPersonPresent: false } },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(count).toBe(0);
    expect(run.outcome.state.observations.map(({ tool, ok }) => [tool, ok])).toEqual([
      [name, false],
      [name, false],
      ["look", true],
    ]);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it.each(NAMES)("as a tool (%s) may be tightened by a stage", async (name) => {
    let count = 0;
    const run = await runScripted(
      `tools: { ${name}: { use: look } }\nstrategy: { react: { tools: { ${name}: { approval: always } } } }\n`,
      [calling(name, "a"), "ok"],
      { plugins: [toolOf("look", () => ++count)], settings: { isPersonPresent: false } },
    );
    expect(count).toBe(0);
    expect(run.outcome.state.observations[0]?.content).toMatch(/^denied/);
  });

  it("as a stage has a result of its own", async () => {
    const run = await runScripted(
      "strategy:\n  - direct: { id: constructor }\n  - direct: { id: value-of, when: results.constructor.ran }\n",
      ["one", "two"],
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "two" } });
    expect(run.outcome.state.results["constructor"]).toMatchObject({ ran: true, text: "one" });
  });

  it.each(NAMES)("as a voice or a slot (%s) is there only where it is given", async (name) => {
    const facts: unknown[] = [];
    const own = speaking(name, facts);
    const run = await runScripted("strategy: own\n", ["hello"], { plugins: [own] });
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "hello" } });
    expect(facts).toEqual([false, true]);
    const none = await runScripted("strategy: { own: { model: none } }\n", [], {
      plugins: [speaking(name, facts, false)],
    });
    expect(none.outcome.outcome).toBe("done");
    expect(facts.slice(2)).toEqual([false, false]);
    const voiced = await runScripted(
      `models: { other: stub/other }\nstrategy: { own: { model: { ${name}: other }, prompt: { ${name}: Say it. } } }\n`,
      ["hello"],
      { plugins: [own] },
    );
    expect(voiced.requests[0]?.model).toBe("other");
    expect(voiced.requests[0]?.messages.at(-1)?.text).toBe("Say it.");
  });

  it("as an input or a stage can be read by expressions", async () => {
    const run = await runScripted(
      `inputs: { constructor: string }
strategy:
  - direct: { id: one, when: inputs.constructor == "nut" }
  - direct: { id: two, when: inputs.constructor != "nut" }
  - direct: { id: three, when: '"constructor" in inputs' }
`,
      ["a", "b"],
      { input: { inputs: { constructor: "nut" } } },
    );
    expect(run.outcome.reason).toBeUndefined();
    const { results } = run.outcome.state;
    expect([results["one"]?.ran, results["two"]?.ran, results["three"]?.ran]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each(["constructor", "toString"])("as an input (%s) is asked for and read", async (name) => {
    const body = `inputs: { ${name}: string, other: string? }\ntask: "Say {{ inputs.${name} }}."\nstrategy: direct\n`;
    const run = await runScripted(body, ["ok"], { input: { inputs: { [name]: "nut" } } });
    expect(run.outcome.state.task.inputs).toEqual({ [name]: "nut", other: null });
    expect(run.outcome.state.task.text).toBe("Say nut.");
    await expect(runScripted(body, ["ok"])).rejects.toThrow(/is missing/);
  });

  it("called `__proto__` is a key of no spec, and no tool to a model", async () => {
    const run = await runScripted(
      "tools: [look]\nstrategy: react\n",
      [calling("__proto__", "a"), calling("constructor", "a"), "ok"],
      { plugins: [toolOf("look", () => "seen")] },
    );
    expect(run.outcome.state.observations).toMatchObject([
      {
        tool: "__proto__",
        ok: false,
        content: expect.stringMatching(/^there is no tool/) as string,
      },
      { tool: "constructor", ok: false },
    ]);
    const app = await createApp({ plugins: builtIn, discovery: false, env: {} });
    const { diagnostics } = await app.check({
      text: specOf(
        "inputs: { __proto__: string }\ntools: { __proto__: { use: look } }\nstrategy: direct\n",
      ),
    });
    const ofYaml = diagnostics.filter(({ code }) => code.startsWith("LW-YAML"));
    expect(ofYaml.map(({ code }) => code)).toEqual([
      "LW-YAML-RESERVED-KEY",
      "LW-YAML-RESERVED-KEY",
    ]);
    await app.close();
  });
});

/** A strategy with a voice and an optional slot of one name; notes whether it has them. */
function speaking(name: string, facts: unknown[], speaks = true): StrategyDefinition {
  const slot = { ...one({ description: "A child." }), optional: true };
  return defineStrategy({
    id: "own",
    description: "What a test does.",
    options: Type.Object({}),
    slots: Object.fromEntries([[name, slot]]),
    voices: [name, "other"],
    flow: { sets: ["answer"] },
    bounds: () => generations(speaks ? 1 : 0),
    run: async (_state, context: StrategyContext<Record<string, typeof slot>>) => {
      facts.push(context.hasSlot(name), context.hasModel(name));
      if (!speaks) return { answer: { text: "none" } };
      const { text } = await context.generate({ voice: name, prompt: "Say hello." });
      return { answer: { text } };
    },
  });
}
