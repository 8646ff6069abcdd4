import { describe, expect, it } from "vitest";
import { compileText } from "../../test/stub-plugins.ts";

interface Broken {
  readonly name: string;
  /** The lines after `apiVersion`, `name` and `model` (lines 1 to 3), unless the case says them itself. */
  readonly spec: string;
  readonly bare?: true;
  /** `CODE line:column`, every diagnostic in order. */
  readonly found: readonly string[];
  /** Words of the first message or its repair. */
  readonly says?: string;
}

const head = "apiVersion: loopwright/v1\nname: broken\nmodel: ollama/small\n";

const cases: readonly Broken[] = [
  {
    name: "no apiVersion",
    bare: true,
    spec: "name: x\nmodel: ollama/s\nstrategy: direct\n",
    found: ["LW-SPEC-API-VERSION 1:1"],
  },
  {
    name: "a later apiVersion",
    bare: true,
    spec: "apiVersion: loopwright/v2\nname: x\nmodel: ollama/s\nstrategy: direct\n",
    found: ["LW-SPEC-API-VERSION 1:13"],
    says: "it is `loopwright/v2`",
  },
  {
    name: "no name",
    bare: true,
    spec: "apiVersion: loopwright/v1\nmodel: ollama/s\nstrategy: direct\n",
    found: ["LW-SPEC-MISSING-KEY 1:1"],
  },
  {
    name: "a name in camelCase",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: orderDesk\nmodel: ollama/s\nstrategy: direct\n",
    found: ["LW-VALUE-ID 2:7"],
    says: "order-desk",
  },
  { name: "no strategy", spec: "tools: [calculator]\n", found: ["LW-SPEC-FRAGMENT 1:1"] },
  {
    name: "an unknown key",
    spec: "strategey: direct\nstrategy: direct\n",
    found: ["LW-SPEC-UNKNOWN-KEY 4:1"],
    says: "did you mean `strategy`",
  },
  {
    name: "a key that is not built",
    spec: "strategy: direct\nglossary: { RMA: a return }\n",
    found: ["LW-SPEC-NOT-YET 5:1"],
  },
  {
    name: "a version as a number",
    spec: "version: 1.10\nstrategy: direct\n",
    found: ["LW-VALUE-TEXT-EXPECTED 4:10"],
    says: 'version: "1.10"',
  },
  {
    name: "a misspelt strategy",
    spec: "strategy: [plann, direct]\n",
    found: ["LW-PLUGIN-UNKNOWN 4:12"],
    says: "did you mean `plan`",
  },
  {
    name: "a tool where a strategy belongs",
    spec: "strategy: calculator\n",
    found: ["LW-PLUGIN-KIND 4:11"],
    says: "is a tool, not a strategy",
  },
  {
    name: "an option beside its stage",
    spec: "strategy:\n  - react: {}\n    maxSteps: 6\n",
    found: ["LW-STAGE-MISPLACED-OPTION 6:5"],
    says: "indent it by 2 more, or write `- react: { maxSteps: 6 }`",
  },
  {
    name: "an option beside a bare stage",
    spec: "strategy:\n  - react:\n    maxSteps: 6\n",
    found: ["LW-YAML-NULL 5:5"],
  },
  {
    name: "two stages in one map",
    spec: "strategy:\n  - plan: {}\n    direct: {}\n",
    found: ["LW-STAGE-FORM 6:5"],
    says: "- direct: ...",
  },
  {
    name: "a number as a stage",
    spec: "strategy: [direct, 7]\n",
    found: ["LW-STAGE-FORM 4:20"],
  },
  { name: "options as a number", spec: "strategy:\n  - react: 6\n", found: ["LW-STAGE-FORM 5:12"] },
  {
    name: "stages straight under a strategy",
    spec: "strategy:\n  - loop:\n      - direct\n",
    found: ["LW-STAGE-FORM 6:7"],
    says: "do: [...]",
  },
  { name: "an empty list of stages", spec: "strategy: []\n", found: ["LW-STAGE-EMPTY 4:11"] },
  {
    name: "an unknown option",
    spec: "strategy:\n  - react: { maxStep: 6 }\n",
    found: ["LW-STAGE-UNKNOWN-OPTION 5:14"],
    says: "did you mean `maxSteps`",
  },
  {
    name: "a slot in kebab",
    spec: "strategy:\n  - direct\n  - verify: { Revise: refine }\n",
    found: ["LW-STAGE-UNKNOWN-OPTION 6:15"],
    says: "did you mean `revise`",
  },
  {
    name: "a missing option",
    spec: "strategy:\n  - recall\n  - direct\n",
    found: ["LW-STAGE-MISSING-OPTION 5:5"],
    says: "needs `from`",
  },
  {
    name: "a missing slot",
    spec: "strategy:\n  - loop: { maxRounds: 2 }\n",
    found: ["LW-STAGE-MISSING-SLOT 5:5"],
  },
  {
    name: "text in a number field",
    spec: "strategy:\n  - react: { maxSteps: six }\n",
    found: ["LW-VALUE-NUMBER-EXPECTED 5:24"],
    says: "not `six`",
  },
  {
    name: "a quoted number in a number field",
    spec: 'strategy:\n  - react: { maxSteps: "6" }\n',
    found: ["LW-VALUE-NUMBER-EXPECTED 5:24"],
    says: "write `maxSteps: 6`",
  },
  {
    name: "a fraction of a step",
    spec: "strategy:\n  - react: { maxSteps: 1.5 }\n",
    found: ["LW-VALUE-TYPE 5:24"],
  },
  {
    name: "too few steps",
    spec: "strategy:\n  - react: { maxSteps: 0 }\n",
    found: ["LW-VALUE-RANGE 5:24"],
    says: "at least 1",
  },
  {
    name: "too many steps",
    spec: "strategy:\n  - react: { maxSteps: 101 }\n",
    found: ["LW-VALUE-RANGE 5:24"],
    says: "at most 100",
  },
  {
    name: "a value that is none of the allowed",
    spec: "strategy:\n  - react: { mode: nativ }\n",
    found: ["LW-VALUE-CHOICE 5:20"],
    says: "did you mean `native`",
  },
  {
    name: "a duration without a unit",
    spec: "strategy:\n  - ask: { question: Why?, timeout: 5 }\n  - direct\n",
    found: ["LW-VALUE-DURATION 5:37"],
    says: "a duration needs a unit: 5s? 5ms?",
  },
  {
    name: "no duration at all",
    spec: "strategy:\n  - ask: { question: Why?, timeout: soon }\n  - direct\n",
    found: ["LW-VALUE-DURATION 5:37"],
  },
  {
    name: "numbers in a list of texts",
    spec: "strategy:\n  - ask: { question: Why?, options: [1, two] }\n  - direct\n",
    found: ["LW-VALUE-TEXT-EXPECTED 5:38"],
    says: 'write "1"',
  },
  {
    name: "a list that is too short",
    spec: "strategy:\n  - ask: { question: Why?, options: [two] }\n  - direct\n",
    found: ["LW-VALUE-RANGE 5:37"],
  },
  {
    name: "an unknown key deep inside",
    spec: "strategy:\n  - ask: { question: Why?, limits2: { token: 3 } }\n  - direct\n",
    found: ["LW-SPEC-UNKNOWN-KEY 5:39"],
    says: "did you mean `tokens`",
  },
  {
    name: "an unknown path in a template",
    spec: 'strategy:\n  - ask: { question: "Why {{ answer.txt }}?" }\n  - direct\n',
    found: ["LW-TEMPLATE-PATH 5:30"],
    says: "did you mean `text`",
  },
  {
    name: "a malformed template",
    spec: 'strategy:\n  - ask: { question: "Why {{ answer.text ?" }\n  - direct\n',
    found: ["LW-TEMPLATE-SYNTAX 5:27"],
  },
  {
    name: "a guard that is never true",
    spec: "strategy:\n  - direct\n  - verify\n  - refine: { when: \"verdict.outcome == 'passed'\" }\n",
    found: ["LW-EXPR-NEVER-TRUE 7:41"],
    says: "pass",
  },
  {
    name: "a guard that is no boolean",
    spec: "strategy:\n  - direct: { when: answer.text }\n",
    found: ["LW-EXPR-TYPE 5:21"],
  },
  {
    name: "a guard over an unknown stage",
    spec: "strategy:\n  - ask: { question: Why? }\n  - direct: { when: results.aks.answered }\n",
    found: ["LW-EXPR-UNKNOWN 6:29"],
    says: "did you mean `ask`",
  },
  {
    name: "a malformed guard",
    spec: 'strategy:\n  - direct: { when: "verdict.passed &&" }\n',
    found: ["LW-EXPR-SYNTAX 5:39"],
  },
  {
    name: "an id that is not kebab-case",
    spec: "strategy:\n  - direct: { id: Final_Answer }\n",
    found: ["LW-VALUE-ID 5:19"],
    says: "final-answer",
  },
  {
    name: "an id twice",
    spec: "strategy:\n  - plan: { id: first }\n  - direct: { id: first }\n",
    found: ["LW-SPEC-ID-CLASH 6:19"],
    says: "line 5",
  },
  {
    name: "an id that an unnamed stage has",
    spec: "strategy:\n  - plan: { id: direct }\n  - direct\n",
    found: ["LW-SPEC-ID-CLASH 5:17"],
  },
  {
    name: "a reserved id",
    spec: "strategy:\n  - direct: { id: output }\n",
    found: ["LW-SPEC-ID-CLASH 5:19"],
  },
  {
    name: "a quoted boolean",
    spec: 'strategy:\n  - direct: { always: "yes" }\n',
    found: ["LW-VALUE-BOOLEAN-EXPECTED 5:23"],
    says: "write `always: true`",
  },
  {
    name: "an unknown answer to errors",
    spec: "strategy:\n  - direct: { onError: ignore }\n",
    found: ["LW-VALUE-CHOICE 5:24"],
  },
  {
    name: "an example without an answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two }] }\n",
    found: ["LW-SPEC-MISSING-KEY 5:26"],
  },
  {
    name: "a number as an example's answer",
    spec: "strategy:\n  - direct: { examples: [{ task: two, answer: 2 }] }\n",
    found: ["LW-VALUE-TEXT-EXPECTED 5:47"],
    says: 'answer: "2"',
  },
  {
    name: "no model",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nstrategy: direct\n",
    found: ["LW-STAGE-NO-MODEL 3:11"],
  },
  {
    name: "none for a stage that must ask",
    spec: "strategy:\n  - direct: { model: none }\n",
    found: ["LW-STAGE-NO-MODEL 5:22"],
  },
  {
    name: "an unknown role",
    spec: "models: { judge: ollama/big }\nstrategy:\n  - direct: { model: juge }\n",
    found: ["LW-MODEL-UNKNOWN-ROLE 6:22"],
    says: "did you mean `judge`",
  },
  {
    name: "an unknown provider",
    spec: "models: { judge: olama/big }\nstrategy: direct\n",
    found: ["LW-MODEL-UNKNOWN-PROVIDER 4:18"],
    says: "did you mean `ollama`",
  },
  {
    name: "a default beside a model",
    spec: "models: { default: ollama/big }\nstrategy: direct\n",
    found: ["LW-SPEC-EXCLUSIVE-KEYS 4:11"],
  },
  {
    name: "roles in a circle",
    spec: "models: { a: { extends: b }, b: { extends: a } }\nstrategy: direct\n",
    found: ["LW-MODEL-CYCLE 4:44"],
  },
  {
    name: "a fallback to itself",
    spec: "models: { a: { use: ollama/big, fallback: [a] } }\nstrategy: direct\n",
    found: ["LW-MODEL-CYCLE 4:44"],
  },
  {
    name: "an unknown voice",
    spec: "strategy:\n  - tree-of-thoughts: { model: { evaluate: ollama/big } }\n",
    found: ["LW-MODEL-UNKNOWN-VOICE 5:34"],
    says: "speaks as propose, value, judge; `evaluate` is none of them",
  },
  {
    name: "one prompt for three voices",
    spec: "strategy:\n  - tree-of-thoughts: { prompt: Think. }\n",
    found: ["LW-MODEL-UNKNOWN-VOICE 5:33"],
  },
  {
    name: "an unknown key of a model",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temprature: 0 }\nstrategy: direct\n",
    found: ["LW-SPEC-UNKNOWN-KEY 3:25"],
    says: "did you mean `temperature`",
  },
  {
    name: "a temperature too high",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temperature: 3 }\nstrategy: direct\n",
    found: ["LW-VALUE-RANGE 3:38"],
  },
  {
    name: "a secret where none may stand",
    bare: true,
    spec: 'apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, baseUrl: "${secret:URL}" }\nstrategy: direct\n',
    found: ["LW-SUBST-SECRET-PLACE 3:34"],
  },
  {
    name: "a secret in a prompt",
    spec: 'instructions: "Say ${secret:KEY}."\nstrategy: direct\n',
    found: ["LW-SUBST-SECRET-PLACE 4:15"],
  },
  {
    name: "a variable that is not set",
    spec: 'description: "${env:NOPE}"\nstrategy: direct\n',
    found: ["LW-SUBST-UNSET 4:14"],
  },
  {
    name: "an unknown tool",
    spec: "tools: [calculater]\nstrategy: react\n",
    found: ["LW-PLUGIN-UNKNOWN 4:9"],
    says: "did you mean `calculator`",
  },
  {
    name: "an agent as a tool",
    spec: "tools:\n  research: { use: agent, spec: ./x.yaml }\nstrategy: react\n",
    found: ["LW-SPEC-NOT-YET 5:20"],
  },
  {
    name: "a tool twice",
    spec: "tools: [calculator, calculator]\nstrategy: react\n",
    found: ["LW-SPEC-ID-CLASH 4:21"],
  },
  {
    name: "a policy that is not built",
    spec: "tools:\n  calculator: { retry: 3 }\nstrategy: react\n",
    found: ["LW-SPEC-NOT-YET 5:17"],
  },
  {
    name: "a misspelt policy",
    spec: "tools:\n  calculator: { timout: 3s }\nstrategy: react\n",
    found: ["LW-SPEC-UNKNOWN-KEY 5:17"],
    says: "did you mean `timeout`",
  },
  {
    name: "a cache of writes",
    spec: "tools:\n  orders/update-address: { cache: 5s }\nstrategy: react\n",
    found: ["LW-TOOL-EFFECT 5:35"],
  },
  {
    name: "tools that stand in for each other",
    spec: "tools:\n  calculator: { fallback: orders/query }\n  orders/query: { fallback: calculator }\nstrategy: react\n",
    found: ["LW-TOOL-FALLBACK 5:27", "LW-TOOL-FALLBACK 6:29"],
    says: "calculator → orders/query → calculator",
  },
  {
    name: "a stage's limit without a price",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: kimi/k\nstrategy:\n  - direct: { limits: { usd: 1 } }\n",
    found: ["LW-LIMIT-NO-PRICE 5:30"],
  },
  {
    name: "an approval that is neither",
    spec: "tools:\n  calculator: { approval: allways }\nstrategy: react\n",
    found: ["LW-VALUE-CHOICE 5:27"],
    says: "did you mean `always`",
  },
  {
    name: "a condition over unknown arguments",
    spec: "tools:\n  calculator: { deny: { when: args.expresion == '1' } }\nstrategy: react\n",
    found: ["LW-EXPR-UNKNOWN 5:36"],
    says: "did you mean `expression`",
  },
  {
    name: "a stage's tool that is not listed",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: [calcualtor] }\n",
    found: ["LW-TOOL-UNKNOWN 6:22"],
    says: "did you mean `calculator`",
  },
  {
    name: "a pattern without a tool",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: [orders/*] }\n",
    found: ["LW-TOOL-GLOB 6:22"],
  },
  {
    name: "a looser approval",
    spec: "tools: [orders/update-address]\nstrategy:\n  - react: { tools: { orders/update-address: { approval: never } } }\n",
    found: ["LW-TOOL-LOOSENED-POLICY 6:58"],
  },
  {
    name: "a longer timeout",
    spec: "tools: [calculator]\nstrategy:\n  - react: { tools: { calculator: { timeout: 1m } } }\n",
    found: ["LW-TOOL-LOOSENED-POLICY 6:46"],
  },
  {
    name: "a once tool in samples",
    spec: "tools: [orders/update-address]\nstrategy:\n  - self-consistency: { do: { react: { tools: all } } }\n",
    found: ["LW-TOOL-ONCE-IN-FAN-OUT 6:47"],
  },
  {
    name: "a memory that is not listed",
    spec: "memory: { lessons: { use: file, path: l.jsonl } }\nstrategy:\n  - recall: { from: lesons }\n  - direct\n",
    found: ["LW-SPEC-MEMORY 6:21"],
    says: "did you mean `lessons`",
  },
  {
    name: "a path out of the project",
    spec: "memory: { lessons: { use: file, path: ../../l.jsonl } }\nstrategy: direct\n",
    found: ["LW-FILE-OUTSIDE-ROOT 4:39"],
  },
  {
    name: "an unknown sink",
    spec: "strategy: direct\nsinks: [consol]\n",
    found: ["LW-PLUGIN-UNKNOWN 5:9"],
    says: "did you mean `console`",
  },
  {
    name: "`use` in a list",
    spec: "strategy: direct\nsinks: [{ log: { use: console } }]\n",
    found: ["LW-PLUGIN-UNKNOWN 5:11", "LW-SPEC-EXCLUSIVE-KEYS 5:18"],
  },
  {
    name: "fields and schema",
    spec: "strategy: direct\noutput: { fields: { a: string }, schema: { type: object } }\n",
    found: ["LW-SPEC-EXCLUSIVE-KEYS 5:34"],
  },
  {
    name: "a field called reasoning",
    spec: "strategy: direct\noutput: { reasoning: first, fields: { reasoning: string } }\n",
    found: ["LW-SPEC-OUTPUT 5:39"],
  },
  {
    name: "separate reasoning",
    spec: "strategy: direct\noutput: { reasoning: separate, fields: { a: string } }\n",
    found: ["LW-SPEC-NOT-YET 5:22"],
  },
  {
    name: "too many repairs",
    spec: "strategy: direct\noutput: { repair: 6, fields: { a: string } }\n",
    found: ["LW-VALUE-RANGE 5:19"],
  },
  {
    name: "an unknown field type",
    spec: "strategy: direct\noutput: { fields: { a: strin } }\n",
    found: ["LW-VALUE-FIELD-TYPE 5:24"],
  },
  {
    name: "a rule over an unknown field",
    spec: "strategy: direct\noutput:\n  fields: { total: number }\n  checks: [{ rule: { expr: answer.value.totl > 1, message: Too small. } }]\n",
    found: ["LW-EXPR-UNKNOWN 7:41"],
    says: "did you mean `total`",
  },
  {
    name: "an unknown check",
    spec: "strategy: [direct, { verify: { checks: [evidense] } }]\n",
    found: ["LW-PLUGIN-UNKNOWN 4:41"],
    says: "did you mean `evidence`",
  },
  {
    name: "checks that are no list",
    spec: "strategy: [direct, { verify: { checks: evidence } }]\n",
    found: ["LW-VALUE-LIST-EXPECTED 4:40"],
    says: "checks: [evidence]",
  },
  {
    name: "evidence without tools",
    spec: "strategy: [direct, { verify: { checks: [evidence] } }]\n",
    found: ["LW-FLOW-NEVER-PASSES 4:41"],
  },
  {
    name: "rounds without a remedy",
    spec: "strategy: [direct, { verify: { maxRounds: 2 } }]\n",
    found: ["LW-STAGE-OPTIONS 4:32"],
  },
  {
    name: "no model and no checks",
    spec: "strategy: [direct, { verify: { model: none } }]\n",
    found: ["LW-STAGE-OPTIONS 4:32"],
  },
  {
    name: "a verification of nothing",
    spec: "strategy:\n  - verify\n  - direct\n",
    found: ["LW-FLOW-NEVER-WRITTEN 5:5"],
    says: "writers here: `direct` (line 6)",
  },
  {
    name: "a limit without a price",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: kimi/kimi-k3\nstrategy: direct\nlimits: { usd: 1 }\n",
    found: ["LW-LIMIT-NO-PRICE 5:16"],
  },
  {
    name: "an unknown limit",
    spec: "strategy: direct\nlimits: { modelCall: 9 }\n",
    found: ["LW-SPEC-UNKNOWN-KEY 5:11"],
    says: "did you mean `modelCalls`",
  },
  {
    name: "a count that is none",
    spec: "strategy: direct\nlimits: { tokens: many }\n",
    found: ["LW-VALUE-COUNT 5:19"],
  },
  {
    name: "a quoted count",
    spec: 'strategy: direct\nlimits: { modelCalls: "9" }\n',
    found: ["LW-VALUE-NUMBER-EXPECTED 5:23"],
  },
  {
    name: "a limit that allows nothing",
    spec: "strategy: [direct, { reflect: { always: true } }]\nlimits: { modelCalls: 3 }\n",
    found: ["LW-LIMIT-UNREACHABLE 5:23"],
    says: "at least 4",
  },
  {
    name: "an unset path in the task",
    spec: 'inputs: { city: string }\ntask: "Plan {{ inputs.town }}"\nstrategy: direct\n',
    found: ["LW-TEMPLATE-PATH 5:16"],
  },
  {
    name: "a constraint that YAML cut in two",
    spec: "task:\n  constraints:\n    - Never promise: not even once\nstrategy: direct\n",
    found: ["LW-VALUE-TEXT-EXPECTED 6:7"],
  },
  {
    name: "a spec that is a list",
    bare: true,
    spec: "- apiVersion\n",
    found: ["LW-VALUE-MAP-EXPECTED 1:1"],
  },
  {
    name: "a model without a provider, and nothing that follows from it",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: gpt-4\nstrategy: direct\n",
    found: ["LW-MODEL-UNKNOWN-ROLE 3:8"],
  },
  {
    name: "a strategy whose bounds are below its child's",
    spec: "tools: [calculator]\nstrategy:\n  - understated: { do: { react: { maxSteps: 4 } } }\n",
    found: ["LW-PLUGIN-BROKEN 6:5"],
    says: "below those of a stage inside it",
  },
  {
    name: "a pattern that is no pattern",
    spec: 'inputs: { id: { type: string, pattern: "(" } }\nstrategy: direct\ntask: "Do {{ inputs.id }}"\n',
    found: ["LW-VALUE-SCHEMA 4:9"],
    says: "the schema of inputs can't be used",
  },
  { name: "an empty spec", bare: true, spec: "", found: ["LW-FILE-EMPTY 1:1"] },
];

describe("broken specs", () => {
  for (const { name, spec, bare, found, says } of cases) {
    it(`reports ${name}`, async () => {
      const { program, diagnostics } = await compileText(bare === true ? spec : head + spec, {
        root: "/tmp",
      });
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual(
        found,
      );
      expect(program).toBeUndefined();
      const [first] = diagnostics;
      expect(`${first?.message} ${first?.suggestion}`).toContain(says ?? "");
    });
  }
});
