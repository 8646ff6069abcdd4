import { defineTool, type ToolDefinition, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { runScripted } from "../promises/run-scripted.ts";

const HEAD =
  "task: A slide takes 4 minutes up and 1 down. How many times in 15 minutes?\ntools: [javascript]\n";

const program = (body: string) =>
  `Here it is:\n\`\`\`js\nfunction solution() { ${body} }\n\`\`\`\nDone.`;
const SLIDE = program("const trip = 4 + 1; return 15 / trip;");
const BROKEN = program("return trips;");

/** A sandbox that knows programs which return JSON, for what does not depend on the true one. */
const quick: ToolDefinition = defineTool({
  id: "test/quick",
  description: "Runs a program.",
  options: Type.Object({}),
  input: Type.Object({ code: Type.String() }),
  effect: "read",
  create: () => (call) => {
    const returned = /return (.*); }/.exec(call.code)?.[1] ?? "";
    if (returned === "trips") throw new Error("trips is not defined");
    return { result: { value: JSON.parse(returned) as unknown } };
  },
});

const QUICK = "task: How many times in 15 minutes?\ntools: { sums: { use: test/quick } }\n";
const THREE = program("return 3;");

/** Runs a spec whose sandbox is the quick one. */
const runQuick = (body: string, replies: Parameters<typeof runScripted>[1]) =>
  runScripted(`${QUICK}${body}`, replies, { plugins: [quick] });

/** What a request asks last. */
function asked({ messages }: { readonly messages: readonly object[] }): string {
  return (messages.at(-1) as { readonly text: string }).text;
}

describe("program-aided", () => {
  it("runs the program that the model writes, and answers with its value and that evidence", async () => {
    const { outcome, events, requests } = await runScripted(`${HEAD}strategy: program-aided\n`, [
      SLIDE,
    ]);
    expect(outcome).toMatchObject({
      outcome: "done",
      answer: { text: "3", evidence: ["observation-1"] },
    });
    expect(outcome.answer.reasoning).toContain("15 / trip");
    expect(outcome.state.observations).toMatchObject([{ tool: "javascript", ok: true }]);
    expect(outcome.state.thread?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
    ]);
    expect(JSON.stringify(outcome.state.thread?.messages.at(-1))).toContain("observation-1");
    expect(requests[0]?.tools).toEqual([]);
    expect(eventNames(events, { without: ["model-call.delta"] })).toEqual([
      "run.start",
      "stage.start program-aided",
      "step.start",
      "model-call.start",
      "model-call.end",
      "tool-call.start javascript",
      "tool-call.end javascript",
      "observation.recorded",
      "answer.given",
      "step.end",
      "stage.end program-aided",
      "run.end",
    ]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("fails with a program that fails, and guesses nothing", async () => {
    const { outcome, requests } = await runScripted(`${HEAD}strategy: program-aided\n`, [BROKEN]);
    expect(outcome).toMatchObject({ outcome: "failed", fault: { code: "strategy-failed" } });
    expect(outcome.reason).toMatch(/the program failed:.*trips/);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ["no number", "return 0 / 0;", /it returned NaN/],
    ["nothing", "const a = 1;", /no value/],
    ["no program", null, /the program failed/],
  ])("takes %s for a failure", async (_, body, reason) => {
    const said = body === null ? "I can't." : program(body);
    const { outcome } = await runScripted(`${HEAD}strategy: program-aided\n`, [said]);
    expect(outcome.outcome).toBe("failed");
    expect(outcome.reason).toMatch(reason);
  });

  it("makes nothing of a value that holds no number somewhere inside", async () => {
    const { outcome, requests } = await runScripted(
      `${HEAD}strategy: program-aided\noutput: { fields: { count: number, list: { type: array, items: number } } }\n`,
      [program("return { count: 1, list: [2, 0 / 0] };"), { json: { count: 1, list: [2, 7] } }],
    );
    expect(outcome.outcome).toBe("failed");
    expect(outcome.reason).toContain("it returned NaN in `list.1`");
    expect(requests).toHaveLength(1);
  });

  it("runs the block that defines the solution, not the first one", async () => {
    const { outcome } = await runQuick(`strategy: { program-aided: { tool: sums } }\n`, [
      `The formula:\n\`\`\`\nx = 15 / 5\n\`\`\`\n${THREE}\n\`\`\`js\nsolution();\n\`\`\``,
    ]);
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "3" } });
  });

  it("feeds errors back as often as `maxRepairs` says", async () => {
    const spec = `strategy: { program-aided: { tool: sums, maxRepairs: 2 } }\n`;
    const { outcome, requests } = await runQuick(spec, [BROKEN, BROKEN, THREE]);
    expect(outcome).toMatchObject({ answer: { text: "3", evidence: ["observation-3"] } });
    expect(asked(requests[1]!)).toMatch(/trips[\s\S]*write the whole program again/);
    expect(requests[2]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
      "user",
    ]);
    const failed = await runQuick(spec, [BROKEN, BROKEN, BROKEN]);
    expect(failed.outcome.reason).toContain("each of 3 programs failed");
  });

  it("mends nothing more when a limit is near", async () => {
    const { outcome, requests } = await runQuick(
      `strategy: { program-aided: { tool: sums, maxRepairs: 3 } }\nlimits: { modelCalls: 2 }\n`,
      [BROKEN, THREE, "x"],
    );
    expect(outcome.outcome).toBe("failed");
    expect(requests).toHaveLength(1);
  });

  it("fits the value to a declared output, the bare value of its one field too", async () => {
    const one = await runQuick(
      `strategy: { program-aided: { tool: sums } }\noutput: { fields: { times: integer } }\n`,
      [THREE],
    );
    expect(one.outcome).toMatchObject({ outcome: "done", answer: { value: { times: 3 } } });
    expect(asked(one.requests[0]!)).toContain('"times":{"type":"integer"}');
    const two = await runQuick(
      `strategy: { program-aided: { tool: sums } }\noutput: { fields: { times: integer, rest: integer } }\n`,
      [program('return {"times": 3, "rest": 0};')],
    );
    expect(two.outcome.answer).toMatchObject({
      value: { times: 3, rest: 0 },
      evidence: ["observation-1"],
    });
  });

  it("maps a value that does not fit to the output, in one more call", async () => {
    const { outcome, requests } = await runQuick(
      `strategy: { program-aided: { tool: sums } }\noutput: { fields: { option: [A, B] } }\n`,
      [THREE, { json: { option: "B" } }],
    );
    expect(outcome).toMatchObject({
      answer: { value: { option: "B" }, evidence: ["observation-1"] },
    });
    expect(requests.map(({ voice }) => voice)).toEqual(["program", "map"]);
    expect(asked(requests[1]!)).toContain("return 3;");
  });

  it("is one of the samples that vote", async () => {
    const programs = [THREE, BROKEN, program("return 4;"), program("return 3.0;")];
    const { outcome, events } = await runQuick(
      `model: { use: stub/model, temperature: 0.7 }\nstrategy: { self-consistency: { samples: 4, maxParallel: 1, do: { program-aided: { tool: sums } } } }\n`,
      programs,
    );
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "3" } });
    expect(events.filter(({ name }) => name === "vote.counted")).toMatchObject([
      { data: { winner: "3", samples: 4, counted: 3 } },
    ]);
    expect(outcome.answer.evidence).toEqual(["sample:0.observation-1"]);
    expect(unbalanced(events)).toEqual([]);
  });

  it("passes the policies of the sandbox", async () => {
    const { outcome } = await runScripted(
      HEAD.replace("[javascript]", '{ javascript: { deny: { when: "true" } } }') +
        "strategy: program-aided\n",
      [SLIDE],
    );
    expect(outcome.outcome).toBe("failed");
    expect(outcome.reason).toMatch(/the program failed/);
  });

  it("finds its sandbox by the plugin, or by the name that a spec gives", async () => {
    const tools = "tools: { a: { use: javascript }, b: { use: javascript } }\n";
    const head = "task: How many?\n";
    const named = await runScripted(`${head}${tools}strategy: { program-aided: { tool: b } }\n`, [
      SLIDE,
    ]);
    expect(named.outcome.state.observations).toMatchObject([{ tool: "b" }]);
    const alone = await runScripted(
      `${head}tools: { sums: { use: javascript } }\nstrategy: program-aided\n`,
      [SLIDE],
    );
    expect(alone.outcome.answer.text).toBe("3");
    const refused = (spec: string) => runScripted(`${head}${spec}`, []);
    await expect(
      refused("tools: [calculator]\nstrategy: { program-aided: { tool: calculator } }\n"),
    ).rejects.toThrow(/`calculator` takes no `code`/);
    await expect(refused(`${tools}strategy: program-aided\n`)).rejects.toThrow(
      /several sandboxes: `a`, `b`/,
    );
    await expect(refused("strategy: program-aided\n")).rejects.toThrow(
      /`javascript`, which is missing/,
    );
    await expect(refused(`${tools}strategy: { program-aided: { tool: c } }\n`)).rejects.toThrow(
      /may call no tool `c`/,
    );
  });

  it("takes prompts of the spec by voice, with what it binds, and speaks Chinese", async () => {
    const { requests } = await runQuick(
      `strategy: { program-aided: { tool: sums, prompt: { program: "JS! {{ form }}", map: "{{ value }} of {{ program }} {{ shown }}" } } }
output: { fields: { option: [A, B] } }
`,
      [THREE, { json: { option: "B" } }],
    );
    expect(asked(requests[0]!)).toMatch(/^JS! What `solution\(\)` returns/);
    expect(asked(requests[1]!)).toMatch(
      /^3 of function solution[\s\S]*<observation id="observation-1"/,
    );
    const chinese = await runQuick(`language: zh\nstrategy: { program-aided: { tool: sums } }\n`, [
      THREE,
    ]);
    expect(asked(chinese.requests[0]!)).toContain("写一个计算答案的 JavaScript 程序");
  });
});
