import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-SPEC`. */
export const specExamples: Readonly<Record<CodesOf<"LW-SPEC">, DiagnosticExample>> = {
  "LW-SPEC-API-VERSION": {
    why: "`apiVersion` says by which rules the file is read; later ones may read the same text differently.",
    wrong: `apiVersion: loopwright/v9
name: order-desk
model: ollama/llama3
task: Answer the customer.
strategy: direct`,
    right: `apiVersion: loopwright/v1
name: order-desk
model: ollama/llama3
task: Answer the customer.
strategy: direct`,
  },
  "LW-SPEC-NOT-YET": {
    why: "The language has this part and it is checked; this version can't do what it says, and tells so instead of leaving it out.",
    wrong: `strategy:
  - direct
  - verify: { method: cove-factored }`,
    right: `strategy:
  - direct
  - verify`,
  },
  "LW-SPEC-UNKNOWN-KEY": {
    why: "A key that nobody reads is a typing mistake: what it says would silently not hold.",
    wrong: "limits: { modelCall: 9 }",
    right: "limits: { modelCalls: 9 }",
  },
  "LW-SPEC-MISSING-KEY": {
    why: "Without this key the part can't do anything.",
    wrong: `strategy:
  direct:
    examples: [{ task: Where is my parcel? }]`,
    right: `strategy:
  direct:
    examples: [{ task: Where is my parcel?, answer: It is on its way. }]`,
  },
  "LW-SPEC-EXCLUSIVE-KEYS": {
    why: "Both keys say the same thing in two ways; which one holds would be a guess.",
    wrong: "output: { fields: { reply: string }, schema: { type: object } }",
    right: "output: { fields: { reply: string } }",
  },
  "LW-SPEC-ID-CLASH": {
    why: "A name is how expressions, overlays and `--set` reach a thing, so it can't mean two.",
    wrong: `strategy:
  - plan: { id: first }
  - direct: { id: first }`,
    right: `strategy:
  - plan: { id: first }
  - direct: { id: second }`,
  },
  "LW-SPEC-FRAGMENT": {
    why: "A file without `strategy` holds what other specs extend. It is checked as far as it goes, and can't run.",
    wrong: `apiVersion: loopwright/v1
name: order-desk
model: ollama/llama3`,
    right: `apiVersion: loopwright/v1
name: order-desk
model: ollama/llama3
task: Answer the customer.
strategy: direct`,
  },
  "LW-SPEC-PATCH": {
    why: "A patch that changes nothing, or what can't be changed so, would leave the author believing that it holds.",
    wrong: `tools: [calculator]
strategy: react
overlays:
  prod: { tools-: [calculater] }`,
    right: `tools: [calculator]
strategy: [react, verify]
overlays:
  prod: { stages-: [verify] }`,
  },
  "LW-SPEC-OUTPUT": {
    why: "What the answer must look like contradicts itself.",
    wrong: "output: { reasoning: first, fields: { reasoning: string, reply: string } }",
    right: "output: { reasoning: first, fields: { reply: string } }",
  },
  "LW-SPEC-MEMORY": {
    why: "A stage that remembers names one of the memories that the spec lists.",
    wrong: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - recall: { from: lesons }
  - direct`,
    right: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - recall: { from: lessons }
  - direct`,
  },
  "LW-SPEC-OVERLAY": {
    why: "An overlay that the spec does not have would change nothing: the run would be another one than you think.",
    wrong: `# loopwright check desk.yaml --overlay prdo
overlays:
  prod: { limits: { modelCalls: 10 } }`,
    right: `# loopwright check desk.yaml --overlay prod
overlays:
  prod: { limits: { modelCalls: 10 } }`,
  },
  "LW-SPEC-STRATEGY-NAME": {
    why: "A name of `strategies` that is a plugin's id too would mean two things where a stage names it.",
    wrong: `strategies: { react: direct }
strategy: react`,
    right: `strategies: { answer: direct }
strategy: answer`,
  },
  "LW-SPEC-STRATEGY-CYCLE": {
    why: "A strategy that contains itself would never end to unfold. `loop` repeats, with a most.",
    wrong: `strategies:
  answer: [direct, improve]
  improve: [verify, answer]
strategy: answer`,
    right: `strategies:
  answer: [direct, improve]
  improve: [verify, refine]
strategy: answer`,
  },
  "LW-SPEC-TOO-LARGE": {
    why: "Strategies that use each other several times multiply; beyond the cap that is a mistake or an attack.",
    wrong: `strategies:
  ten: [direct, direct, direct, direct, direct, direct, direct, direct, direct, direct]
  hundred: [ten, ten, ten, ten, ten, ten, ten, ten, ten, ten]
  thousand: [hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred, hundred]
  many: [thousand, thousand, thousand, thousand, thousand, thousand, thousand, thousand, thousand]
strategy: many`,
    right: `strategies:
  ten: [direct, direct, direct, direct, direct, direct, direct, direct, direct, direct]
strategy: ten`,
  },
  "LW-SPEC-SWITCH": {
    why: "A switch is thrown on a run to make it do less: stages or tools go off, limits go down.",
    wrong: `strategy: [direct, verify]
switches:
  calm: {}`,
    right: `strategy: [direct, verify]
switches:
  calm: { stages: [verify] }`,
  },
};
