import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-VALUE`. */
export const valueExamples: Readonly<Record<CodesOf<"LW-VALUE">, DiagnosticExample>> = {
  "LW-VALUE-TYPE": {
    why: "The value is of no kind that its place takes.",
    wrong: `tools: [calculator]
strategy:
  react: { maxSteps: 1.5 }`,
    right: `tools: [calculator]
strategy:
  react: { maxSteps: 2 }`,
  },
  "LW-VALUE-TEXT-EXPECTED": {
    why: "YAML turns `1.10` into 1.1 and `007` into 7. Where text belongs a number is refused, so that nothing is lost.",
    wrong: "version: 1.10",
    right: 'version: "1.10"',
  },
  "LW-VALUE-NUMBER-EXPECTED": {
    why: "Text where a number belongs is never guessed at; a quoted number is text.",
    wrong: `tools: [calculator]
strategy:
  react: { maxSteps: "6" }`,
    right: `tools: [calculator]
strategy:
  react: { maxSteps: 6 }`,
  },
  "LW-VALUE-BOOLEAN-EXPECTED": {
    why: "Only `true` and `false` are booleans; `yes`, `on` and quoted ones are text, and any text would count as true.",
    wrong: "dryRun: yes",
    right: "dryRun: true",
  },
  "LW-VALUE-LIST-EXPECTED": {
    why: "A single value where a list belongs is refused, so that one thing is always written in one way.",
    wrong: `tools: [calculator]
strategy:
  - react
  - verify: { checks: evidence }`,
    right: `tools: [calculator]
strategy:
  - react
  - verify: { checks: [evidence] }`,
  },
  "LW-VALUE-MAP-EXPECTED": {
    why: "The place takes a map of keys and values.",
    wrong: "limits: 10",
    right: "limits: { modelCalls: 10 }",
  },
  "LW-VALUE-DURATION": {
    why: "Is 5 five seconds or five milliseconds? A duration says its unit: ms, s, m, h or d.",
    wrong: "limits: { time: 5 }",
    right: "limits: { time: 5m }",
  },
  "LW-VALUE-COUNT": {
    why: "A count is a whole number from 0, plain or with `k` and `M`.",
    wrong: "limits: { tokens: many }",
    right: "limits: { tokens: 200k }",
  },
  "LW-VALUE-RATE": {
    why: "A rate limits calls within a time, so it needs both.",
    wrong: `tools: { calculator: { rateLimit: 10 } }
strategy: react`,
    right: `tools: { calculator: { rateLimit: 10/1m } }
strategy: react`,
  },
  "LW-VALUE-RANGE": {
    why: "The number is outside what makes sense at its place.",
    wrong: "model: { use: ollama/llama3, temperature: 3 }",
    right: "model: { use: ollama/llama3, temperature: 0.3 }",
  },
  "LW-VALUE-CHOICE": {
    why: "The place knows a few words, and this is none of them.",
    wrong: `strategy:
  direct: { onError: ignore }`,
    right: `strategy:
  direct: { onError: continue }`,
  },
  "LW-VALUE-ID": {
    why: "Names and ids are kebab-case, so that one thing is spelled in one way in files, events and commands.",
    wrong: `strategy:
  direct: { id: Final_Answer }`,
    right: `strategy:
  direct: { id: final-answer }`,
  },
  "LW-VALUE-FIELDS": {
    why: "Fields are a map of names to types: that is what inputs are read by and what an answer must fit.",
    wrong: "inputs: [order, count]",
    right: "inputs: { order: string, count: integer }",
  },
  "LW-VALUE-FIELD-TYPE": {
    why: "A field is a string, number, integer or boolean, a list of allowed texts, or a JSON Schema.",
    wrong: "inputs: { count: int }",
    right: "inputs: { count: integer }",
  },
  "LW-VALUE-FIELD-NAME": {
    why: "A field is read in expressions and templates, so its name has to be one that they can say.",
    wrong: "inputs: { order number: string }",
    right: "inputs: { orderNumber: string }",
  },
  "LW-VALUE-FIELD-DEFAULT": {
    why: "A default stands in for what nobody gives, so it has to be of the field's type.",
    wrong: "inputs: { count: { type: integer, default: many } }",
    right: "inputs: { count: { type: integer, default: 3 } }",
  },
  "LW-VALUE-ENUM": {
    why: "The allowed values of a field are texts, each of them once.",
    wrong: "inputs: { urgency: [low, high, low] }",
    right: "inputs: { urgency: [low, high] }",
  },
  "LW-VALUE-SCHEMA": {
    why: "A JSON Schema with a misspelt keyword checks less than it seems to.",
    wrong: "inputs: { count: { type: integer, minimun: 1 } }",
    right: "inputs: { count: { type: integer, minimum: 1 } }",
  },
  "LW-VALUE-PATTERN": {
    why: "Some patterns take longer than anybody waits, on a text that somebody sends; others are simply malformed.",
    wrong: 'inputs: { order: { type: string, pattern: "^(A+)+$" } }',
    right: 'inputs: { order: { type: string, pattern: "^A[0-9]{11}$" } }',
  },
};
