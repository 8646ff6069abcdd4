import { describe, expect, it } from "vitest";
import { calling, runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { factsOf } from "./plan-drafts.ts";

const SPELLINGS = ["nut", "Nut", "NUT", " nut", "nut ", "nUt", "nuT"];
const nothing = toolOf("stock", () => "none");

function circle(thought: string, act = nothing): Promise<ScriptedRun> {
  let count = 0;
  return runScripted(
    "tools: [stock]\nstrategy: { react: { maxSteps: 12 } }\n",
    ({ tools }) => {
      if (tools.length === 0) return "There are none that I can find.";
      const item = SPELLINGS[count % SPELLINGS.length] ?? "";
      count += 1;
      return { ...calling("stock", item), text: thought };
    },
    { plugins: [act] },
  );
}

const lastsOf = ({ requests }: ScriptedRun): readonly string[] =>
  requests.map(({ messages }) => messages.at(-1)?.text ?? "");

describe("near-equal thoughts with the same calls in other spelling", () => {
  it("are told twice, then the tools go, and the run ends limited with its answer", async () => {
    const run = await circle("I have to look for the nut in the stock once more.");
    expect(factsOf(run.events, "near-repeat")).toEqual([
      { times: 2, measure: "hint" },
      { times: 3, measure: "hint" },
      { times: 4, measure: "tools-off" },
    ]);
    expect(
      lastsOf(run).filter((text) => text.includes("thought and done nearly the same")),
    ).toHaveLength(2);
    expect(run.requests.map(({ tools }) => tools.length)).toEqual([1, 1, 1, 1, 0]);
    expect(run.outcome).toMatchObject({
      outcome: "limited",
      answer: { text: "There are none that I can find." },
    });
  });

  it("are found in Chinese", async () => {
    const run = await circle("我需要再次查询仓库里螺母的库存数量。");
    expect(run.outcome.outcome).toBe("limited");
    expect(run.outcome.state.observations).toHaveLength(4);
  });

  it("are no circle where the results differ", async () => {
    let count = 0;
    const run = await circle(
      "I look at the next page.",
      toolOf("stock", () => `page ${(count += 1)}`),
    );
    expect(factsOf(run.events, "near-repeat")).toEqual([]);
    expect(run.outcome.state.observations).toHaveLength(11);
  });
});

describe("a model that goes back to a page after each of its items", () => {
  it("is not stopped, since each item is news", async () => {
    const items = ["a", "b", "c", "d", "e", "f", "g"];
    const clicks = items.flatMap((item) => [item, "back"]);
    const shop = toolOf("click", (item) => (item === "back" ? "the list: a to g" : `item ${item}`));
    const run = await runScripted(
      "tools: [click]\nstrategy: { react: { maxSteps: 20 } }\n",
      [...clicks.map((item) => calling("click", item)), "g it is"],
      { plugins: [shop] },
    );
    expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "g it is" } });
    expect(run.events.filter(({ name }) => name === "loop.detected")).toEqual([]);
  });
});
