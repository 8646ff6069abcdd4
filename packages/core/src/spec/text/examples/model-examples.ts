import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-MODEL`. */
export const modelExamples: Readonly<Record<CodesOf<"LW-MODEL">, DiagnosticExample>> = {
  "LW-MODEL-UNKNOWN-ROLE": {
    why: "A word without a slash is a role of `models`, and there is none of this name.",
    wrong: `models: { judge: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: juge }`,
    right: `models: { judge: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: judge }`,
  },
  "LW-MODEL-UNKNOWN-PROVIDER": {
    why: "The part before the slash is a provider or a profile of one, and nothing installed has this name.",
    wrong: "model: olama/llama3",
    right: "model: ollama/llama3",
  },
  "LW-MODEL-UNKNOWN-VOICE": {
    why: "A strategy that speaks in several voices takes a model or a prompt for each by its name.",
    wrong: `models: { judge: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: { juge: judge } }`,
    right: `models: { judge: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: { judge: judge } }`,
  },
  "LW-MODEL-SILENT-VOICE": {
    why: "Options and slots decide which voices of a strategy speak: the model or the prompt of another one is never used.",
    wrong: `models: { other: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: { ask: other } }`,
    right: `models: { other: ollama/qwen3 }
strategy:
  - direct
  - verify: { model: { judge: other } }`,
  },
  "LW-MODEL-FORM": {
    why: "A model is `provider/name`, a role, `none`, or a map that says which with `use` or `extends`.",
    wrong: "model: { name: ollama/llama3 }",
    right: "model: { use: ollama/llama3 }",
  },
  "LW-MODEL-CYCLE": {
    why: "Roles or fallbacks that lead back to themselves never name a model.",
    wrong: "models: { fast: { extends: judge }, judge: { extends: fast } }",
    right: "models: { fast: ollama/llama3, judge: { extends: fast, temperature: 0 } }",
  },
  "LW-MODEL-CALLS": {
    why: "A first wait above the longest one, or a wait for a piece above the time for the whole reply, never counts.",
    wrong: "model: { use: ollama/llama3, timeout: { total: 30s, first: 2m } }",
    right: "model: { use: ollama/llama3, timeout: { total: 2m, first: 30s } }",
  },
  "LW-MODEL-OPTIONS": {
    why: "The provider could make no call: it lacks an address, say, or a pattern of the profile is none.",
    wrong: "model: custom/small",
    right: 'model: { use: custom/small, baseUrl: "http://127.0.0.1:8000/v1" }',
  },
  "LW-MODEL-ALIKE-SAMPLES": {
    why: "At temperature 0 a model says the same each time: several samples cost more and tell nothing.",
    wrong: `model: { use: ollama/llama3, temperature: 0 }
strategy:
  self-consistency: { samples: 5, do: chain-of-thought }`,
    right: `model: { use: ollama/llama3, temperature: 0.8 }
strategy:
  self-consistency: { samples: 5, do: chain-of-thought }`,
  },
  "LW-MODEL-HOT-SCHEMA": {
    why: "A model that samples freely breaks a form more often, and each repair is another request.",
    wrong: `model: { use: ollama/llama3, temperature: 0.9 }
output: { fields: { reply: string } }`,
    right: `model: { use: ollama/llama3, temperature: 0.2 }
output: { fields: { reply: string } }`,
  },
  "LW-MODEL-THINKS": {
    why: "A model that reasons by itself gains nothing from being told to think step by step; it pays twice for it.",
    wrong: `model: deepseek/deepseek-reasoner
strategy: chain-of-thought`,
    right: `model: deepseek/deepseek-reasoner
strategy: direct`,
  },
  "LW-MODEL-SELF-JUDGE": {
    why: "A model tends to find its own answers good. Another model, or a check without one, sees more.",
    wrong: "strategy: [direct, verify]",
    right: `models: { judge: ollama/qwen3 }
strategy: [direct, { verify: { model: judge } }]`,
  },
  "LW-MODEL-NO-JUDGE": {
    why: "What no rule decides is for a judge to look at. With `model: none` there is none, and the answer gets no verdict.",
    wrong: `task: { text: Write a reply., constraints: [Be polite to the customer.] }
strategy: [direct, { verify: { checks: [constraints], model: none } }]`,
    right: `task: { text: Write a reply., constraints: [Be polite to the customer.] }
models: { judge: ollama/qwen3 }
strategy: [direct, { verify: { checks: [constraints], model: judge } }]`,
  },
};
