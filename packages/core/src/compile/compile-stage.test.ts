import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { compileText, programOf } from "../../test/stub-plugins.ts";
import type { Program } from "../program/program.ts";

const spec = (strategy: string, rest: string = ""): string =>
  `apiVersion: loopwright/v1\nname: tree\nmodel: ollama/s\n${rest}strategy:\n${strategy}`;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "loopwright-tree-")));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

function requestsOf(program: Program, id: string): unknown {
  return program.stages.get(id)?.requests;
}

describe("slots with several children", () => {
  it("store each child under the slot and its name, in the order of the spec", async () => {
    const { stages } = await programOf(
      spec(
        "  - parallel: { branches: { right: plan, left: [direct, reflect] }, combine: direct }\n  - fallback: { try: [direct, [plan, direct]] }\n",
      ),
    );
    const keysOf = (id: string): unknown =>
      Object.entries(stages.get(id)?.slots ?? {}).map(([key, slot]) => [
        key,
        slot.stages.map((stage) => stage.id),
      ]);
    expect(keysOf("parallel")).toEqual([
      ["branches.right", ["plan"]],
      ["branches.left", ["direct", "reflect"]],
      ["combine", ["direct-2"]],
    ]);
    expect(keysOf("fallback")).toEqual([
      ["try.0", ["direct-3"]],
      ["try.1", ["plan-2", "direct-4"]],
    ]);
  });

  it("turn what stands beside the stages of a case into the option of the slot's name", async () => {
    const { stages } = await programOf(
      spec("  - choose: { cases: { small: { description: Small., do: direct } } }\n"),
    );
    expect(stages.get("choose")?.options).toEqual({ cases: { small: { description: "Small." } } });
    expect(Object.keys(stages.get("choose")?.slots ?? {})).toEqual(["cases.small"]);
  });

  it("offer only reading tools to children that run at one time", async () => {
    const { stages } = await programOf(
      spec(
        "  - parallel: { branches: { left: { react: { id: inside } } } }\n  - react: { id: outside }\n",
        "tools: [calculator, orders/update-address]\n",
      ),
    );
    expect(stages.get("inside")?.tools).toEqual(["calculator"]);
    expect(stages.get("outside")?.tools).toEqual(["calculator", "orders/update-address"]);
  });
});

describe("the cost of control strategies", () => {
  it("is the sum of what runs beside each other, and one way of several", async () => {
    const program = await programOf(
      spec(
        [
          "  - parallel: { branches: { left: direct, right: { tree-of-thoughts: { depth: 1, keep: 1, votes: 2 } } }, combine: direct }",
          "  - choose: { cases: { small: { description: S., do: plan }, large: { description: L., do: [direct, direct] } } }",
          "  - fallback: { try: [direct, direct, direct] }",
          "  - branch: { if: answer.solvable, then: direct, else: [direct, direct] }",
        ].join("\n"),
      ),
    );
    expect(requestsOf(program, "parallel")).toEqual([3, 10]);
    expect(requestsOf(program, "choose")).toEqual([2, 6]);
    expect(requestsOf(program, "fallback")).toEqual([1, 6]);
    expect(requestsOf(program, "branch")).toEqual([1, 4]);
  });

  it("takes the bound of a list from the stage that writes it, from the inputs, or from the spec", async () => {
    const program = await programOf(
      spec(
        [
          "  - plan: { maxPlanSteps: 4 }",
          "  - for-each: { id: steps, in: plan.steps, item: step, do: direct }",
          "  - for-each: { id: rows, in: inputs.rows, item: row, do: direct }",
          "  - for-each: { id: said, in: inputs.open, item: one, maxItems: 2, do: direct }",
        ].join("\n"),
        "inputs: { rows: { type: array, items: string, maxItems: 3 }, open: { type: array, items: string } }\n",
      ),
    );
    expect(["steps", "rows", "said"].map((id) => requestsOf(program, id))).toEqual([
      [0, 8],
      [0, 6],
      [0, 4],
    ]);
    expect(program.stages.get("steps")?.options["maxItems"]).toBe(4);
  });

  it("takes the bound of a list that is written out, picked from, or changed item by item", async () => {
    const boundOf = async (list: string): Promise<unknown> => {
      const text = spec(
        `  - plan: { maxPlanSteps: 4 }\n  - for-each: { in: "${list}", item: one, do: direct }\n`,
      );
      return (await programOf(text)).stages.get("for-each")?.options["maxItems"];
    };
    expect(await boundOf("['a', 'b', 'c']")).toBe(3);
    expect(await boundOf("plan.steps.filter(s, s.status == 'open')")).toBe(4);
    expect(await boundOf("plan.steps.map(s, s.id)")).toBe(4);
  });

  it("takes no bound for two lists together", async () => {
    const { diagnostics } = await compileText(
      spec(
        "  - for-each: { in: inputs.a + inputs.b, item: one, do: direct }\n",
        "inputs: { a: { type: array, items: string, maxItems: 2 }, b: { type: array, items: string, maxItems: 2 } }\n",
      ),
    );
    expect(diagnostics.map(({ code }) => code)).toEqual(["LW-LIMIT-UNBOUNDED"]);
  });

  it("takes the longest of several plans", async () => {
    const program = await programOf(
      spec(
        "  - plan: { maxPlanSteps: 2 }\n  - plan: { maxPlanSteps: 5 }\n  - for-each: { in: plan.steps, item: step, do: direct }\n",
      ),
    );
    expect(program.stages.get("for-each")?.options["maxItems"]).toBe(5);
  });
});

describe("what the children of a slot see", () => {
  it("is the item under its name, also in policies, prompts and late templates", async () => {
    const { stages, diagnostics } = await programOf(
      spec(
        [
          "  - plan",
          "  - for-each:",
          "      id: sections",
          "      in: plan.steps",
          "      item: step",
          "      task: 'Do {{ step.objective }}'",
          "      do:",
          "        react:",
          "          when: step.status == 'open'",
          "          prompt: '{{ step.objective }}'",
          "          tools: { calculator: { deny: { when: args.expression == step.id } } }",
          "      combine: { direct: { prompt: '{{# results.sections }}{{ item.text }}{{/ results.sections }}' } }",
        ].join("\n"),
        "tools: [calculator]\n",
      ),
    );
    expect(diagnostics).toEqual([]);
    expect(stages.get("react")?.bindings).toEqual(["step"]);
    expect(stages.get("direct")?.bindings).toBeUndefined();
  });

  it("is the item of every list around it", async () => {
    const { stages } = await programOf(
      spec(
        "  - plan\n  - for-each: { in: plan.steps, item: step, do: { for-each: { in: step.dependsOn, item: other, maxItems: 2, do: { direct: { when: other != step.id } } } } }\n  - direct\n",
      ),
    );
    expect(stages.get("direct")?.bindings).toEqual(["step", "other"]);
  });

  it("is the result of each branch in `combine` alone", async () => {
    const { diagnostics } = await compileText(
      spec(
        "  - parallel:\n      branches: { left: { reflect: {} }, right: direct }\n      combine: { direct: { prompt: '{{ results.left.text }}{{ results.right.reply }}' } }\n",
      ),
    );
    expect(diagnostics).toEqual([]);
  });
});

describe("strategies of the spec itself", () => {
  it("are expanded in place, with ids after the strategies inside", async () => {
    const { strategy, diagnostics } = await programOf(
      spec(
        "  - careful\n  - { loop: { maxRounds: 2, do: careful } }\n",
        "strategies: { careful: [direct, [reflect]] }\n",
      ),
    );
    const ids = (stages: typeof strategy.stages): unknown =>
      stages.map((stage) => [
        stage.id,
        ...Object.values(stage.slots).map((slot) => ids(slot.stages)),
      ]);
    expect(ids(strategy.stages)).toEqual([
      ["direct"],
      ["reflect"],
      ["loop", [["direct-2"], ["reflect-2"]]],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("leave nothing of an unused one in the program", async () => {
    const program = await programOf(
      spec(
        "  - direct\n",
        "strategies: { spare: { verify: { checks: [{ rule: { expr: answer.solvable, message: No. } }], model: none } } }\n",
      ),
    );
    expect([...program.stages.keys()]).toEqual(["direct"]);
    expect(program.checks).toEqual([]);
    expect(program.diagnostics.map(({ code }) => code)).toEqual(["LW-FLOW-UNREACHABLE"]);
  });
});

describe("voices", () => {
  it("are asked for only where the options make the strategy speak in them", async () => {
    const verify = (rest: string): Promise<Program> =>
      programOf(
        `apiVersion: loopwright/v1\nname: voices\nstrategy: [{ direct: { model: ollama/a } }, { verify: { ${rest} } }]\n`,
      );
    await verify("model: { judge: ollama/b }");
    await verify("method: cove-factored, model: { ask: ollama/b, answer: ollama/b }");
    const one = await verify("model: { judge: ollama/b }, prompt: Judge it.");
    expect(Object.keys(one.stages.get("verify")?.prompts ?? {})).toEqual(["default"]);
  });
});

describe("agents", () => {
  const inner =
    "apiVersion: loopwright/v1\nname: inner\nmodel: ollama/i\ninputs: { city: string }\nstrategy: direct\noutput: { fields: { report: string }, repair: 2 }\nlimits: { modelCalls: 5 }\n";
  const outer =
    "  - agent: { id: look, spec: ./inner.yaml, inputs: { city: Rome }, output: report }\n";

  it("are programs of their own, whose requests are counted after their own repairs", async () => {
    const root = folderWith({ "inner.yaml": inner });
    const program = await programOf(spec(outer), { root });
    expect(program.agents?.get("look")?.name).toBe("inner");
    expect(requestsOf(program, "look")).toEqual([1, 4]);
    expect(program.bounds.generations).toEqual([1, 1]);
  });

  it("cost nothing at the least behind a guard", async () => {
    const root = folderWith({ "inner.yaml": inner });
    const program = await programOf(
      spec(
        "  - direct\n  - agent: { when: answer.solvable, spec: ./inner.yaml, inputs: { city: Rome } }\n",
      ),
      { root },
    );
    expect(requestsOf(program, "agent")).toEqual([0, 4]);
  });

  it("give their fields to what reads the value of the stage", async () => {
    const root = folderWith({ "inner.yaml": inner });
    const whole = spec(
      "  - agent: { spec: ./inner.yaml, inputs: { city: '{{ task.text }}' } }\n  - direct: { prompt: '{{ results.agent.value.report }}' }\n",
    );
    expect((await compileText(whole, { root })).diagnostics).toEqual([]);
  });

  it("are found below an agent, and no more than a spec may have", async () => {
    const link = (name: string, next: string): string =>
      `apiVersion: loopwright/v1\nname: ${name}\nmodel: ollama/i\nstrategy: [{ agent: { spec: ./${next}.yaml } }]\n`;
    const chain = Object.fromEntries(
      Array.from({ length: 70 }, (_, index) => [
        `a${index}.yaml`,
        link(`a${index}`, index === 69 ? "last" : `a${index + 1}`),
      ]),
    );
    const last = "apiVersion: loopwright/v1\nname: last\nmodel: ollama/i\nstrategy: direct\n";
    const root = folderWith({ ...chain, "last.yaml": last });
    const near = await programOf(spec("  - agent: { spec: ./a66.yaml }\n"), { root });
    expect(near.agents?.get("agent")?.agents?.get("agent")?.name).toBe("a67");
    const { diagnostics } = await compileText(spec("  - agent: { spec: ./a0.yaml }\n"), { root });
    expect(diagnostics.map(({ code }) => code)).toContain("LW-SPEC-TOO-LARGE");
  });
});

describe("the index of a spec", () => {
  it("names stages with their scope, and the places where names stand", async () => {
    const { index } = await compileText(
      spec(
        "  - plan\n  - for-each: { id: parts, in: plan.steps, item: step, do: { ask: { question: '{{ inputs.city }}: {{ step.id }}' } } }\n  - direct: { when: results.ask.answered }\n",
        "inputs: { city: string }\n",
      ),
    );
    expect([...index.stages.keys()]).toEqual(["plan", "parts", "ask", "direct"]);
    expect(index.stages.get("ask")?.parent).toBe("parts");
    expect(Object.keys(index.stages.get("ask")?.scope.fields ?? {})).toContain("step");
    const places = index.uses
      .filter(({ kind }) => kind === "input" || kind === "stage")
      .map(({ kind, name, at, isDefinition }) =>
        [kind, name, `${at.line}:${at.column}-${at.endColumn}`, isDefinition].join(" "),
      );
    expect(places).toEqual([
      "input city 4:11-15 true",
      "stage plan 6:5-9 true",
      "stage parts 7:21-26 true",
      "stage ask 7:62-65 true",
      "stage direct 8:5-11 true",
      "input city 7:90-94 false",
      "stage ask 8:29-32 false",
    ]);
  });

  it("has the tools that stand in for others, and the branches whose results are read", async () => {
    const { index } = await compileText(
      "apiVersion: loopwright/v1\nname: x\nmodel: ollama/s\nmemory: { notes: { use: file, path: n.jsonl } }\n" +
        "toolPolicy: { fallback: sums }\ntools:\n  sums: { use: calculator }\n  slow: { use: calculator, fallback: sums }\n" +
        "strategy:\n  - recall: { from: notes }\n  - parallel: { branches: { left: { react: { tools: { slow: { fallback: sums } } } }, right: direct }, combine: { direct: { when: results.left.ran } } }\n",
    );
    const uses = index.uses.flatMap(({ kind, name, at, isDefinition }) =>
      isDefinition ? [] : [`${kind} ${name} ${at.line}:${at.column}`],
    );
    expect(uses.filter((use) => /^(?:tool|memory|branch) /.test(use)).toSorted()).toEqual([
      "branch left 11:139",
      "memory notes 10:21",
      "tool slow 11:55",
      "tool sums 11:73",
      "tool sums 5:25",
      "tool sums 8:38",
    ]);
  });
});
