import type { PluginPackage } from "@loopwright/core/plugin";

/** The built-in strategies; each is loaded when a spec names it. */
export const strategies: PluginPackage = {
  name: "@loopwright/strategies",
  entries: [
    { kind: "strategy", id: "direct", load: async () => (await import("./direct.ts")).direct },
    {
      kind: "strategy",
      id: "chain-of-thought",
      load: async () => (await import("./chain-of-thought.ts")).chainOfThought,
    },
    { kind: "strategy", id: "plan", load: async () => (await import("./plan.ts")).plan },
    {
      kind: "strategy",
      id: "plan-and-solve",
      load: async () => (await import("./plan-and-solve.ts")).planAndSolve,
    },
    {
      kind: "strategy",
      id: "least-to-most",
      load: async () => (await import("./least-to-most.ts")).leastToMost,
    },
    {
      kind: "strategy",
      id: "step-back",
      load: async () => (await import("./step-back.ts")).stepBack,
    },
    {
      kind: "strategy",
      id: "outline",
      load: async () => (await import("./outline.ts")).outline,
    },
    {
      kind: "strategy",
      id: "skeleton",
      load: async () => (await import("./skeleton.ts")).skeleton,
    },
    {
      kind: "strategy",
      id: "extract",
      load: async () => (await import("./extract.ts")).extract,
    },
    {
      kind: "strategy",
      id: "program-aided",
      load: async () => (await import("./program-aided.ts")).programAided,
    },
    { kind: "strategy", id: "react", load: async () => (await import("./react.ts")).react },
    { kind: "strategy", id: "rewoo", load: async () => (await import("./rewoo.ts")).rewoo },
    {
      kind: "strategy",
      id: "plan-graph",
      load: async () => (await import("./plan-graph.ts")).planGraph,
    },
    { kind: "strategy", id: "abduce", load: async () => (await import("./abduce.ts")).abduce },
    { kind: "strategy", id: "verify", load: async () => (await import("./verify.ts")).verify },
    { kind: "strategy", id: "refine", load: async () => (await import("./refine.ts")).refine },
    { kind: "strategy", id: "reflect", load: async () => (await import("./reflect.ts")).reflect },
    { kind: "strategy", id: "recall", load: async () => (await import("./recall.ts")).recall },
    {
      kind: "strategy",
      id: "self-consistency",
      load: async () => (await import("./self-consistency.ts")).selfConsistency,
    },
    { kind: "strategy", id: "loop", load: async () => (await import("./control/loop.ts")).loop },
    {
      kind: "strategy",
      id: "branch",
      load: async () => (await import("./control/branch.ts")).branch,
    },
    {
      kind: "strategy",
      id: "choose",
      load: async () => (await import("./control/choose.ts")).choose,
    },
    {
      kind: "strategy",
      id: "parallel",
      load: async () => (await import("./control/parallel.ts")).parallel,
    },
    {
      kind: "strategy",
      id: "for-each",
      load: async () => (await import("./control/for-each.ts")).forEach,
    },
    {
      kind: "strategy",
      id: "fallback",
      load: async () => (await import("./control/fallback.ts")).fallback,
    },
    {
      kind: "strategy",
      id: "agent",
      load: async () => (await import("./control/agent.ts")).agent,
    },
    { kind: "strategy", id: "ask", load: async () => (await import("./control/ask.ts")).ask },
    { kind: "strategy", id: "stop", load: async () => (await import("./control/stop.ts")).stop },
  ],
};
