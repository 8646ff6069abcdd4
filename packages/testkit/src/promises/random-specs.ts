import fc from "fast-check";

type Data = unknown;
type Stage = string | { readonly [id: string]: Data };

/** Files of a project that random specs name. */
export const specFiles: Readonly<Record<string, string>> = {
  "base.yaml": "apiVersion: loopwright/v1\nname: base\nlimits: { modelCalls: 900, time: 5m }\n",
  "inner.yaml":
    "apiVersion: loopwright/v1\nname: inner\ninputs: { city: string }\ntask: Look at {{ inputs.city }}.\nmodel: stub/model\nstrategy: direct\noutput: { fields: { found: string } }\n",
  "later.yaml":
    "apiVersion: loopwright/v1\nname: later\ninputs: { city: string }\ntask: Look at {{ inputs.city }}.\nmodel: stub/model\nstrategy: [direct, { verify: { method: cove-factored, maxQuestions: 2 } }]\noutput: { fields: { found: string } }\n",
  "notes.txt": "Be brief.\n",
  "cases.jsonl": '{"task":"x"}\n',
  "answer.json": '{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}\n',
  "examples.jsonl": '{"task":"one","answer":"1"}\n',
  "work/readme.txt": "x\n",
};

const guard = fc.constantFrom(
  "answer.revision > 0",
  "verdict.passed || answer.text.size() < 5",
  "size(plan.steps) > 1",
  "inputs.city != 'x'",
  "!answer.solvable",
);
const policy = fc.record(
  {
    timeout: fc.constantFrom("2s", "500ms"),
    maxResult: fc.constantFrom(200, "2k"),
    fallback: fc.constant("Say that it is not known."),
    repeat: fc.integer({ min: 1, max: 4 }),
    approval: fc.constantFrom<Data[]>("always", { when: "inputs.city == 'x'" }),
    deny: fc.constant({ when: "task.text == ''" }),
    retry: fc.constantFrom<Data[]>(2, { attempts: 3, first: "1s", max: "5s" }),
    rateLimit: fc.constant("10/1m"),
  },
  { requiredKeys: [] },
);
const settings = fc.record(
  {
    when: guard,
    onError: fc.constantFrom("fail", "continue"),
    instructions: fc.constantFrom("Be brief.", "${file:notes.txt}"),
    model: fc.constantFrom("judge", "stub/other"),
    examples: fc.constantFrom<Data[]>([{ task: "one", answer: "1" }], "${file:examples.jsonl}"),
    limits: fc.constant({ modelCalls: 50, time: "30s" }),
  },
  { requiredKeys: [] },
);
const checks = fc.uniqueArray(
  fc.constantFrom<Data[]>("arithmetic", { rule: { expr: "answer.revision > 0", message: "No." } }),
  { maxLength: 2 },
);

/** A stage that writes an answer, whatever came before. */
const { sequence } = fc.letrec<{ stage: Stage; sequence: readonly Stage[] }>((tie) => ({
  stage: fc.oneof(
    { maxDepth: 2, depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Stage[]>("direct", "chain-of-thought"),
    settings.map((common) => ({ direct: common })),
    fc
      .tuple(fc.integer({ min: 1, max: 4 }), settings, fc.constantFrom<Data[]>("read", "all"))
      .map(([maxSteps, common, tools]) => ({ react: { maxSteps, tools, ...common } })),
    tie("sequence").map((list) => ({ "plan-and-solve": { do: list } })),
    tie("sequence").map((list) => ({
      loop: { maxRounds: 2, until: "answer.revision > 2", do: list },
    })),
    fc.tuple(tie("sequence"), tie("sequence"), guard).map(([yes, no, test]) => ({
      // oxlint-disable-next-line unicorn/no-thenable -- a slot of `branch`; nobody awaits it
      branch: { if: test, then: yes, else: no },
    })),
    fc
      .tuple(tie("stage"), tie("sequence"))
      .map(([one, other]) => ({ fallback: { try: [one, ...other] } })),
    fc.tuple(tie("sequence"), tie("stage")).map(([left, right]) => ({
      parallel: { branches: { left, right }, combine: "direct" },
    })),
    fc.tuple(tie("sequence"), tie("stage")).map(([short, long]) => ({
      choose: {
        cases: {
          short: { description: "Short questions.", do: short },
          long: { description: "All others.", do: long },
        },
      },
    })),
    tie("stage").map((inner) => ({ "self-consistency": { samples: 2, do: inner } })),
    tie("stage").map((inner) => ({
      "for-each": { in: "plan.steps", item: "step", maxItems: 3, do: inner, combine: "direct" },
    })),
    fc
      .constantFrom("inner.yaml", "later.yaml")
      .map((spec) => ({ agent: { spec, inputs: { city: "{{ inputs.city }}" } } })),
  ),
  sequence: fc
    .tuple(
      fc.array(tie("stage"), { minLength: 1, maxLength: 2 }),
      fc.option(fc.tuple(checks, fc.boolean()), { nil: undefined }),
    )
    .map(([list, verify]) =>
      verify === undefined
        ? list
        : [
            ...list,
            {
              verify: {
                checks: verify[0],
                ...(verify[1] ? { maxRounds: 1, revise: "refine" } : {}),
              },
            },
          ],
    ),
}));

const tools = fc.oneof(
  fc.constant<Data>(["calculator"]),
  fc.record({
    calculator: policy,
    fetch: policy.map((said) => ({
      use: "http-get",
      url: "https://example.org/{q}",
      input: { q: "string" },
      ...said,
    })),
  }),
  policy.map((said) => ({ files: { use: "read-file", root: "work", ...said } })),
);

const everySection: Readonly<Record<string, fc.Arbitrary<Data>>> = {
  extends: fc.constant("base.yaml"),
  description: fc.constant("A spec of a test."),
  version: fc.constant("1.0.0"),
  workspace: fc.constant("work"),
  cases: fc.constant("cases.jsonl"),
  glossary: fc.constant({ RMA: "a return" }),
  language: fc.constantFrom("en", "zh"),
  instructions: fc.constant("Be brief."),
  toolPolicy: policy,
  memory: fc.constant({ lessons: { use: "file", path: "kept/lessons.jsonl" } }),
  limits: fc.constantFrom<Data[]>({ modelCalls: 800 }, { tokens: "200k", time: "2m" }),
  output: fc.constantFrom<Data[]>(
    { fields: { total: "number", note: "string?" }, repair: 2 },
    { schema: "${file:answer.json}", reasoning: "first" },
    { fields: { ok: "boolean" }, reasoning: "separate", deadLetter: "dead.jsonl" },
    { fields: { ok: "boolean" }, reasoning: "free", repair: { format: 2, checks: 0 } },
  ),
  sinks: fc.constantFrom<Data[]>(["memory"], {
    log: { use: "jsonl", path: "runs/${run:id}.jsonl" },
  }),
  switches: fc.constant({ calm: { limits: { toolCalls: 1 } } }),
  dryRun: fc.boolean(),
  overlays: fc.constantFrom<Data[]>(
    { small: { limits: { modelCalls: 700 } } },
    { mild: { "sinks+": ["memory"], instructions: "Be kind." } },
  ),
};

// A few of them at a time: specs stay small, and many cases meet every pair.
const sections = fc
  .tuple(fc.record(everySection), fc.shuffledSubarray(Object.keys(everySection), { maxLength: 3 }))
  .map(([all, names]) => Object.fromEntries(names.map((name) => [name, all[name]])));

/** A spec as plain data, valid in most cases: every strategy, tools, checks, sections, overlays. */
export const randomSpec: fc.Arbitrary<Data> = fc
  .tuple(sections, tools, sequence)
  .map(([said, listed, list]) => ({
    apiVersion: "loopwright/v1",
    name: "random",
    inputs: { city: "string", count: { type: "integer", default: 3 } },
    task: "Look at {{ inputs.city }}.",
    model: { use: "stub/model", temperature: 0.7 },
    models: {
      judge: { use: "openai/judge", apiKey: "${secret:KEY}", fallback: ["default"] },
    },
    tools: listed,
    ...said,
    strategy: ["plan", "direct", ...list],
  }));
