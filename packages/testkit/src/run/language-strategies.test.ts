import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  defineTool,
  type Json,
  type ProviderRequest,
  type StrategyDefinition,
  Type,
} from "@loopwright/core/plugin";
import { strategies } from "@loopwright/strategies";
import { describe, expect, it } from "vitest";
import { withDefaults } from "../conformance/json-schema.ts";
import { fittingReply, type StandInReplies } from "../conformance/stand-ins.ts";
import { flowOf, runStage, type StageSetting } from "../conformance/strategy-stage.ts";
import { tempFolder } from "../conformance/temp-folder.ts";
import { englishIn } from "./english-in.ts";

type Options = Readonly<Record<string, Json>>;

/** The options that a strategy is tried with; where it needs none, those that it has by itself. */
const OPTIONS: Readonly<Record<string, readonly Options[]>> = {
  agent: [{ spec: "inner.yaml" }],
  ask: [{ question: "哪种颜色？", options: ["红", "蓝"] }],
  branch: [{ if: "answer.revision == 0" }],
  extract: [{ text: "订单 A12。", patterns: { order: "A\\d+", day: "\\d{4}" } }],
  "for-each": [{ in: "['一', '二']", item: "word", task: "{{ word }}", maxItems: 2 }],
  loop: [{ maxRounds: 2, until: "answer.revision > 1" }],
  outline: [{ text: "一。\n二。", maxParts: 3 }],
  "plan-and-solve": [{}, { style: "ps" }],
  react: [{}, { mode: "structured" }, { mode: "text" }, { maxSteps: 2 }],
  recall: [{ from: "lessons" }],
  skeleton: [{ router: true }],
  "step-back": [{}, { abstraction: "question" }],
  stop: [{ reason: "够了。" }],
};

/** Slots that the suite leaves out. */
const UNUSED: Readonly<Record<string, readonly string[]>> = {
  verify: ["answer"],
  "plan-and-solve ps": ["do"],
  "step-back question": ["do"],
};

/** Strategies that ask no model themselves. */
const SILENT: ReadonlySet<string> = new Set(["ask", "recall", "stop"]);

/** Strategies whose slots alone ask a model. */
const ASKS_NOTHING: ReadonlySet<string> = new Set([
  "agent",
  "ask",
  "branch",
  "fallback",
  "for-each",
  "loop",
  "parallel",
  "recall",
  "stop",
]);

/** Voices that do not speak in the runs of this suite; they do in those of prompt-names.test.ts. */
const SILENT_VOICES: Readonly<Record<string, readonly string[]>> = {
  abduce: ["choose", "weigh"],
  plan: ["replan"],
  "plan-and-solve": ["replan"],
  "plan-graph": ["join"],
  "program-aided": ["map"],
  rewoo: ["work", "solve"],
  skeleton: ["expand"],
};

/** Stands in for the sandbox. */
const sandbox = defineTool({
  id: "javascript",
  description: "运行程序。",
  options: Type.Object({}),
  input: Type.Object({ code: Type.String() }),
  effect: "read",
  create: () => () => ({ result: { value: 4 } }),
});

/** What the conformance suite itself says to a model. */
const OWN = [
  "How many are 2 and 2?",
  "2 and 2 are not 5.",
  "The sum is known.",
  "write the sum down",
  "counted in the head",
  "A tool was called with a word.",
  "Looks a word up, for conformance suites only.",
  "sum is found",
  "The first of two.",
  "The second of two.",
  // Descriptions of fields are data in one language.
  "the id of the step",
  "how its success condition is met, or why it can't be",
];

const INNER = `apiVersion: loopwright/v1
name: inner
language: zh
model: testkit-model/any
strategy: { testkit/answer: { id: again } }
`;

const root = tempFolder();
writeFileSync(join(root, "inner.yaml"), INNER);

/** The smallest reply that fits; a plan has one step, since one without any is refused. */
function fitting(request: ProviderRequest): ReturnType<StandInReplies> {
  const { properties = {} } = (request.output?.schema ?? {}) as { properties?: object };
  if (!("goal" in properties && "steps" in properties)) return fittingReply(request);
  const step = { id: "step-1", objective: "相加", successCondition: "得出和", dependsOn: [] };
  return JSON.stringify({
    goal: "求和",
    constraints: [],
    conflicts: [],
    steps: [{ ...step, needsExternalInfo: false }],
  });
}

/** Calls the first tool that is offered, wrongly now and then, and answers where none is. */
function calling(): StandInReplies {
  let count = 0;
  return (request) => {
    const [tool] = request.tools;
    if (tool === undefined) return fitting(request);
    count += 1;
    const name = count === 2 ? `${tool.name}s` : tool.name;
    return { text: "", calls: [{ name, arguments: count === 3 ? "{" : '{"word":"sum"}' }] };
  };
}

/** Says nothing useful now and then, so that every way of asking again is seen. */
function failing(): StandInReplies {
  let count = 0;
  return (request) => {
    count += 1;
    return ["", fitting(request), "{", "[]", fitting(request)][count % 5] ?? "";
  };
}

async function textsOf(
  definition: StrategyDefinition,
  options: Options,
  setting: Pick<StageSetting, "replies"> & Partial<StageSetting>,
): Promise<readonly string[]> {
  const texts: string[] = [];
  const replies: StandInReplies = (request) => {
    for (const { role, text } of request.messages) if (role !== "assistant") texts.push(text);
    return setting.replies(request);
  };
  const unusedSlots = [
    ...(UNUSED[definition.id] ?? []),
    ...Object.values(options).flatMap((value) =>
      typeof value === "string" ? (UNUSED[`${definition.id} ${value}`] ?? []) : [],
    ),
  ];
  const given = { root, options, unusedSlots, tools: [sandbox] };
  const { needs = [] } = flowOf(definition, given);
  const usual = { before: needs, slots: "required", language: "zh" } as const;
  const { outcome } = await runStage(definition, given, { ...usual, ...setting, replies });
  expect(outcome.reason ?? "no reason").not.toMatch(/a plugin failed/);
  return texts;
}

const cases = strategies.entries.flatMap(({ id, load }) =>
  (OPTIONS[id] ?? [{}]).map((options) => [id, options, load] as const),
);

/** Prompts that use all their names, for each voice that speaks without optional slots; what each begins with by voice. */
function ownPrompts(
  definition: StrategyDefinition,
  options: Options,
): Readonly<Record<string, string>> {
  const { voices, voicesUsed, promptNames = {} } = definition;
  const read = withDefaults(definition.options, options);
  const required = Object.keys(definition.slots).filter(
    (name) => !definition.slots[name]?.optional,
  );
  const used =
    voices.length === 0 ? ["default"] : (voicesUsed?.(read as never, required) ?? voices);
  return Object.fromEntries(
    used.map((voice) => {
      const names = promptNames[voice] ?? [];
      return [
        voice,
        `<${voice}> ${names.map((name) => `{{ ${name} }}`).join(" ")} {{ task.text }}`,
      ];
    }),
  );
}

describe("a prompt of a spec", () => {
  it.each(cases)("that uses all its names renders in %s %o", async (id, options, load) => {
    const definition = (await load()) as StrategyDefinition;
    const prompts = ownPrompts(definition, options);
    const [only] = Object.values(prompts);
    if (only === undefined) return;
    const prompt = definition.voices.length === 0 ? only : prompts;
    const given = { ...options, prompt };
    const { needs = [], uses = [] } = flowOf(definition, { options });
    const before = [...needs, ...uses];
    const texts: string[] = [];
    for (const setting of [
      { replies: fitting, before },
      { replies: calling() },
      { replies: failing(), before },
    ] as const)
      texts.push(...(await textsOf(definition, given, setting)));
    const spoken = Object.keys(prompts).filter((voice) =>
      texts.some((text) => text.includes(`<${voice}> `)),
    );
    const silent = new Set(ASKS_NOTHING.has(id) ? ["default"] : (SILENT_VOICES[id] ?? []));
    expect(Object.keys(prompts).filter((voice) => !silent.has(voice))).toEqual(spoken);
    // No name of a prompt is left as it was written.
    expect(texts.filter((text) => text.includes("{{ "))).toEqual([]);
  });
});

describe("a strategy in a spec in Chinese", () => {
  it.each(cases)("%s %o says no English sentence to a model", async (id, options, load) => {
    const definition = (await load()) as StrategyDefinition;
    const { needs = [], uses = [] } = flowOf(definition, { options });
    const before = [...needs, ...uses];
    const texts: string[] = [];
    for (const setting of [
      { replies: fitting },
      { replies: fitting, before, slots: "all" },
      { replies: calling(), slots: "all" },
      { replies: failing(), before },
    ] as const)
      texts.push(...(await textsOf(definition, options, setting)));
    expect(englishIn(texts, OWN)).toEqual([]);
    expect(/\p{Script=Han}/u.test(texts.join("\n"))).toBe(!SILENT.has(id));
  });
});
