import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineStrategy, generations, observationText, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { canonicalEvents } from "../events.ts";
import { runScripted, type ScriptedRun, toolOf } from "../promises/run-scripted.ts";
import { englishIn } from "./english-in.ts";

const CALLS = [
  { name: "stok", arguments: "{}" },
  { name: "stock", arguments: "nut" },
  { name: "stock", arguments: '{"item":{}}' },
  { name: "stock", arguments: '{"item":"nut"}' },
  { name: "broken", arguments: "{}" },
  { name: "guarded", arguments: "{}" },
  { name: "stock", arguments: '{"item":"bolt"}' },
];

/** Calls tools in every wrong way that there is words for, and tells a model what came of it. */
const caller = defineStrategy({
  id: "test/caller",
  description: "Calls tools, and tells a model what came of it.",
  options: Type.Object({}),
  flow: { maySet: ["observations"] },
  bounds: () => ({ generations: [1, 1], toolCalls: [0, 7] }),
  async run(_state, context) {
    const calls = CALLS.map((call, index) => ({ ...call, id: `call-${index}` }));
    const observations = await context.callTools(calls);
    await context.generate({ prompt: observations.map(observationText).join("\n") });
  },
});

const plugins = [
  caller,
  toolOf("stock", () => ""),
  toolOf("broken", () => {
    throw new Error("坏了");
  }),
  toolOf("guarded", () => "", "once"),
];

const BODY = `task:
  text: 仓库里有多少 SKU？
  mission: 盘点
  deliverable: 一个数
  constraints: [不得猜测]
inputs: { note: { type: string, default: 夜间 } }
glossary: { SKU: 一种货品 }
tools: { stock: { limits: { toolCalls: 3 } }, broken: {}, guarded: { deny: { when: "true" }, approval: never } }
output:
  fields:
    count: { type: integer, minimum: 1 }
    unit: { type: string, enum: [盒, 件] }
  repair: 3
strategy:
  - test/caller
  - direct: { examples: [{ task: 甲, reasoning: 乙, answer: 丙, avoid: 丁 }] }
  - verify: { revise: refine }
  - reflect
`;

const ISSUE = {
  kind: "incomplete",
  detail: "缺一种",
  requiredAction: "补上",
  needs: "rewrite",
};

const JUDGED = { outcome: "revise", issues: [ISSUE], supportedEvidence: [] };

const REPLIES = [
  "好",
  "没有 JSON",
  '{"count": 0}',
  '{"count": 4, "unit": "件", "evidence": ["observation-4"]}',
  JSON.stringify(JUDGED),
  '{"count": 5, "unit": "件"}',
  '{"outcome": "pass", "issues": [], "supportedEvidence": []}',
  '{"trigger": "盘点", "failurePattern": "漏", "lesson": "数两遍", "avoid": "估"}',
];

function runIn(language: string): Promise<ScriptedRun> {
  return runScripted(`${language}${BODY}`, REPLIES, { plugins });
}

function told({ requests }: ScriptedRun): readonly string[] {
  return requests.flatMap(({ messages }) => messages.map(({ text }) => text));
}

/** What a model is asked, as a text for people. */
function transcript({ requests }: ScriptedRun): string {
  const blocks = requests.map(({ messages }, index) =>
    [
      `===== request ${index + 1}`,
      ...messages.map(({ role, text }) => `----- ${role}\n${text}`),
    ].join("\n"),
  );
  return `${blocks.join("\n")}\n`;
}

describe("the language of a spec", () => {
  it("is English unless it is said, in the very words that recordings were made with", async () => {
    const run = await runIn("");
    expect(run.requests).toHaveLength(REPLIES.length);
    expect(transcript(await runIn("language: en\n"))).toBe(transcript(run));
    await expect(transcript(run)).toMatchFileSnapshot("language.en.txt");
  });

  it("is that of every word that core and the strategies say to a model", async () => {
    const run = await runIn("language: zh\n");
    await expect(transcript(run)).toMatchFileSnapshot("language.zh.txt");
    expect(englishIn(told(run))).toEqual([]);
  });

  it("changes no event but for what the words say, and no output", async () => {
    const [english, chinese] = [await runIn(""), await runIn("language: zh\n")];
    const names = ({ events }: ScriptedRun) => events.map(({ name }) => name);
    expect(names(chinese)).toEqual(names(english));
    expect(chinese.outcome.state.answer.value).toEqual(english.outcome.state.answer.value);
    expect(canonicalEvents(chinese.events).length).toBe(canonicalEvents(english.events).length);
  });

  it("of an agent is that of its own spec", async () => {
    const root = await mkdtemp(join(tmpdir(), "loopwright-language-"));
    const inner = "apiVersion: loopwright/v1\nname: inner\nmodel: stub/model\nstrategy: direct\n";
    await writeFile(join(root, "inner.yaml"), inner);
    const body = "language: zh\nstrategy: [direct, { agent: { spec: inner.yaml } }]\n";
    const { requests } = await runScripted(body, ["四", "4"], { root });
    await rm(root, { recursive: true });
    const texts = requests.map(({ messages }) => messages.at(-1)?.text);
    expect(texts[0]).toContain("## 任务");
    expect(texts[1]).toContain("## Task");
  });

  it("is that of the call that concludes a run, too", async () => {
    const two = defineStrategy({
      id: "test/two",
      description: "Asks twice and keeps nothing.",
      options: Type.Object({}),
      flow: {},
      bounds: () => generations(2),
      async run(_state, context) {
        for (const prompt of ["一", "二"]) await context.generate({ prompt });
      },
    });
    const body = "language: zh\ntask: 数一数\nlimits: { modelCalls: 2 }\nstrategy: test/two\n";
    const run = await runScripted(body, ["好", "好"], { plugins: [two] });
    expect(run.outcome.outcome).toBe("limited");
    expect(told(run).at(-1)).toContain("到此为止：运行达到了限制（limit-model-calls）。");
    expect(englishIn(told(run))).toEqual([]);
  });
});
