import { createApp, explainProgram, formatExplain } from "@loopwright/core";
import {
  defineToolSet,
  type Effect,
  type ListedTool,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import { scriptedProvider } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";

/** A set whose lists are given one by one, the last one again; what it was asked for is counted. */
class Source {
  asked = 0;
  readonly calls: string[] = [];
  readonly #lists: readonly (() => readonly ListedTool[] | Promise<readonly ListedTool[]>)[];

  constructor(...lists: readonly (() => readonly ListedTool[] | Promise<readonly ListedTool[]>)[]) {
    this.#lists = lists;
  }

  get definition(): ToolDefinition {
    return defineToolSet({
      id: "depot",
      description: "The tools of the depot.",
      options: Type.Object({ effect: Type.Optional(Type.String()) }),
      effect: ({ effect }) => effect as Effect | undefined,
      create: () => ({
        list: async () => {
          const list = this.#lists[Math.min(this.asked, this.#lists.length - 1)];
          this.asked += 1;
          return (await list?.()) ?? [];
        },
      }),
    });
  }

  tool(name: string, effect: Effect = "read", changes: Partial<ListedTool> = {}): ListedTool {
    return {
      name,
      description: `Does ${name}.`,
      input: { type: "object", properties: { item: { type: "string" } } },
      effect,
      run: ({ item }) => {
        this.calls.push(name);
        return typeof item === "string" ? `${name} ${item}` : name;
      },
      ...changes,
    };
  }
}

const nobody = { settings: { isPersonPresent: false } };

function depot(...effects: readonly Effect[]): Source {
  const source: Source = new Source(() =>
    effects.map((effect, index) => source.tool(`${effect}_${index}`, effect)),
  );
  return source;
}

describe("a set of tools", () => {
  it("offers what it lists under names of its own, and runs what is called", async () => {
    const source = depot("read", "once");
    const run = await runScripted(
      "tools: { depot-a: { use: depot } }\nstrategy: { react: {} }\n",
      [
        calling("depot-a_read_0", "a"),
        calling("depot-a/read_0", "b"),
        calling("read_0", "c"),
        "ok",
      ],
      { plugins: [source.definition], ...nobody },
    );
    expect(run.requests[0]?.tools).toEqual([
      {
        name: "depot-a_read_0",
        description: "Does read_0.",
        input: { type: "object", properties: { item: { type: "string" } } },
      },
      expect.objectContaining({ name: "depot-a_once_1" }),
    ]);
    expect(run.outcome.outcome).toBe("done");
    expect(run.outcome.state.observations).toMatchObject([
      { tool: "depot-a/read_0", content: "read_0 a", ok: true },
      { tool: "depot-a/read_0", content: "read_0 b", ok: true },
      { tool: "read_0", ok: false },
    ]);
    expect(run.outcome.state.observations[2]?.content).toContain("depot-a_read_0");
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("tells what it lists after the start of the stage, before its first model call", async () => {
    const source = depot("read", "once");
    const run = await runScripted("tools: { depot: {} }\nstrategy: { react: {} }\n", ["ok"], {
      plugins: [source.definition],
    });
    expect(eventNames(run.events).slice(0, 5)).toEqual([
      "run.start",
      "stage.start react",
      "tools.listed",
      "step.start",
      "model-call.start",
    ]);
    expect(run.events[2]?.data).toEqual({
      set: "depot",
      tools: [
        { name: "depot/read_0", effect: "read" },
        { name: "depot/once_1", effect: "once" },
      ],
      dropped: 0,
    });
  });

  it("is not asked by compiling, nor by a run that reaches no stage that may call it", async () => {
    const source = depot("read");
    const run = await runScripted(
      "tools: { depot: {} }\nstrategy:\n  - direct: {}\n  - react: { when: 'false' }\n  - react: { tools: none, id: bare }\n",
      ["one", "two"],
      { plugins: [source.definition] },
    );
    expect(run.outcome.outcome).toBe("done");
    expect(source.asked).toBe(0);
  });

  it("is asked once in a run, also by stages at one time, and again in the next run", async () => {
    const source = depot("read");
    const body =
      "tools: { depot: {} }\nstrategy:\n  - parallel: { branches: { a: { react: { id: a } }, b: { react: { id: b } } }, combine: { direct: { id: c } } }\n  - react: { id: last }\n";
    const model = scriptedProvider("stub", () => "ok");
    const app = await createApp({
      plugins: [...builtIn, packageOf([model, source.definition])],
      discovery: false,
      env: {},
    });
    const program = await app.compile({ text: specOf(body) });
    expect(source.asked).toBe(0);
    for (const times of [1, 2]) {
      const run = app.start(program, {});
      expect((await run.outcome).outcome).toBe("done");
      expect(source.asked).toBe(times);
    }
    await app.close();
  });

  it("is asked once more where the list does not come", async () => {
    const source: Source = new Source(
      () => Promise.reject(new Error("the server closed the connection")),
      () => [source.tool("look")],
    );
    const run = await runScripted("tools: { depot: {} }\nstrategy: { react: {} }\n", ["ok"], {
      plugins: [source.definition],
    });
    expect(run.outcome.outcome).toBe("done");
    expect(run.events.filter(({ name }) => name.startsWith("tools."))).toMatchObject([
      {
        name: "tools.unlisted",
        data: { set: "depot", message: "the server closed the connection" },
      },
      { name: "tools.listed" },
    ]);
  });

  it.each([
    [
      "fails twice",
      () => Promise.reject(new Error("no route")),
      /depot.*can't be listed: no route/,
    ],
    ["is empty twice", () => [], /the list is empty/],
    ["holds nothing usable", () => [{ ...new Source().tool("a b") }], /none of the 1 listed.*a b/],
  ] as const)("fails its stage where the list %s", async (_, list, message) => {
    const source = new Source(list);
    const run = await runScripted(
      "tools: { depot: {} }\nstrategy:\n  - react: { onError: continue }\n  - direct: {}\n",
      ["without tools"],
      { plugins: [source.definition] },
    );
    expect(source.asked).toBe(2);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "without tools" } });
    const end = run.events.find(({ name, stage }) => name === "stage.end" && stage === "react");
    expect(end?.data).toMatchObject({
      outcome: "failed",
      fault: { code: "tools-unlisted", message: expect.stringMatching(message) },
    });
  });

  it("asks a person for what acts once, and nobody for what reads", async () => {
    const source = depot("read", "idempotent", "once");
    const run = await runScripted(
      "tools: { depot: {} }\nstrategy: { react: {} }\n",
      [
        {
          calls: ["read_0", "idempotent_1", "once_2"].map((name) => ({
            name: `depot_${name}`,
            arguments: {},
          })),
        },
        "ok",
      ],
      { plugins: [source.definition], ...nobody },
    );
    expect(source.calls.toSorted()).toEqual(["idempotent_1", "read_0"]);
    expect(run.outcome.state.observations[2]?.content).toMatch(/^denied/);
  });

  it("has one effect where its options tell it, whatever the source says", async () => {
    const source = depot("once");
    const run = await runScripted(
      "tools: { depot: { effect: read } }\nstrategy: { react: { tools: read } }\n",
      [calling("depot_once_0", "a"), "ok"],
      { plugins: [source.definition], ...nobody },
    );
    expect(run.outcome.state.observations).toMatchObject([{ ok: true, content: "once_0 a" }]);
  });

  it.each([
    ["react: { tools: read }", ["depot_read_0"]],
    ["self-consistency: { samples: 2, do: { react: {} } }", ["depot_read_0"]],
    [
      "self-consistency: { samples: 2, do: { react: { tools: [depot] } } }",
      ["depot_read_0", "depot_once_1"],
    ],
    ["react: { tools: ['dep*'] }", ["depot_read_0", "depot_once_1"]],
    ["react: { tools: all }", ["depot_read_0", "depot_once_1"]],
  ])("gives a stage what it may call (%s)", async (stage, names) => {
    const source = depot("read", "once");
    const run = await runScripted(
      `tools: { depot: {} }\nstrategy: { ${stage} }\n`,
      Array.from({ length: 4 }, () => "ok"),
      { plugins: [source.definition] },
    );
    expect(run.requests[0]?.tools.map(({ name }) => name)).toEqual(names);
  });

  it("obeys policies of its entry and those that a stage tightens", async () => {
    const source = depot("read");
    const run = await runScripted(
      "tools: { depot: { deny: { when: args.item == 'b' } } }\nstrategy: { react: { tools: { depot: { deny: { when: args.item == 'c' } } } } }\n",
      [calling("depot_read_0", "a", "b", "c"), "ok"],
      { plugins: [source.definition], ...nobody },
    );
    expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([true, false, false]);
    expect(source.calls).toEqual(["read_0"]);
  });

  it("keeps results of what reads, where `cache` says so", async () => {
    const source = depot("read", "idempotent");
    await runScripted(
      "tools: { depot: { cache: 1h } }\nstrategy: { react: {} }\n",
      [
        calling("depot_read_0", "a"),
        calling("depot_read_0", "a"),
        calling("depot_idempotent_1", "a"),
        calling("depot_idempotent_1", "b"),
        "ok",
      ],
      { plugins: [source.definition], ...nobody },
    );
    expect(source.calls).toEqual(["read_0", "idempotent_1", "idempotent_1"]);
  });

  it("checks arguments and results against what is listed, in either draft", async () => {
    const source: Source = new Source(() => [
      source.tool("old", "read", {
        input: {
          $schema: "http://json-schema.org/draft-07/schema#",
          type: "object",
          properties: { pair: { type: "array", items: [{ type: "string" }, { type: "number" }] } },
        },
      }),
      source.tool("count", "read", {
        input: {
          $schema: "https://json-schema.org/draft/2020-12/schema",
          type: "object",
          properties: { pair: { type: "array", prefixItems: [{ type: "string" }] } },
          "x-vendor": true,
        },
        output: { type: "object", properties: { count: { type: "number" } }, required: ["count"] },
        run: () => ({ total: 1 }),
      }),
    ]);
    const call = (name: string, pair: readonly (string | number)[]) => ({
      calls: [{ name: `depot_${name}`, arguments: { pair: [...pair] } }],
    });
    const run = await runScripted(
      "tools: { depot: {} }\nstrategy: { react: {} }\n",
      [
        call("old", ["a", "b"]),
        call("old", ["a", 1]),
        call("count", [1]),
        call("count", ["a"]),
        "ok",
      ],
      { plugins: [source.definition] },
    );
    expect(run.outcome.state.observations.map(({ ok }) => ok)).toEqual([false, true, false, false]);
    expect(run.outcome.state.observations[3]?.content).toContain("something else than it declares");
  });

  it("drops what can't be used, tells it, and hides nothing from people", async () => {
    const source: Source = new Source(() => [
      source.tool("fine", "read", { description: `Reads\u001b[2J\u202e it.${"x".repeat(9_000)}` }),
      source.tool("fine"),
      source.tool("bad name"),
      source.tool("no-schema", "read", {
        input: { type: "object", properties: { a: { type: "nope" } } },
      }),
      source.tool("list", "read", { input: { type: "array" } }),
      source.tool("odd", "sometimes" as Effect),
      source.tool("no-output", "read", { output: { type: "object", pattern: "(" } }),
    ]);
    const run = await runScripted("tools: { depot: {} }\nstrategy: { react: {} }\n", ["ok"], {
      plugins: [source.definition],
    });
    const [offered, ...others] = run.requests[0]?.tools ?? [];
    expect(others).toEqual([]);
    expect(offered?.name).toBe("depot_fine");
    expect(offered?.description).toMatch(/^Reads\[2J it\.x+…$/);
    expect(offered?.description).toHaveLength(4_000);
    const dropped = run.events.filter(({ name }) => name === "tool.dropped");
    expect(dropped.map(({ data }) => (data as { tool: string }).tool)).toEqual([
      "fine",
      "bad name",
      "no-schema",
      "list",
      "odd",
      "no-output",
    ]);
    expect(run.events.find(({ name }) => name === "tools.listed")?.data).toMatchObject({
      dropped: 6,
    });
  });

  it("gives each tool a name on the wire that no other has", async () => {
    const long = "x".repeat(80);
    const source: Source = new Source(() => [
      source.tool("b_c"),
      source.tool("b.c"),
      source.tool(`${long}1`),
      source.tool(`${long}2`),
    ]);
    const run = await runScripted(
      "tools: { a: { use: depot }, a_b_c: { use: look } }\nstrategy: { react: {} }\n",
      ["ok"],
      { plugins: [source.definition, toolOf("look", () => "seen")] },
    );
    const names = run.requests[0]?.tools.map(({ name }) => name) ?? [];
    expect(names.slice(0, 2)).toEqual(["a_b_c_2", "a_b_c_3"]);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[\w-]{1,64}$/);
  });

  it("lets a stage that waits for a list be aborted", async () => {
    let aborted = false;
    const source = defineToolSet({
      id: "depot",
      description: "The tools of the depot.",
      options: Type.Object({}),
      create: () => ({
        list: (signal) =>
          new Promise((_, reject) => {
            signal.addEventListener("abort", () => {
              aborted = true;
              reject(new Error("left"));
            });
          }),
      }),
    });
    const run = await runScripted("tools: { depot: {} }\nstrategy: { react: {} }\n", [], {
      plugins: [source],
      onRun: (one) => one.on("stage.start", () => void setImmediate(() => one.abort("enough"))),
    });
    expect(run.outcome.outcome).toBe("aborted");
    expect(aborted).toBe(true);
    expect(unbalanced(run.events)).toEqual([]);
  });
});

describe("a spec with a set of tools", () => {
  async function codesOf(body: string): Promise<readonly string[]> {
    const app = await createApp({
      plugins: [
        ...builtIn,
        packageOf([
          scriptedProvider("stub", []),
          depot("read").definition,
          toolOf("look", () => "seen"),
        ]),
      ],
      discovery: false,
      env: {},
    });
    const { diagnostics } = await app.check({ text: specOf(body) });
    await app.close();
    return diagnostics
      .filter(({ code }) => /^LW-TOOL-(?!NO-MANUAL)/.test(code))
      .map(({ code }) => code);
  }

  it.each([
    ["tools: { depot: { cache: 1h, reason: It acts., retry: { attempts: 3 } } }", "react: {}", []],
    ["tools: { depot: { approval: never } }", "react: {}", ["LW-TOOL-LOOSENED-APPROVAL"]],
    ["tools: { depot: { effect: once, cache: 1h } }", "react: {}", ["LW-TOOL-EFFECT"]],
    [
      "tools: { depot: {} }",
      "react: { tools: { depot: { approval: never } } }",
      ["LW-TOOL-LOOSENED-POLICY"],
    ],
    [
      "tools: { depot: {} }",
      "self-consistency: { do: { react: { tools: all } } }",
      ["LW-TOOL-ONCE-IN-FAN-OUT"],
    ],
    ["tools: { depot: {}, look: { fallback: depot } }", "react: {}", ["LW-TOOL-FALLBACK"]],
    ["tools: { depot: {}, look: { fallback: depot/read_0 } }", "react: {}", ["LW-TOOL-FALLBACK"]],
    ["tools: { depot: { fallback: look }, look: {} }", "react: {}", []],
  ])("is checked before anything is listed (%s, %s)", async (tools, stage, codes) => {
    expect(await codesOf(`${tools}\nstrategy: { ${stage} }\n`)).toEqual(codes);
  });

  it("is explained by what is known of it", async () => {
    const app = await createApp({
      plugins: [...builtIn, packageOf([scriptedProvider("stub", []), depot("read").definition])],
      discovery: false,
      env: {},
    });
    const { program } = await app.check({
      text: specOf("tools: { depot: {} }\nstrategy: { react: {} }\n"),
    });
    await app.close();
    const tree = program === undefined ? undefined : explainProgram(program);
    expect(tree && formatExplain(tree, 1_000)).toContain(
      "depot: tools listed at run time, approval by effect",
    );
    expect(tree?.tools[0]).toMatchObject({
      name: "depot",
      isSet: true,
      approval: "by effect (read never, idempotent never, once always)",
    });
  });
});
