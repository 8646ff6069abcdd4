import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-STAGE`. */
export const stageExamples: Readonly<Record<CodesOf<"LW-STAGE">, DiagnosticExample>> = {
  "LW-STAGE-FORM": {
    why: "A stage is one word, or a map with exactly one key, under which everything about it stands.",
    wrong: `strategy:
  - plan: {}
    direct: {}`,
    right: `strategy:
  - plan
  - direct`,
  },
  "LW-STAGE-MISPLACED-OPTION": {
    why: "The option stands beside its stage, where it would belong to nothing.",
    wrong: `tools: [calculator]
strategy:
  - react: {}
    maxSteps: 6`,
    right: `tools: [calculator]
strategy:
  - react: { maxSteps: 6 }`,
  },
  "LW-STAGE-UNKNOWN-OPTION": {
    why: "The strategy has no such option or slot, so what it says would not hold.",
    wrong: `tools: [calculator]
strategy:
  - react: { maxStep: 6 }`,
    right: `tools: [calculator]
strategy:
  - react: { maxSteps: 6 }`,
  },
  "LW-STAGE-MISSING-OPTION": {
    why: "The strategy can't know this by itself.",
    wrong: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - recall
  - direct`,
    right: `memory: { lessons: { use: file, path: lessons.jsonl } }
strategy:
  - recall: { from: lessons }
  - direct`,
  },
  "LW-STAGE-MISSING-SLOT": {
    why: "The strategy directs other stages, and none is given.",
    wrong: `strategy:
  loop: { maxRounds: 2, until: verdict.passed }`,
    right: `strategy:
  loop: { maxRounds: 2, until: verdict.passed, do: [direct, verify] }`,
  },
  "LW-STAGE-EMPTY": {
    why: "A list without stages does nothing.",
    wrong: "strategy: []",
    right: "strategy: [direct]",
  },
  "LW-STAGE-AMBIGUOUS-ID": {
    why: "Two stages without an `id:` share a name: the first one keeps it. An `id:` says which one is meant.",
    wrong: `strategy: [direct, verify, direct]
overlays:
  prod: { stages: { direct: { onError: continue } } }`,
    right: `strategy: [direct, verify, { direct: { id: again } }]
overlays:
  prod: { stages: { again: { onError: continue } } }`,
  },
  "LW-STAGE-UNKNOWN-ID": {
    why: "No stage has this id, so what is said about it would not hold.",
    wrong: `tools: [calculator]
strategy: react
overlays:
  prod: { stages: { raect: { maxSteps: 3 } } }`,
    right: `tools: [calculator]
strategy: react
overlays:
  prod: { stages: { react: { maxSteps: 3 } } }`,
  },
  "LW-STAGE-OPTIONS": {
    why: "Two options of the stage contradict each other, or one makes no sense without the other.",
    wrong: `strategy:
  - direct
  - verify: { maxRounds: 2 }`,
    right: `strategy:
  - direct
  - verify: { maxRounds: 2, revise: refine }`,
  },
  "LW-STAGE-NO-MODEL": {
    why: "The stage asks a model, and the spec names none for it.",
    wrong: `strategy:
  direct: { model: none }`,
    right: `strategy:
  direct: { model: ollama/llama3 }`,
  },
  "LW-STAGE-NO-TOOLS": {
    why: "The stage is made to act and has nothing to act with: it will only talk.",
    wrong: "strategy: react",
    right: `tools: [calculator]
strategy: react`,
  },
};
