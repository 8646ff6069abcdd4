import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-FLOW`. */
export const flowExamples: Readonly<Record<CodesOf<"LW-FLOW">, DiagnosticExample>> = {
  "LW-FLOW-NEVER-WRITTEN": {
    why: "The stage reads something that no stage before it writes, so it has nothing to work on.",
    wrong: "strategy: [verify, direct]",
    right: "strategy: [direct, verify]",
  },
  "LW-FLOW-MAYBE-MISSING": {
    why: "The stage reads what another one writes only under a condition; where that does not hold there is nothing to read.",
    wrong: `inputs: { isShort: boolean }
strategy:
  - direct: { when: inputs.isShort }
  - verify`,
    right: `inputs: { isShort: boolean }
strategy:
  - direct
  - verify: { when: inputs.isShort }`,
  },
  "LW-FLOW-UNREACHABLE": {
    why: "Nothing leads here: what stands at this place will never happen.",
    wrong: `strategy:
  - direct
  - stop: { reason: It is said. }
  - verify`,
    right: `strategy:
  - direct
  - verify
  - stop: { reason: It is said. }`,
  },
  "LW-FLOW-NEVER-PASSES": {
    why: "The check looks for something that nothing in the spec can bring about, so every answer would fail.",
    wrong: `strategy:
  - direct
  - verify: { checks: [evidence] }`,
    right: `tools: [calculator]
strategy:
  - react
  - verify: { checks: [evidence] }`,
  },
  "LW-FLOW-TWO-WRITERS": {
    why: "Branches that run at one time both set the same field; which one stays would be chance. `combine` says what becomes of them.",
    wrong: `strategy:
  parallel:
    branches: { short: direct, long: chain-of-thought }`,
    right: `strategy:
  parallel:
    branches: { short: direct, long: chain-of-thought }
    combine: direct`,
  },
  "LW-FLOW-UNREAD": {
    why: "The stage costs time or money for something that nobody looks at.",
    wrong: `strategy:
  - ask: { question: Which colour? }
  - direct`,
    right: `strategy:
  - ask: { question: Which colour? }
  - direct: { instructions: "Paint it.", when: results.ask.answered }`,
  },
  "LW-FLOW-NO-ANSWER": {
    why: "A run of this spec costs time or money and ends with nothing to say; where `output` declares fields, nothing can ever fill them.",
    wrong: `strategy:
  - plan`,
    right: `strategy:
  - plan
  - direct`,
  },
};
