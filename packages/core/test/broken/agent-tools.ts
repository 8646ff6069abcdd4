import type { BrokenCase } from "./broken-case.ts";

const inner =
  "apiVersion: loopwright/v1\nname: inner\ninputs: { city: string }\nmodel: ollama/small\nstrategy: direct\n";

/** Faults of agents that are tools. */
export const cases: readonly BrokenCase[] = [
  {
    name: "an agent as a tool without a spec",
    spec: "tools: { weather: { use: agent } }\nstrategy: react\n",
    found: [["LW-SPEC-MISSING-KEY", 4, 10]],
    fixes: ["add `spec: ./FILE.yaml`"],
  },
  {
    name: "an agent as a tool whose spec does not exist",
    spec: "tools: { weather: { use: agent, spec: weather.yaml } }\nstrategy: react\n",
    found: [["LW-FILE-MISSING", 4, 39]],
    fixes: ["make it, or mend the path: it is relative to `spec.yaml`"],
    files: {},
  },
  {
    name: "an agent as a tool whose spec has errors",
    spec: "tools: { weather: { use: agent, spec: weather.yaml } }\nstrategy: react\n",
    files: { "weather.yaml": inner.replace("direct", "dirct") },
    found: [
      ["LW-AGENT-SPEC", 4, 39],
      ["LW-PLUGIN-UNKNOWN", 5, 11, "weather.yaml"],
    ],
    fixes: [
      "mend it there: `loopwright check weather.yaml` shows all of it",
      "did you mean `direct`?",
    ],
  },
  {
    name: "an agent as a tool that contains itself",
    spec: "tools: { weather: { use: agent, spec: spec.yaml } }\nstrategy: react\n",
    found: [["LW-AGENT-CYCLE", 4, 39]],
    fixes: ["name another spec here, or take this agent out"],
  },
  {
    name: "an argument that an agent as a tool does not take",
    spec: "tools:\n  weather:\n    use: agent\n    spec: weather.yaml\n    deny: { when: args.town == '' }\nstrategy: react\n",
    files: { "weather.yaml": inner },
    found: [["LW-EXPR-UNKNOWN", 8, 24]],
    fixes: ["known here: task, city"],
  },
  {
    name: "an option that an agent as a tool does not have",
    spec: "tools: { weather: { use: agent, specs: weather.yaml } }\nstrategy: react\n",
    files: { "weather.yaml": inner },
    found: [
      ["LW-SPEC-MISSING-KEY", 4, 10],
      ["LW-SPEC-UNKNOWN-KEY", 4, 33],
    ],
    fixes: ["add `spec: ./FILE.yaml`", "did you mean `spec`?"],
  },
];
