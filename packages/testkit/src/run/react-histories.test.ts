import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run, RunEvent } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";
import { providers, type ScriptedReply } from "@loopwright/providers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../conformance/temp-folder.ts";
import { canonicalEvents } from "../events.ts";
import { messageFaults } from "../failures/strict-history.ts";
import {
  builtIn,
  calling,
  packageOf,
  runScripted,
  type ScriptedRun,
  specOf,
  toolOf,
} from "../promises/run-scripted.ts";
import { runSpec } from "../run-spec.ts";

type ModeName = "native" | "structured" | "text";

const modes: readonly ModeName[] = ["native", "structured", "text"];
const histories = ["full", "compact", "latest"] as const;
const stock = toolOf("stock", (item) => {
  if (item === "bad") throw new Error("no such shelf");
  return item === "none" ? "" : `${item}: 4. ${"There is more on the shelf. ".repeat(40)}`;
});

/** What each mode writes to ask for an item, and to answer. */
const ASKING: Readonly<Record<ModeName, (item: string) => ScriptedReply>> = {
  native: (item) => calling("stock", item),
  structured: (item) => ({
    text: JSON.stringify({
      thought: "",
      calls: [{ tool: "stock", arguments: JSON.stringify({ item }) }],
    }),
  }),
  text: (item) => ({ text: `Action: stock\nAction Input: ${JSON.stringify({ item })}` }),
};
const ANSWERING: Readonly<Record<ModeName, (answer: string) => ScriptedReply>> = {
  native: (answer) => ({ text: answer }),
  structured: (answer) => ({ text: JSON.stringify({ thought: "", final: { answer } }) }),
  text: (answer) => ({ text: `Final Answer: ${answer}` }),
};
const SILENT: ScriptedReply = { text: "" };

function faultsIn(requests: readonly ProviderRequest[]): readonly string[] {
  return requests.flatMap((request, index) =>
    messageFaults(request).map((fault) => `request ${index} (${request.stage}): ${fault}`),
  );
}

/** A run to which a person says something before the second reply; `say` gives the replies by their number. */
async function interrupted(
  body: string,
  say: (number: number) => ScriptedReply,
  options: Parameters<typeof runScripted>[2] = {},
): Promise<ScriptedRun> {
  let run: Run | undefined;
  let number = 0;
  return await runScripted(
    body,
    () => {
      if (number === 1) run?.send("Only nuts.");
      return say(number++);
    },
    {
      plugins: [stock],
      onRun: (live) => {
        run = live;
      },
      ...options,
    },
  );
}

/** How often each request says what the person said, outside of results. */
function toldIn({ requests }: ScriptedRun): readonly number[] {
  return requests.map(({ messages }) =>
    messages.reduce((sum, { text }) => sum + text.split("Only nuts.").length - 1, 0),
  );
}

function namesIn({ events }: ScriptedRun): readonly string[] {
  return events.flatMap(({ name }) => (name.startsWith("message.") ? [name] : []));
}

describe("what a person says to react at work", () => {
  it.each(modes.flatMap((mode) => histories.map((history) => [mode, history] as const)))(
    "is said once in mode %s with the history %s, and before the words for the step",
    async (mode, history) => {
      const run = await interrupted(
        `tools: [stock]\nstrategy: { react: { mode: ${mode}, history: ${history}, maxSteps: 10 } }\n`,
        (number) => (number < 8 ? ASKING[mode](`nut-${number}`) : ANSWERING[mode]("4")),
      );
      expect(run.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
      expect(toldIn(run)).toEqual([0, 0, 1, 1, 1, 1, 1, 1, 1]);
      expect(faultsIn(run.requests)).toEqual([]);
      const again = new Set(namesIn(run).slice(1));
      expect([...again]).toEqual(history === "latest" ? ["message.shared"] : []);
      const last = run.requests[2]?.messages.at(-1)?.text ?? "";
      const behind = last.split("Only nuts.")[1];
      // After results it is a message of its own, and the words for the step stand behind the results.
      expect(behind?.startsWith("\n\nStep 3 of 10")).toBe(mode !== "native");
    },
  );

  it("is said once where a reply is empty, and the nudge is gone after its step", async () => {
    const replies = [ASKING.native("a"), SILENT, ASKING.native("b"), ANSWERING.native("4")];
    const run = await interrupted(
      "tools: [stock]\nstrategy: react\n",
      (number) => replies[number] ?? SILENT,
    );
    expect(toldIn(run)).toEqual([0, 0, 1, 1]);
    const nudged = run.requests.map(({ messages }) =>
      messages.filter(({ text }) => text.includes("Your reply was empty.")).map(({ role }) => role),
    );
    expect(nudged).toEqual([[], [], ["tool"], []]);
    expect(faultsIn(run.requests)).toEqual([]);
  });

  it("is said once where an answer waits for a reflection", async () => {
    const run = await interrupted("tools: [stock, reflection]\nstrategy: react\n", (number) =>
      number === 1 || number > 4 ? { text: "4 nuts" } : ASKING.native(`nut-${number}`),
    );
    expect(run.outcome.outcome).toBe("done");
    expect(toldIn(run)).toEqual([0, 0, 1, 1, 1, 1]);
    expect(namesIn(run)).toEqual(["message.received"]);
  });

  const root = tempFolder();

  it.each(modes)("is said again on a replay in mode %s", async (mode) => {
    const log = join(root, `${mode}.jsonl`);
    const body = `tools: [stock]\nstrategy: { react: { mode: ${mode} } }\nsinks: [{ jsonl: { path: ${mode}.jsonl } }]\n`;
    const recorded = await interrupted(
      body,
      (number) => (number < 4 ? ASKING[mode](`nut-${number}`) : ANSWERING[mode]("4")),
      { root },
    );
    const lines = (await readFile(log, "utf8")).trim().split("\n");
    const model = `model: { use: replay/model, file: ${JSON.stringify(log)} }\n`;
    const replayed = await runSpec(specOf(`${model}${body}`), {
      plugins: [...builtIn, providers, packageOf([stock])],
      root,
      settings: { recorded: lines.map((line) => JSON.parse(line) as RunEvent) },
    });
    expect(replayed.outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
    expect(storyOf(replayed.events)).toEqual(storyOf(recorded.events));
  });
});

function storyOf(events: readonly RunEvent[]): readonly string[] {
  return canonicalEvents(events)
    .filter((line) => !line.includes('"run.start"'))
    .map((line) => line.replaceAll("replay/model", "stub/model"));
}

describe("a conclusion after react", () => {
  it.each(modes)("shows each result once in mode %s, and the roles alternate", async (mode) => {
    let item = 0;
    const { requests, outcome } = await runScripted(
      `tools: [stock]\nlimits: { modelCalls: 4 }\nstrategy: { react: { mode: ${mode}, maxSteps: 9 } }\n`,
      ({ stage }) => (stage === "conclusion" ? { text: "4" } : ASKING[mode](`nut-${++item}`)),
      { plugins: [stock] },
    );
    expect(outcome).toMatchObject({ outcome: "limited", answer: { text: "4" } });
    const last = requests.at(-1);
    expect(last?.stage).toBe("conclusion");
    const shown = (last?.messages ?? []).map(({ text }) => text).join("\n");
    for (const { id } of outcome.state.observations)
      expect(shown.split(`<observation id="${id}"`)).toHaveLength(2);
    expect(outcome.state.observations.length).toBeGreaterThan(1);
    expect(last?.messages.at(-1)?.text).toContain("No further tool call is possible.");
    expect(faultsIn(requests)).toEqual([]);
  });
});

describe("calls in a form that the mode does not take", () => {
  it.each(["structured", "text"] as const)(
    "are dropped from the last reply in mode %s, and a next stage goes on",
    async (mode) => {
      const { requests, outcome } = await runScripted(
        `tools: [stock]\nstrategy: [{ react: { id: one, mode: ${mode}, maxSteps: 1 } }, { react: { id: two, mode: native } }]\n`,
        ({ stage }) =>
          stage === "one"
            ? { text: "4, I think", calls: [{ name: "stock", arguments: { item: "nut" } }] }
            : { text: "4" },
        { plugins: [stock] },
      );
      expect(outcome).toMatchObject({ outcome: "done", answer: { text: "4" } });
      expect(faultsIn(requests)).toEqual([]);
    },
  );
});

/** What a model may write in each mode, the item of a call beside it. */
const REPLIES: Readonly<Record<ModeName, readonly ((item: string) => ScriptedReply)[]>> = {
  native: [
    ASKING.native,
    (item) => ({ ...calling("stock", item), text: "There is more to find." }),
    () => calling("stock", "a", "b", "c", "d", "e"),
    () => calling("stock", "bad"),
    () => calling("stock", "none"),
    () => calling("nowhere", "x"),
    () => SILENT,
    () => ({ text: "4 [observation-1]" }),
    (item) => ({ ...calling("stock", item), text: '{"count":"x"}' }),
    () => ({ calls: [{ name: "reflection", arguments: { moment: "tool-error", analysis: "x" } }] }),
  ],
  structured: [
    ASKING.structured,
    () => ASKING.structured("bad"),
    () => ({ text: JSON.stringify({ thought: "I see.", calls: [] }) }),
    () => ({ text: "no object" }),
    () => SILENT,
    () => ANSWERING.structured("4"),
    () => ANSWERING.structured('{"count":4}'),
    (item) => ({ ...calling("stock", item), text: "both" }),
    (item) => calling("stock", item),
  ],
  text: [
    ASKING.text,
    () => ({ text: "Action: stock\nAction Input: bad" }),
    () => ({ text: "Action: stock\nAction Input: a\nAction: stock\nAction Input: b" }),
    () => ({ text: "Observation: made up" }),
    () => ({ text: "Thought: I see." }),
    () => ({ text: "I wonder." }),
    () => SILENT,
    () => ANSWERING.text("4"),
    () => ANSWERING.text('{"count":4}'),
    (item) => ({ ...calling("stock", item), text: "both" }),
    (item) => calling("stock", item),
  ],
};

const stageOf = fc.record({
  mode: fc.constantFrom(...modes),
  history: fc.constantFrom(...histories),
  maxSteps: fc.constantFrom(1, 2, 3, 8, 12),
});

describe("whatever two stages of react, a model and a person say", () => {
  it("every request holds a history that the strictest endpoint takes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(stageOf, stageOf),
        fc.array(fc.nat({ max: 10 }), { minLength: 1, maxLength: 24 }),
        fc.record({ isTyped: fc.boolean(), isChinese: fc.boolean(), sentAt: fc.nat({ max: 8 }) }),
        async (stages, picks, { isTyped, isChinese, sentAt }) => {
          const [one, two] = stages.map(
            ({ mode, history, maxSteps }) =>
              `{ react: { mode: ${mode}, history: ${history}, maxSteps: ${maxSteps} } }`,
          );
          const body = [
            ...(isChinese ? ["language: zh"] : []),
            ...(isTyped ? ["output: { fields: { count: integer } }"] : []),
            "tools: [stock, reflection]",
            `strategy: [${one}, ${two}]\n`,
          ].join("\n");
          let run: Run | undefined;
          let number = 0;
          const { requests, outcome } = await runScripted(
            body,
            ({ stage }) => {
              if (number === sentAt) run?.send("Only nuts.");
              const { mode } = stages[stage === "react" ? 0 : 1];
              const replies = REPLIES[mode];
              const pick = picks[number % picks.length] ?? 0;
              number += 1;
              return replies[pick % replies.length]?.(`nut-${number}`) ?? SILENT;
            },
            {
              plugins: [stock],
              onRun: (live) => {
                run = live;
              },
            },
          );
          expect(faultsIn(requests)).toEqual([]);
          expect(outcome.answer.text.trim()).not.toBe("");
          const told = toldIn({ requests } as ScriptedRun);
          const first = told.findIndex((count) => count > 0);
          // A history that drops whole steps has it said again: the thread then holds it at both places.
          const isDropped = stages.some(({ history }) => history === "latest");
          for (const count of first < 0 ? [] : told.slice(first)) {
            expect(count).toBeGreaterThan(0);
            expect(count === 1 || isDropped).toBe(true);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});
