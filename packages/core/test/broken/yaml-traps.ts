import type { BrokenCase } from "./broken-case.ts";

const ten = (name: string): string =>
  `{ ${["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"].map((key) => `${key}: *${name}`).join(", ")} }`;

/** What YAML reads without an error, or as something else. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a tab in the indentation",
    spec: "strategy:\n\t- direct\n",
    found: [["LW-YAML-TAB", 5, 1]],
    fixes: ["replace the tab by spaces"],
  },
  {
    name: "a no-break space before a key",
    spec: "task:\n\u00a0 mission: Help.\nstrategy: direct\n",
    found: [["LW-YAML-INVISIBLE", 5, 1]],
    fixes: ["replace it by an ordinary space, or quote the text"],
  },
  {
    name: "a list as a key",
    spec: "glossary:\n  ? [order, desk]\n  : text\nstrategy: direct\n",
    found: [["LW-YAML-KEY", 5, 5]],
    fixes: ["write the key as one word"],
  },
  {
    name: "a key that could change objects",
    spec: "models:\n  __proto__: ollama/other\nstrategy: direct\n",
    found: [["LW-YAML-RESERVED-KEY", 5, 3]],
    fixes: ["choose another name"],
  },
  {
    name: "two documents",
    spec: "strategy: direct\n---\nstrategy: plan\n",
    found: [["LW-YAML-DOCUMENTS", 5, 1]],
    fixes: ["move it to a file of its own, or delete the `---`"],
  },
  {
    name: "a directive for YAML 1.1",
    bare: true,
    spec: "%YAML 1.1\n---\napiVersion: loopwright/v1\nname: x\nmodel: ollama/s\nstrategy: direct\n",
    found: [["LW-YAML-DIRECTIVE", 1, 1]],
    fixes: ["delete the line"],
  },
  {
    name: "an alias without its anchor",
    spec: "models: { judge: *small }\nstrategy: direct\n",
    found: [["LW-YAML-ALIAS", 4, 18]],
    fixes: ["write the value out, or set `&small` above; quote text that starts with `*`"],
  },
  {
    name: "an alias inside its own anchor",
    spec: "strategies: &all { deep: *all }\nstrategy: direct\n",
    found: [["LW-YAML-ALIAS", 4, 26]],
    fixes: ["write the value out"],
  },
  {
    name: "aliases that expand without end in sight",
    spec: `strategy:
  - direct:
      examples:
        - task: Which one?
          answer: { one: &a { a: x }, two: &b ${ten("a")}, three: &c ${ten("b")}, four: &d ${ten("c")}, five: &e ${ten("d")}, six: ${ten("e")} }
`,
    found: [["LW-YAML-ALIAS-EXPANSION", 8, 34]],
    fixes: ["use fewer aliases, or move values to files of their own"],
  },
  {
    name: "values nested too deep",
    spec: `glossary: ${"[".repeat(70)}deep${"]".repeat(70)}\nstrategy: direct\n`,
    found: [["LW-YAML-DEPTH", 4, 76]],
    fixes: ["write it flatter, or move the inner values to a file of their own"],
  },
  {
    name: "a comma in an unquoted text",
    spec: "tools: { calculator: { fallback: Not now, sorry } }\nstrategy: react\n",
    found: [["LW-YAML-COMMA", 4, 34]],
    fixes: ['quote it: "Not now, sorry"'],
  },
  {
    name: "an unquoted expression with a comma",
    spec: "strategy:\n  - direct\n  - refine: { when: has(answer.value, 2) }\n",
    found: [["LW-YAML-COMMA", 6, 21]],
    fixes: ['quote it: "has(answer.value, 2)"'],
  },
  {
    name: "an unquoted substitution inside braces",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, apiKey: ${secret:DESK_KEY} }\nstrategy: direct\n",
    found: [["LW-YAML-UNQUOTED-SUBSTITUTION", 3, 33]],
    fixes: ['quote it: "${secret:DESK_KEY}"'],
  },
  {
    name: "an unquoted template",
    spec: "inputs: { order: string }\ntask: {{ inputs.order }}\nstrategy: direct\n",
    found: [["LW-YAML-UNQUOTED-TEMPLATE", 5, 7]],
    fixes: ['quote it: "{{ inputs.order }}"'],
  },
];
