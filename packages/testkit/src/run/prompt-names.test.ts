import type { ProviderRequest, StrategyDefinition } from "@loopwright/core/plugin";
import { strategies } from "@loopwright/strategies";
import { describe, expect, it } from "vitest";
import { runScripted, toolOf } from "../promises/run-scripted.ts";
import { asked, planOf, step } from "./plan-drafts.ts";

type Reply = string | { readonly json: never };

/** A run in which voices speak that need more than the smallest fitting reply of a model. */
interface SpokenCase {
  readonly id: string;
  readonly voices: readonly string[];
  /** What stands before the strategy. */
  readonly head?: string;
  readonly options?: string;
  /** Stages behind it. */
  readonly behind?: string;
  readonly replies: Readonly<Record<string, Reply>>;
}

const json = (value: object): Reply => ({ json: value as never });
const OUTPUT = "output: { fields: { x: string } }\n";
const EACH = "{ for-each: { id: each, in: plan.steps, item: one, maxItems: 3, do: direct } }";
const nut = [{ name: "item", value: "nut" }];
const call = { id: "E1", plan: "look it up", tool: "stock", arguments: nut };
const question = [{ name: "question", value: "how many?" }];

const CASES: readonly SpokenCase[] = [
  {
    id: "plan",
    voices: ["plan", "replan"],
    behind: EACH,
    replies: { plan: planOf(step("a")), replan: planOf(step("b")) },
  },
  {
    id: "plan-and-solve",
    voices: ["plan", "replan"],
    options: `do: ${EACH}`,
    replies: { plan: planOf(step("a")), replan: planOf(step("b")) },
  },
  {
    id: "skeleton",
    voices: ["route", "skeleton", "expand", "answer"],
    head: OUTPUT,
    options: "router: true",
    replies: {
      route: json({ independent: true }),
      skeleton: "1. one point\n2. another point\n3. a third one",
      expand: "long",
      answer: json({ x: "4", evidence: [], solvable: true, unsolvableReason: null }),
    },
  },
  {
    id: "program-aided",
    voices: ["program", "map"],
    head: "output: { fields: { x: string, y: string } }\ntools: [javascript]\n",
    replies: {
      program: "```javascript\nfunction solution() { return 4; }\n```",
      map: json({ x: "4", y: "four", evidence: [], solvable: true, unsolvableReason: null }),
    },
  },
  {
    id: "rewoo",
    voices: ["plan", "work", "solve"],
    head: "tools: [stock]\n",
    replies: {
      plan: json({ steps: [call, { ...call, id: "E2", tool: "model", arguments: question }] }),
      work: "4",
      solve: "4",
    },
  },
  {
    id: "plan-graph",
    voices: ["plan", "join"],
    head: "tools: [stock]\n",
    replies: {
      plan: json({ steps: [call] }),
      join: json({ action: "finish", because: "it is there", answer: "4" }),
    },
  },
  {
    id: "abduce",
    voices: ["propose", "choose", "weigh", "conclude"],
    head: "tools: [stock]\n",
    replies: {
      propose: json({
        hypotheses: [
          { text: "it is sold", predicts: "none is left" },
          { text: "it is lost", predicts: "some is left" },
        ],
      }),
      choose: json({
        checks: [
          {
            tool: "stock",
            arguments: nut,
            question: "is one left?",
            expects: [
              { hypothesis: "H1", says: "no" },
              { hypothesis: "H2", says: "yes" },
            ],
            reason: "it parts them",
          },
        ],
      }),
      weigh: json({
        marks: [{ hypothesis: "H2", mark: "supported", because: "some are left" }],
        hypotheses: [],
      }),
      conclude: "it is lost",
    },
  },
];

async function definitionOf(id: string): Promise<StrategyDefinition> {
  const found = strategies.entries.find((entry) => entry.id === id);
  return (await found?.load()) as StrategyDefinition;
}

describe("a prompt of a spec that uses all the names of its voice", () => {
  it.each(CASES)("renders in $id as $voices", async ({ id, voices, replies, ...given }) => {
    const { promptNames = {} } = await definitionOf(id);
    const texts = voices.map((voice) => {
      const names = (promptNames[voice] ?? []).map((name) => `{{ ${name} }}`);
      return `${voice}: ${JSON.stringify(`<${voice}> ${names.join(" | ")}`)}`;
    });
    const { head = "", options = "", behind } = given;
    const stage = `{ ${id}: { prompt: { ${texts.join(", ")} }${options && `, ${options}`} } }`;
    const body = `${head}strategy: [${[stage, ...(behind === undefined ? [] : [behind])].join(", ")}]\n`;
    const reply = ({ stage: by, voice }: ProviderRequest) =>
      by === "direct"
        ? ({ error: { code: "provider-failed", message: "down" } } as const)
        : (replies[voice] ?? "");
    const plugins = [toolOf("stock", (item) => `${item}: 4`)];
    const { requests } = await runScripted(body, reply, { plugins });
    for (const voice of voices) {
      const prompt = requests.find((request) => request.voice === voice);
      expect(asked(prompt as ProviderRequest)).toContain(`<${voice}> `);
    }
    expect(requests.filter((request) => asked(request).includes("{{ "))).toEqual([]);
  });
});
