import { Clock, provide } from "@loopwright/core";
import { defineToolSet, type Effect, type ListedTool, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { testClock } from "../test-clock.ts";

const EFFECTS: readonly Effect[] = ["read", "idempotent", "once"];

/** Runs calls of the set `depot`, which lists one tool for each effect. */
async function runDepot(
  spec: string,
  calls: readonly (readonly [string, string])[],
  options: Parameters<typeof runScripted>[2] & {
    readonly act?: (name: string) => unknown;
    readonly list?: (listed: readonly ListedTool[]) => readonly ListedTool[];
  } = {},
): Promise<{ readonly made: readonly string[]; readonly ran: ScriptedRun }> {
  const {
    act = (name) => `${name} done`,
    list = (listed) => listed,
    plugins = [],
    ...rest
  } = options;
  const made: string[] = [];
  const listed = EFFECTS.map((effect) => ({
    name: effect,
    description: `Does ${effect}.`,
    input: { type: "object", properties: { item: { type: "string" } } },
    effect,
    run: () => {
      made.push(effect);
      return act(effect);
    },
  }));
  const depot = defineToolSet({
    id: "depot",
    description: "The tools of the depot.",
    options: Type.Object({}),
    create: () => ({ list: async () => list(listed) }),
  });
  const ran = await runScripted(
    spec,
    [...calls.map(([name, item]) => ({ calls: [{ name, arguments: { item } }] })), "ok"],
    { plugins: [depot, ...plugins], ...rest },
  );
  return { made, ran };
}

const each = EFFECTS.map((effect) => [`depot_${effect}`, effect] as const);
const contentsOf = ({ outcome }: ScriptedRun): readonly string[] =>
  outcome.state.observations.map(({ content }) => content);

describe("the policies of a set of tools", () => {
  it("count the calls of all its tools against one limit, by the name of the entry", async () => {
    const { made, ran } = await runDepot(
      "tools: { depot: { limits: { toolCalls: 2 }, approval: never } }\nstrategy: react\n",
      each,
    );
    expect(made).toEqual(["read", "idempotent"]);
    expect(contentsOf(ran)[2]).toBe(
      "not executed: the limit on calls of depot is reached (2 of 2 made); go on without it",
    );
    const limits = ran.events.flatMap((event) =>
      event.name === "limit.reached" && !event.data.soft ? [event.data.limit] : [],
    );
    expect(limits).toEqual(["tools.depot.toolCalls"]);
  });

  it("hold for all of them together where a stage tightens the limit", async () => {
    const { made } = await runDepot(
      "tools: { depot: { limits: { toolCalls: 3 }, approval: never } }\nstrategy: { react: { tools: { depot: { limits: { toolCalls: 1 } } } } }\n",
      each,
    );
    expect(made).toEqual(["read"]);
  });

  it("count all of them for a rate", async () => {
    const clock = testClock();
    const waits: string[] = [];
    const { made } = await runDepot(
      "tools: { depot: { rateLimit: 1/1m, approval: never } }\nstrategy: react\n",
      each,
      {
        services: [provide(Clock, clock)],
        onRun: (run) =>
          run.on("tool.delayed", ({ data }) => {
            waits.push(data.tool);
            setImmediate(() => void clock.advance(60_000));
          }),
      },
    );
    expect(made).toEqual(EFFECTS);
    expect(waits).toEqual(["depot/idempotent", "depot/once"]);
  });

  it("count the failures of all of them for a rest", async () => {
    const { made, ran } = await runDepot(
      "tools: { depot: { breaker: { failures: 2, rest: 30s }, approval: never } }\nstrategy: react\n",
      each,
      {
        act: () => {
          throw new Error("down");
        },
      },
    );
    expect(made).toEqual(["read", "idempotent"]);
    expect(contentsOf(ran)[2]).toMatch(/^not executed: depot failed too often in a row/);
    expect(ran.events.find(({ name }) => name === "tool.rested")?.data).toMatchObject({
      tool: "depot",
    });
  });

  it("turn all of them off with the set", async () => {
    const { made, ran } = await runDepot(
      "tools: { depot: { approval: never } }\nswitches: { closed: { tools: [depot] } }\nstrategy: react\n",
      each,
      { settings: { switches: ["closed"] } },
    );
    expect(made).toEqual([]);
    expect(contentsOf(ran)).toEqual(
      EFFECTS.map((effect) => `not executed: depot/${effect} is switched off`),
    );
  });

  it("let no call that is forbidden reach a stand-in of a tool that is off", async () => {
    const stood: string[] = [];
    const stand = toolOf("stand", (item) => {
      stood.push(item);
      return "stood in";
    });
    const { ran } = await runDepot(
      "tools: { depot: { approval: never, fallback: stand, deny: { when: 'args.item == \"bad\"' } }, stand: {} }\nswitches: { closed: { tools: [depot] } }\nstrategy: react\n",
      [
        ["depot_read", "bad"],
        ["depot_read", "good"],
      ],
      { plugins: [stand], settings: { switches: ["closed"] } },
    );
    expect(stood).toEqual(["good"]);
    expect(contentsOf(ran)[0]).toMatch(/^denied: the spec forbids this call of depot\/read/);
  });
});

describe("a list of a set", () => {
  it("loses what is no tool, and only that", async () => {
    const { made, ran } = await runDepot(
      "tools: { depot: { approval: never } }\nstrategy: react\n",
      [["depot_read", "nut"]],
      { list: (listed) => [null as never, 4 as never, ...listed] },
    );
    expect(made).toEqual(["read"]);
    const dropped = ran.events.flatMap((event) =>
      event.name === "tool.dropped" ? [event.data.reason] : [],
    );
    expect(dropped).toEqual(["it is no tool", "it is no tool"]);
  });
});
