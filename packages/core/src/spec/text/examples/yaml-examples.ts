import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-YAML`. */
export const yamlExamples: Readonly<Record<CodesOf<"LW-YAML">, DiagnosticExample>> = {
  "LW-YAML-SYNTAX": {
    why: "What YAML can't read can't be checked any further. Most often a value needs quotes.",
    wrong: 'description: "The order desk',
    right: 'description: "The order desk"',
  },
  "LW-YAML-INDENT": {
    why: "Indentation is structure: a line that stands a space too far belongs to something else, or to nothing.",
    wrong: `strategy:
  - direct
     - verify`,
    right: `strategy:
  - direct
  - verify`,
  },
  "LW-YAML-TAB": {
    why: "YAML indents with spaces only; how wide a tab is, each editor decides for itself.",
    wrong: `strategy:
\t- direct`,
    right: `strategy:
  - direct`,
  },
  "LW-YAML-INVISIBLE": {
    why: "A no-break space looks like a space and is a letter for YAML: the key is then another one.",
    wrong: `# a no-break space stands before \`mission\`
task:
\u00a0 mission: Help.`,
    right: `task:
  mission: Help.`,
  },
  "LW-YAML-LOOK-ALIKE": {
    why: "A full-width colon or a Cyrillic letter looks right and is another character, so the key is not the one you read.",
    wrong: `# the first letter of \`description\` is Cyrillic
\u0501escription: The desk.`,
    right: "description: The desk.",
  },
  "LW-YAML-NULL": {
    why: "A key without a value says nothing. Often its options stand two spaces short, and would silently be lost.",
    wrong: `tools: [calculator]
strategy:
  - react:
    maxSteps: 3`,
    right: `tools: [calculator]
strategy:
  - react:
      maxSteps: 3`,
  },
  "LW-YAML-TAG": {
    why: "YAML reads an unquoted `!` as a tag and drops it: the condition would become empty, which nobody sees.",
    wrong: `strategy:
  - direct
  - verify
  - refine: { when: !verdict.passed }`,
    right: `strategy:
  - direct
  - verify
  - refine: { when: "!verdict.passed" }`,
  },
  "LW-YAML-MERGE-KEY": {
    why: "Merge keys are no part of YAML 1.2, and programs disagree on which side wins. `extends` and `overlays` say it openly.",
    wrong: `models:
  fast: &fast { use: ollama/llama3, temperature: 0 }
  judge: { <<: *fast, temperature: 0.2 }`,
    right: `models:
  fast: { use: ollama/llama3, temperature: 0 }
  judge: { extends: fast, temperature: 0.2 }`,
  },
  "LW-YAML-DUPLICATE-KEY": {
    why: "Of two equal keys most programs keep the last and say nothing; the other one, perhaps an approval, is gone.",
    wrong: `limits:
  modelCalls: 10
  modelCalls: 100`,
    right: `limits:
  modelCalls: 100`,
  },
  "LW-YAML-KEY": {
    why: "A key is plain text. A list or a map as a key is nearly always a template or a substitution without quotes.",
    wrong: `description:
  ? [order, desk]
  : text`,
    right: "description: order desk",
  },
  "LW-YAML-RESERVED-KEY": {
    why: "A key called `__proto__` could change what every object of the program inherits.",
    wrong: `models:
  __proto__: ollama/llama3`,
    right: `models:
  prototype: ollama/llama3`,
  },
  "LW-YAML-DOCUMENTS": {
    why: "A file holds one spec; a second document after `---` would never be read.",
    wrong: `description: The desk.
---
description: Another desk.`,
    right: "description: The desk.",
  },
  "LW-YAML-DIRECTIVE": {
    why: "Specs are YAML 1.2; under another version `yes` and `010` mean something else.",
    wrong: `%YAML 1.1
---
description: The desk.`,
    right: `%YAML 1.2
---
description: The desk.`,
  },
  "LW-YAML-ALIAS": {
    why: "An alias repeats a value that an anchor named before it; without the anchor there is nothing to repeat.",
    wrong: `models:
  judge: *small`,
    right: `models:
  fast: &small ollama/llama3
  judge: *small`,
  },
  "LW-YAML-ALIAS-EXPANSION": {
    why: "Aliases of aliases grow without limit: a few lines can fill the memory of a computer.",
    wrong: `glossary: &a { a: x, b: x, c: x, d: x, e: x, f: x, g: x, h: x, i: x, j: x }
switches: &b { a: *a, b: *a, c: *a, d: *a, e: *a, f: *a, g: *a, h: *a, i: *a, j: *a }
models: &c { a: *b, b: *b, c: *b, d: *b, e: *b, f: *b, g: *b, h: *b, i: *b, j: *b }
memory: &d { a: *c, b: *c, c: *c, d: *c, e: *c, f: *c, g: *c, h: *c, i: *c, j: *c }
overlays: { a: *d, b: *d, c: *d, d: *d, e: *d, f: *d, g: *d, h: *d, i: *d, j: *d }`,
    right: "glossary: { RMA: the number of a return }",
  },
  "LW-YAML-DEPTH": {
    why: "No spec nests so deep; a text that does is meant to exhaust whoever reads it.",
    wrong:
      "glossary: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[deep]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    right: "glossary: { deep: far below the surface }",
  },
  "LW-YAML-NUMBER": {
    why: "Hexadecimal, octal and infinite numbers are read differently by different programs; a spec writes decimal ones.",
    wrong: "limits: { modelCalls: 0x10 }",
    right: "limits: { modelCalls: 16 }",
  },
  "LW-YAML-COMMA": {
    why: "Inside `{ }` a comma ends the value: the rest of the text silently becomes another key.",
    wrong: `tools: { calculator: { fallback: Not now, sorry } }
strategy: react`,
    right: `tools: { calculator: { fallback: "Not now, sorry" } }
strategy: react`,
  },
  "LW-YAML-UNQUOTED-SUBSTITUTION": {
    why: "Inside `{ }` the brace of an unquoted `${` starts a map.",
    wrong: "model: { use: openai/gpt-5, apiKey: ${secret:DESK_KEY} }",
    right: 'model: { use: openai/gpt-5, apiKey: "${secret:DESK_KEY}" }',
  },
  "LW-YAML-UNQUOTED-TEMPLATE": {
    why: "A value that begins with `{{` is a map inside a map for YAML, not a template.",
    wrong: `inputs: { order: string }
task: {{ inputs.order }}`,
    right: `inputs: { order: string }
task: "{{ inputs.order }}"`,
  },
};
