import type { BrokenCase } from "./broken-case.ts";

/** Faults of `switches`. */
export const cases: readonly BrokenCase[] = [
  {
    name: "switches that are a list",
    spec: "switches: [calm]\nstrategy: direct\n",
    found: [["LW-VALUE-MAP-EXPECTED", 4, 11]],
    fixes: ["write { NAME: { tools: [...] } }"],
  },
  {
    name: "a switch that does nothing",
    spec: "strategy: direct\nswitches:\n  calm: {}\n",
    found: [["LW-SPEC-SWITCH", 6, 9]],
    fixes: ["name stages, tools or limits in it"],
  },
  {
    name: "a switch with empty lists alone",
    spec: "strategy: direct\nswitches:\n  calm: { stages: [], limits: {} }\n",
    found: [["LW-SPEC-SWITCH", 6, 9]],
    fixes: ["name stages, tools or limits in it"],
  },
  {
    name: "an unknown key of a switch",
    spec: "strategy: direct\nswitches:\n  calm: { stage: [direct] }\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 6, 11]],
    fixes: ["did you mean `stages`?"],
  },
  {
    name: "a switch of a stage that is none",
    spec: "strategy: direct\nswitches:\n  calm: { stages: [dirct] }\n",
    found: [["LW-STAGE-UNKNOWN-ID", 6, 20]],
    fixes: ["did you mean `direct`?"],
  },
  {
    name: "a switch of a tool that the spec does not list",
    spec: "tools: [calculator]\nstrategy: react\nswitches:\n  calm: { tools: [calculator, orders/query] }\n",
    found: [["LW-TOOL-UNKNOWN", 7, 31]],
    fixes: ["tools here: calculator"],
  },
  {
    name: "a switch that raises a limit",
    spec: "strategy: direct\nlimits: { modelCalls: 20, time: 1m }\nswitches:\n  calm: { limits: { modelCalls: 30, time: 30s } }\n",
    found: [["LW-SPEC-SWITCH", 7, 33]],
    fixes: ["write less than 20, or delete it"],
  },
  {
    name: "a switch that sets a limit to what it is",
    spec: "strategy: direct\nlimits: { time: 1m }\nswitches:\n  calm: { limits: { time: 60s } }\n",
    found: [["LW-SPEC-SWITCH", 7, 27]],
    fixes: ["write less than 1m, or delete it"],
  },
  {
    name: "an unknown limit in a switch",
    spec: "strategy: direct\nswitches:\n  calm: { limits: { modelCall: 3 } }\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 6, 21]],
    fixes: ["did you mean `modelCalls`?"],
  },
];
