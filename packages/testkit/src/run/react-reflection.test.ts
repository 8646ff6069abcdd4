import {
  defineTool,
  type ProviderRequest,
  type ToolDefinition,
  Type,
} from "@loopwright/core/plugin";
import type { ScriptedReply } from "@loopwright/providers";
import { describe, expect, it } from "vitest";
import { eventNames, unbalanced } from "../events.ts";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { factsOf, planOf, step } from "./plan-drafts.ts";

const shelf = toolOf("shelf", () => {
  throw new Error("the shelf can't be reached");
});
const ledger = toolOf("ledger", () => "4 pieces");

/** What the model reads last; for results, without the words of the tools. */
function lastWords({ messages }: ProviderRequest): string {
  return messages.at(-1)?.text ?? "";
}

/** The call that a reader of the last words is asked to think through, if any. */
function askedReflection(words: string): ScriptedReply | undefined {
  const asked = /call (\w+) with the moment "([\w-]+)"/.exec(words);
  if (asked === null) return undefined;
  const [, name = "", moment = ""] = asked;
  return { calls: [{ name, arguments: { moment, analysis: "what I did brought nothing" } }] };
}

/**
 * A model that does what it reads, and is stubborn where it reads nothing: it asks the shelf in ever other words, thinks
 * where it is asked to, uses another tool where a text says so, and answers with the pieces that a result holds.
 */
function honestModel() {
  let count = 0;
  return (request: ProviderRequest): ScriptedReply | string => {
    const words = lastWords(request);
    const found = request.messages
      .map(({ text }) => /\n(\d+ pieces)\n/.exec(text)?.[1])
      .find(Boolean);
    if (request.tools.length === 0) return found ?? "I could not find out.";
    const reflection = askedReflection(words);
    if (reflection !== undefined) return reflection;
    if (found !== undefined) return `There are ${found}.`;
    if (words.includes("use another tool")) {
      const tried = new Set(["shelf", "reflection"]);
      const other = request.tools.find(({ name }) => !tried.has(name));
      if (other !== undefined) return calling(other.name, "nut");
    }
    return calling("shelf", `nut ${(count += 1)}`);
  };
}

function look(tools: string, options = "maxSteps: 8"): Promise<ScriptedRun> {
  return runScripted(`tools: [${tools}]\nstrategy: { react: { ${options} } }\n`, honestModel(), {
    plugins: [shelf, ledger],
  });
}

function toolsOf({ outcome }: ScriptedRun): readonly string[] {
  return outcome.state.observations.map(({ tool }) => tool);
}

describe("a tool that always fails", () => {
  it("is asked until the steps are used up where nothing makes the model think", async () => {
    const run = await look("shelf, ledger");
    expect(toolsOf(run)).toEqual(Array.from({ length: 7 }, () => "shelf"));
    expect(run.outcome).toMatchObject({ answer: { text: "I could not find out." } });
    expect(factsOf(run.events, "reflection.asked")).toEqual([]);
  });

  it("gives way to another tool after the first reflection", async () => {
    const run = await look("shelf, ledger, reflection");
    expect(toolsOf(run)).toEqual(["shelf", "reflection", "ledger", "reflection"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "There are 4 pieces." } });
    expect(factsOf(run.events, "reflection.asked")).toEqual([
      { moment: "tool-error" },
      { moment: "before-final-answer" },
    ]);
    expect(unbalanced(run.events)).toEqual([]);
  });

  it("gives way in the same way in the modes of text and of structured steps", async () => {
    const asText = (reply: ScriptedReply | string): string => {
      if (typeof reply === "string") return `Final Answer: ${reply}`;
      const call = reply.calls?.[0];
      if (call === undefined) return `Final Answer: ${reply.text ?? ""}`;
      return `Action: ${call.name}\nAction Input: ${JSON.stringify(call.arguments)}`;
    };
    const model = honestModel();
    const offered = ["shelf", "ledger", "reflection"].map((name) => ({ name })) as never;
    const run = await runScripted(
      "tools: [shelf, ledger, reflection]\nstrategy: { react: { mode: text } }\n",
      (request) => asText(model({ ...request, tools: offered })),
      { plugins: [shelf, ledger] },
    );
    expect(toolsOf(run)).toEqual(["shelf", "reflection", "ledger", "reflection"]);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "There are 4 pieces." } });
  });
});

describe("reflection", () => {
  it("is refused above maxReflections without a call, and is no evidence", async () => {
    const think = {
      calls: [{ name: "reflection", arguments: { moment: "tool-error", analysis: "hm" } }],
    };
    const run = await runScripted(
      "tools: [reflection]\nstrategy: { react: { maxReflections: 2, reflectAt: [] } }\n",
      [think, think, think, "4 [observation-1]"],
    );
    expect(
      eventNames(run.events).filter((name) => name === "tool-call.start reflection"),
    ).toHaveLength(2);
    expect(run.requests[3]?.messages.at(-1)?.text).toContain(
      "not executed: you have stopped to think 2 times",
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { evidence: [] } });
  });

  it("is asked for at the moments that the options name", async () => {
    const run = await look("shelf, ledger, reflection", "reflectAt: [before-final-answer]");
    expect(toolsOf(run)).toEqual(Array.from({ length: 7 }, () => "shelf"));
  });

  it("is asked for where the same question brings another result", async () => {
    const prices = ["4 yuan", "5 yuan", "5 yuan"];
    const price = toolOf("price", () => prices.shift());
    const replies = [calling("price", "nut"), calling("price", "nut"), "5 yuan"];
    const run = await runScripted(
      "tools: [price, reflection]\nstrategy: { react: { reflectAt: [contradiction] } }\n",
      replies,
      { plugins: [price] },
    );
    expect(factsOf(run.events, "reflection.asked")).toEqual([{ moment: "contradiction" }]);
    expect(run.requests[2]?.messages.at(-1)?.text).toContain('with the moment "contradiction"');
  });

  it("is asked for once before the answer, and the answer of a model that does not listen counts", async () => {
    const run = await runScripted(
      "tools: [ledger, reflection]\nstrategy: { react: {} }\n",
      [calling("ledger", "nut"), "4", "It is 4."],
      { plugins: [ledger] },
    );
    expect(run.requests).toHaveLength(3);
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "It is 4." } });
  });

  it("is not asked for before the answer where too few steps are left", async () => {
    const run = await runScripted(
      "tools: [ledger, reflection]\nstrategy: { react: { maxSteps: 3 } }\n",
      [calling("ledger", "nut"), "4"],
      { plugins: [ledger] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(factsOf(run.events, "reflection.asked")).toEqual([]);
  });
});

describe("a change of plan by reflection", () => {
  const first = planOf(step("ask-shelf"), step("count", "ask-shelf"));
  const second = planOf(step("ask-ledger"));
  const changing = {
    calls: [
      {
        name: "reflection",
        arguments: {
          moment: "tool-error",
          analysis: "the shelf is away",
          changePlan: "ask the ledger",
        },
      },
    ],
  };

  function plan(
    strategy: string,
    plugins: readonly ToolDefinition[],
    replies: readonly (ScriptedReply | string)[],
  ) {
    let plans = 0;
    const left = [...replies];
    return runScripted(
      `tools: [shelf, ledger, reflection]\nstrategy: ${strategy}\n`,
      (request) => {
        if (request.stage === "plan") return (plans += 1) === 1 ? first : second;
        return left.shift() ?? "4";
      },
      { plugins },
    );
  }

  it("makes another plan, and the model is told it", async () => {
    const run = await plan(
      "[{ plan: { maxReplans: 1 } }, { react: { reflectAt: [tool-error] } }]",
      [shelf, ledger],
      [calling("shelf", "nut"), changing, calling("ledger", "nut"), "4 [observation-3]"],
    );
    expect(eventNames(run.events)).toContain("plan.revised");
    expect(run.outcome.state.plan.steps.map(({ id }) => id)).toEqual(["ask-ledger"]);
    const acting = run.requests.filter(({ stage }) => stage === "react");
    expect(acting[2]?.messages.at(-1)?.text).toContain("[ask-ledger] do ask-ledger");
    expect(acting[2]?.messages.at(-1)?.text).toContain(
      "Plan: 0 of 1 steps done; next [ask-ledger]",
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { evidence: ["observation-3"] } });
  });

  it("leaves the plan where nobody makes another, and says so", async () => {
    const run = await plan(
      "[{ plan: { maxReplans: 0 } }, { react: { reflectAt: [] } }]",
      [shelf, ledger],
      [calling("shelf", "nut"), changing, "unknown"],
    );
    expect(eventNames(run.events)).not.toContain("plan.revised");
    expect(run.outcome.state.plan.steps.map(({ id }) => id)).toEqual(["ask-shelf", "count"]);
    expect(run.requests.at(-1)?.messages.at(-1)?.text).toContain("the plan stays");
  });

  it("is thought about when a step of the plan has ended", async () => {
    const done = {
      calls: [
        {
          name: "update_plan",
          arguments: { step: "ask-shelf", status: "done", evidence: [], because: "seen" },
        },
      ],
    };
    const run = await plan("[{ plan: {} }, { react: {} }]", [shelf, ledger], [done, "4"]);
    expect(factsOf(run.events, "reflection.asked")).toEqual([{ moment: "key-step-done" }]);
    const acting = run.requests.filter(({ stage }) => stage === "react");
    expect(acting[1]?.messages.at(-1)?.text).toContain(
      'call reflection with the moment "key-step-done"',
    );
  });

  it("is thought about also where the model took a note in the same step", async () => {
    const note = defineTool({
      id: "note",
      description: "Writes a note.",
      options: Type.Object({}),
      input: Type.Object({ text: Type.String() }),
      effect: "read",
      thought: true,
      create: () => () => "noted",
    });
    const done = {
      calls: [
        {
          name: "update_plan",
          arguments: { step: "ask-shelf", status: "done", evidence: [], because: "seen" },
        },
        { name: "note", arguments: { text: "the shelf is seen" } },
      ],
    };
    const noted = { calls: [{ name: "note", arguments: { text: "and on" } }] };
    const options = "reflectAt: [key-step-done, tool-error]";
    const replies = [
      calling("shelf", "nut"),
      { calls: [...(calling("shelf", "bolt").calls ?? []), ...noted.calls] },
      done,
      "4",
    ];
    const run = await runScripted(
      `tools: [shelf, note, reflection]\nstrategy: [{ plan: {} }, { react: { ${options} } }]\n`,
      ({ stage }) => (stage === "plan" ? first : (replies.shift() ?? "4")),
      { plugins: [shelf, note] },
    );
    // The note beside the second error hides it as little as the one beside the step that has ended.
    expect(factsOf(run.events, "reflection.asked")).toEqual([
      { moment: "tool-error" },
      { moment: "tool-error" },
      { moment: "key-step-done" },
    ]);
  });
});
