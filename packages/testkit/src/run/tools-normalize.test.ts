import { defineTool, type EventData, type ToolDefinition, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { runScripted, type ScriptedRun } from "../promises/run-scripted.ts";

const cities = Type.Union([Type.Literal("Shanghai"), Type.Literal("Ulm")]);

function weather(seen: unknown[], more: Partial<ToolDefinition> = {}): ToolDefinition {
  const tool = defineTool({
    id: "weather",
    description: "Tells the weather of a city.",
    options: Type.Object({}),
    input: Type.Object({ city: Type.Union([cities, Type.Null()]), days: Type.Integer() }),
    effect: "read",
    create: () => (input) => {
      seen.push(input);
      return "dry";
    },
  });
  return { ...tool, ...more };
}

function changesOf({ events }: ScriptedRun): readonly EventData["arguments.normalized"][] {
  return events.flatMap((event) => (event.name === "arguments.normalized" ? [event.data] : []));
}

function run(tool: ToolDefinition, args: object, policy = "{}"): Promise<ScriptedRun> {
  return runScripted(
    `tools: { weather: ${policy} }\nstrategy: react\n`,
    [{ calls: [{ name: "weather", arguments: args as never }] }, "ok"],
    { plugins: [tool] },
  );
}

describe("arguments that are read as something else", () => {
  it("are executed as read, told, and said to the model outside the result", async () => {
    const seen: unknown[] = [];
    const ran = await run(weather(seen), { city: "Shanghai, China", days: "3" });
    expect(seen).toEqual([{ city: "Shanghai", days: 3 }]);
    expect(changesOf(ran)).toMatchObject([
      {
        tool: "weather",
        changes: [
          { path: "city", from: "Shanghai, China", to: "Shanghai" },
          { path: "days", from: "3", to: 3 },
        ],
      },
    ]);
    const note = 'city was read as "Shanghai"; days was read as 3';
    expect(ran.outcome.state.observations).toMatchObject([
      { input: { city: "Shanghai", days: 3 }, content: "dry", notes: [note] },
    ]);
    expect(ran.requests.at(-1)?.messages.at(-1)?.text).toContain(note);
  });

  it("are what rules and people see", async () => {
    const seen: unknown[] = [];
    const ran = await run(
      weather(seen),
      { city: "shanghai", days: 3 },
      '{ deny: { when: args.city == "Shanghai" } }',
    );
    expect(seen).toEqual([]);
    expect(ran.outcome.state.observations[0]?.content).toMatch(/^denied: the spec forbids/);
  });

  it("are an error where they could be two things, and nothing is executed", async () => {
    const seen: unknown[] = [];
    const ran = await run(weather(seen), { city: "Shang", days: "about 3" });
    expect(seen).toEqual([]);
    expect(changesOf(ran)).toEqual([]);
    expect(ran.outcome.state.observations[0]).toMatchObject({
      ok: false,
      content: expect.stringContaining("the arguments do not fit") as string,
    });
  });

  it("are those that a tool makes of them itself", async () => {
    const seen: unknown[] = [];
    const tool = weather(seen, {
      input: Type.Object({ city: Type.String() }),
      normalize: (input: { readonly city: string }) => ({ city: input.city.toUpperCase() }),
    });
    const ran = await run(tool, { city: "Ulm" });
    expect(seen).toEqual([{ city: "ULM" }]);
    expect(ran.outcome.state.observations[0]).toMatchObject({
      input: { city: "ULM" },
      notes: ['city was read as "ULM"'],
    });
  });
});

describe("the format of a tool", () => {
  it("is what the model reads; without one fields stand in lines", async () => {
    const data = { sky: "dry", degrees: 4 };
    const create = (): (() => unknown) => () => data;
    const plain = await run(weather([], { create }), { city: null, days: 3 });
    expect(plain.outcome.state.observations[0]?.content).toBe("sky: dry\ndegrees: 4");
    const format = ({ sky }: { readonly sky: string }): string => `It is ${sky}.`;
    const own = await run(weather([], { create, format }), { city: null, days: 3 });
    expect(own.outcome.state.observations[0]?.content).toBe("It is dry.");
  });

  it("that breaks is a failure of the tool", async () => {
    const format = (): string => {
      throw new Error("no field");
    };
    const ran = await run(weather([], { format }), { city: null, days: 3 });
    expect(ran.outcome.state.observations[0]).toMatchObject({
      ok: false,
      content: "weather failed: the `format` of weather failed: no field",
    });
  });
});

describe("arguments of a stand-in", () => {
  it("are told where it reads them as something else", async () => {
    const seen: unknown[] = [];
    const down = defineTool({
      id: "down",
      description: "Is down.",
      options: Type.Object({}),
      input: Type.Object({ city: Type.String(), days: Type.Integer() }),
      effect: "read",
      create: () => () => {
        throw new Error("down");
      },
    });
    const ran = await runScripted(
      "tools: { down: { fallback: weather }, weather: {} }\nstrategy: react\n",
      [{ calls: [{ name: "down", arguments: { city: "Shanghai, China", days: 3 } }] }, "ok"],
      { plugins: [down, weather(seen)] },
    );
    expect(seen).toEqual([{ city: "Shanghai", days: 3 }]);
    expect(changesOf(ran)).toMatchObject([
      {
        tool: "weather",
        changes: [{ path: "city", from: "Shanghai, China", to: "Shanghai" }],
      },
    ]);
    expect(ran.outcome.state.observations[0]?.notes).toEqual(['city was read as "Shanghai"']);
  });
});
