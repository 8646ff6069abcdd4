import type { BrokenCase } from "./broken-case.ts";

/** Models, roles, voices and secrets. */
export const cases: readonly BrokenCase[] = [
  {
    name: "no model",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nstrategy: direct\n",
    found: [["LW-STAGE-NO-MODEL", 3, 11]],
    fixes: ["write `model: provider/name` at the top of the spec or in the stage"],
  },
  {
    name: "none for a stage that must ask",
    spec: "strategy:\n  - direct: { model: none }\n",
    found: [["LW-STAGE-NO-MODEL", 5, 22]],
    fixes: ["write `model: default`, provider/name or a role, or delete `model`"],
  },
  {
    name: "an unknown role",
    spec: "models: { judge: ollama/big }\nstrategy:\n  - direct: { model: juge }\n",
    found: [["LW-MODEL-UNKNOWN-ROLE", 6, 22]],
    fixes: ["did you mean `judge`?"],
    says: "did you mean `judge`",
  },
  {
    name: "an unknown provider",
    spec: "models: { judge: olama/big }\nstrategy: direct\n",
    found: [["LW-MODEL-UNKNOWN-PROVIDER", 4, 18]],
    fixes: ["did you mean `ollama`?"],
    says: "did you mean `ollama`",
  },
  {
    name: "a provider whose package is not installed",
    spec: "models: { judge: anthropic/claude-sonnet-5-5 }\nstrategy: direct\n",
    found: [["LW-MODEL-UNKNOWN-PROVIDER", 4, 18]],
    fixes: ["install it: `npm i @loopwright/anthropic`"],
  },
  {
    name: "a default beside a model",
    spec: "models: { default: ollama/big }\nstrategy: direct\n",
    found: [["LW-SPEC-EXCLUSIVE-KEYS", 4, 11]],
    fixes: ["delete `default` here, or `model`"],
  },
  {
    name: "roles in a circle",
    spec: "models: { a: { extends: b }, b: { extends: a } }\nstrategy: direct\n",
    found: [["LW-MODEL-CYCLE", 4, 44]],
    fixes: ["take `a` out here, or write provider/name instead"],
  },
  {
    name: "a fallback to itself",
    spec: "models: { a: { use: ollama/big, fallback: [a] } }\nstrategy: direct\n",
    found: [["LW-MODEL-CYCLE", 4, 44]],
    fixes: ["take `a` out here, or write provider/name instead"],
  },
  {
    name: "an unknown voice",
    spec: "strategy:\n  - tree-of-thoughts: { model: { evaluate: ollama/big } }\n",
    found: [["LW-MODEL-UNKNOWN-VOICE", 5, 34]],
    fixes: ["write one of them, like `model: { propose: ... }`"],
    says: "speaks as propose, value, judge; `evaluate` is none of them",
  },
  {
    name: "a model and a prompt of a voice that does not speak with these options",
    spec: "strategy:\n  - direct\n  - verify: { model: { judge: ollama/other, ask: ollama/big }, prompt: { answer: Answer it. } }\n",
    found: [
      ["LW-MODEL-SILENT-VOICE", 6, 45],
      ["LW-MODEL-SILENT-VOICE", 6, 74],
    ],
    fixes: ["delete `ask`", "delete `answer`"],
    says: "with these options and slots `verify` speaks as judge only: `ask` of `model` has no effect",
  },
  {
    name: "one prompt for three voices",
    spec: "strategy:\n  - tree-of-thoughts: { prompt: Think. }\n",
    found: [["LW-MODEL-UNKNOWN-VOICE", 5, 33]],
    fixes: ["write `prompt: { propose: ... }`"],
  },
  {
    name: "an unknown key of a model",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temprature: 0 }\nstrategy: direct\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 3, 25]],
    fixes: ["did you mean `temperature`?"],
    says: "did you mean `temperature`",
  },
  {
    name: "a temperature too high",
    bare: true,
    spec: "apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, temperature: 3 }\nstrategy: direct\n",
    found: [["LW-VALUE-RANGE", 3, 38]],
    fixes: ["write `temperature: 2` or less"],
  },
  {
    name: "a secret where none may stand",
    bare: true,
    spec: 'apiVersion: loopwright/v1\nname: x\nmodel: { use: ollama/s, baseUrl: "${secret:URL}" }\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 3, 34]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a secret in a prompt",
    spec: 'instructions: "Say ${secret:KEY}."\nstrategy: direct\n',
    found: [["LW-SUBST-SECRET-PLACE", 4, 15]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a variable that is not set",
    spec: 'description: "${env:NOPE}"\nstrategy: direct\n',
    found: [["LW-SUBST-UNSET", 4, 14]],
    fixes: ["set it, or give a default: ${env:NOPE:-value}"],
  },
];
