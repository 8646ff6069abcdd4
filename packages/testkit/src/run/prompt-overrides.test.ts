import type { StrategyDefinition } from "@loopwright/core/plugin";
import { createApp, type Diagnostic } from "@loopwright/core";
import { strategies } from "@loopwright/strategies";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn, packageOf, runScripted, specOf } from "../promises/run-scripted.ts";
import { scriptedProvider } from "@loopwright/providers";

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

describe("every built-in strategy", () => {
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
