import type { StrategyDefinition } from "@loopwright/core/plugin";
import { createApp, type Diagnostic } from "@loopwright/core";
import { strategies } from "@loopwright/strategies";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withDefaults } from "../conformance/json-schema.ts";
import { builtIn, packageOf, runScripted, specOf } from "../promises/run-scripted.ts";
import { scriptedProvider } from "@loopwright/providers";
import { asked, planOf, step } from "./plan-drafts.ts";

type App = Awaited<ReturnType<typeof createApp>>;

const PASS = '{"outcome": "pass", "issues": [], "supportedEvidence": []}';

let app: App;

beforeAll(async () => {
  const plugins = [...builtIn, packageOf([scriptedProvider("stub", [])])];
  app = await createApp({ plugins, discovery: false, env: {} });
});

afterAll(() => app.close());

async function faultsOf(strategy: string): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await app.check({ text: specOf(`strategy: ${strategy}\n`) });
  return diagnostics.filter(({ severity }) => severity === "error");
}

describe("a prompt of the spec", () => {
  it("takes the place of a stage's own, in either language", async () => {
    for (const language of ["en", "zh"]) {
      const body = `language: ${language}\nstrategy: { direct: { prompt: "Count {{ task.text }}" } }\n`;
      const { requests } = await runScripted(body, ["4"]);
      expect(requests.map(({ messages }) => messages.map(({ text }) => text))).toEqual([
        ["Count Find out how much is in stock."],
      ]);
    }
  });

  it("is for one voice of a stage alone", async () => {
    const judge = "prompt: { judge: 'Judge {{ answer.text }}. {{ unchecked }}' }";
    const constraint = "task: { text: Count., constraints: [Name no price.] }\n";
    const body = `${constraint}strategy: [direct, { verify: { checks: [constraints], ${judge} } }]\n`;
    const { requests } = await runScripted(body, ["4", PASS]);
    expect(requests[0]?.messages.at(-1)?.text).toContain("Do the task.");
    expect(requests[1]?.messages.at(-1)?.text).toMatch(/^Judge 4\. - .*Name no price\./);
  });

  it("sees what the strategy has at hand beside the state", async () => {
    const cases =
      "cases: { sum: { description: a sum, do: direct }, word: { description: a word, do: direct } }";
    const body = `strategy: { choose: { prompt: "Of\\n{{ cases }}", ${cases} } }\n`;
    const { requests } = await runScripted(body, ['{"case": "sum"}', "4"]);
    expect(requests[0]?.messages.at(-1)?.text).toBe("Of\n- sum: a sum\n- word: a word");
  });

  it("names nothing that its stage does not know, and the nearest name is told", async () => {
    const [fault] = await faultsOf(`{ direct: { prompt: "{{ task.txt }}" } }`);
    expect(fault).toMatchObject({ line: 5, suggestion: expect.stringContaining("text") });
    const [other] = await faultsOf(`{ direct: { prompt: "{{ cases }}" } }`);
    expect(other?.message).toContain("cases");
  });

  it("sees the names of its own voice alone", async () => {
    const verify = (prompt: string) => faultsOf(`[direct, { verify: { prompt: ${prompt} } }]`);
    expect(await verify('{ judge: "{{ unchecked }}" }')).toEqual([]);
    expect(await verify('"{{ unchecked }}"')).toEqual([]);
    expect(await verify('{ judge: "{{ uncheked }}" }')).toMatchObject([
      { suggestion: expect.stringContaining("unchecked") },
    ]);
    expect(await verify('{ answer: "{{ unchecked }}" }')).not.toEqual([]);
    expect(await verify('{ jugde: "Judge." }')).toMatchObject([
      { code: "LW-MODEL-UNKNOWN-VOICE", suggestion: expect.stringContaining("judge") },
    ]);
  });
});

describe("a prompt without a voice", () => {
  const names = "{{ planningTools }} {{ maxSteps }}";

  it("is for the one voice that speaks, and sees what that one binds alone", async () => {
    const alone = (seen: string) =>
      faultsOf(`{ plan: { maxReplans: 0, prompt: "Again ${seen}" } }`);
    expect(await alone(names)).toEqual([]);
    expect(await alone("{{ reason }}")).toMatchObject([
      {
        code: "LW-TEMPLATE-PATH",
        message: expect.stringContaining("`reason`"),
        suggestion: "`reason` is seen by the voice replan of `plan`",
      },
    ]);
    const body = `strategy: [{ plan: { maxReplans: 0, prompt: "Again ${names}" } }, direct]\n`;
    const { outcome, requests } = await runScripted(body, [planOf(step("a")), "4"]);
    expect(outcome.outcome).toBe("done");
    expect(asked(requests[0] as never)).toBe("Again [] 8");
  });

  it("sees, as `default` of several voices, what all of them bind that have none of their own", async () => {
    const plan = (prompt: string) => faultsOf(`{ plan: { maxReplans: 1, prompt: ${prompt} } }`);
    expect(await plan(`{ default: "${names}" }`)).toEqual([]);
    expect(await plan('{ default: "{{ reason }}" }')).not.toEqual([]);
    expect(await plan('{ default: "{{ reason }}", plan: "Plan." }')).toEqual([]);
  });
});

describe("every built-in strategy", () => {
  it("speaks only in voices that it has, whatever slots are given", async () => {
    for (const { load } of strategies.entries) {
      const { options, slots, voices, voicesUsed } = (await load()) as StrategyDefinition;
      const read = withDefaults(options, {});
      for (const given of [[], Object.keys(slots)]) {
        const odd = (voicesUsed?.(read as never, given) ?? []).filter(
          (voice) => !voices.includes(voice),
        );
        expect(odd).toEqual([]);
      }
    }
  });

  it("names a voice as silent where a slot or an option takes its work", async () => {
    const warned = async (stage: string) => {
      const { diagnostics } = await app.check({ text: specOf(`strategy: [direct, ${stage}]\n`) });
      return diagnostics.filter(({ code }) => code === "LW-MODEL-SILENT-VOICE").length;
    };
    expect(await warned('{ plan-and-solve: { do: direct, prompt: { solve: "x" } } }')).toBe(1);
    expect(await warned('{ plan-and-solve: { prompt: { solve: "x" } } }')).toBe(0);
    expect(await warned("{ plan-and-solve: { do: direct, model: { solve: stub/o } } }")).toBe(1);
    expect(await warned('{ plan: { maxReplans: 0, prompt: { replan: "x" } } }')).toBe(1);
    expect(await warned('{ least-to-most: { do: direct, prompt: { solve: "x" } } }')).toBe(1);
  });

  it("names for prompts only what its own voices bind", async () => {
    const odd: string[] = [];
    for (const { load } of strategies.entries) {
      const { id, voices, promptNames = {} } = (await load()) as StrategyDefinition;
      for (const [voice, names] of Object.entries(promptNames)) {
        if (voice !== "default" && !voices.includes(voice)) odd.push(`${id}: ${voice}`);
        const wrong = names.filter((name) => !/^[a-z][a-zA-Z]*$/.test(name));
        odd.push(...wrong.map((name) => `${id}: ${voice}.${name}`));
      }
    }
    expect(odd).toEqual([]);
  });
});
