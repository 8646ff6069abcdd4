import type { BrokenCase } from "./broken-case.ts";

const tool = (policy: string): string => `tools: { calculator: { ${policy} } }\nstrategy: react\n`;

/** Faults of the policies of tools, at every level. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a policy that is none",
    spec: tool("timout: 3s"),
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 24]],
    suggestion: "did you mean `timeout`?",
  },
  {
    name: "a rate without a time",
    spec: tool("rateLimit: 10"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-RATE", 4, 35],
    ],
  },
  {
    name: "a rate of nothing",
    spec: tool("rateLimit: 0/1m"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-RATE", 4, 35],
    ],
  },
  {
    name: "a rate for a time without a unit",
    spec: "toolPolicy:\n  rateLimit: 10/60\ntools: [calculator]\nstrategy: react\n",
    found: [
      ["LW-SPEC-NOT-YET", 5, 3],
      ["LW-VALUE-RATE", 5, 14],
    ],
  },
  {
    name: "too many attempts",
    spec: tool("retry: 11"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-RANGE", 4, 31],
    ],
  },
  {
    name: "quoted attempts",
    spec: tool('retry: "3"'),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-NUMBER-EXPECTED", 4, 31],
    ],
  },
  {
    name: "a retry that is a list",
    spec: tool("retry: [3]"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-TYPE", 4, 31],
    ],
  },
  {
    name: "a retry without attempts",
    spec: tool("retry: { first: 1s }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-SPEC-MISSING-KEY", 4, 31],
    ],
  },
  {
    name: "a misspelt key of a retry",
    spec: tool("retry: { attempts: 3, fist: 1s }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-SPEC-UNKNOWN-KEY", 4, 46],
    ],
  },
  {
    name: "a first wait above the longest",
    spec: tool("retry: { attempts: 3, first: 9s, max: 2s }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-TOOL-POLICY", 4, 53],
    ],
  },
  {
    name: "a breaker without its rest",
    spec: tool("breaker: { failures: 3 }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-SPEC-MISSING-KEY", 4, 33],
    ],
  },
  {
    name: "a breaker that never rests",
    spec: tool("breaker: { failures: 0, rest: 0s }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-RANGE", 4, 45],
      ["LW-VALUE-RANGE", 4, 54],
    ],
  },
  {
    name: "a cool-down as a time",
    spec: tool("coolDown: 5s"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-NUMBER-EXPECTED", 4, 34],
    ],
  },
  {
    name: "a bare number for the time of an approval",
    spec: tool("approval: always, expires: 10"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 42],
      ["LW-VALUE-DURATION", 4, 51],
    ],
  },
  {
    name: "polls that are neither true nor false",
    spec: tool("polls: yes"),
    found: [["LW-VALUE-BOOLEAN-EXPECTED", 4, 31]],
    suggestion: "write `polls: true`",
  },
  {
    name: "no call at a time",
    spec: tool("maxParallel: 0"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-VALUE-RANGE", 4, 37],
    ],
  },
  {
    name: "a reason that is a number",
    spec: tool("approval: always, reason: 7"),
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 50]],
  },
  {
    name: "a secret in a reason",
    spec: tool('approval: always, reason: "${secret:KEY}"'),
    found: [["LW-SUBST-SECRET-PLACE", 4, 50]],
  },
  {
    name: "a reason that nobody reads",
    spec: tool("reason: It costs money."),
    found: [["LW-TOOL-POLICY", 4, 24]],
    suggestion: "add `approval: always`, or delete `reason`",
  },
  {
    name: "an expiry without an approval",
    spec: tool("expires: 10m"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-TOOL-POLICY", 4, 24],
    ],
  },
  {
    name: "polls and a repeat at once",
    spec: tool("polls: true, repeat: 2"),
    found: [["LW-TOOL-POLICY", 4, 37]],
    suggestion: "delete one of them",
  },
  {
    name: "another try of what must run once",
    spec: "tools: { orders/update-address: { retry: 3 } }\nstrategy: react\n",
    found: [
      ["LW-SPEC-NOT-YET", 4, 35],
      ["LW-TOOL-POLICY", 4, 35],
    ],
  },
  {
    name: "a cache of what changes something",
    spec: "tools: { orders/update-address: { cache: 1m } }\nstrategy: react\n",
    found: [["LW-TOOL-EFFECT", 4, 42]],
    suggestion: "delete `cache`",
  },
  {
    name: "model calls of a tool that asks no model",
    spec: tool("limits: { modelCalls: 3, toolCalls: 9 }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-TOOL-POLICY", 4, 34],
    ],
  },
  {
    name: "an unknown limit of a tool",
    spec: tool("limits: { calls: 3 }"),
    found: [
      ["LW-SPEC-NOT-YET", 4, 24],
      ["LW-SPEC-UNKNOWN-KEY", 4, 34],
    ],
  },
  {
    name: "a shared policy that is none",
    spec: "toolPolicy: { retries: 3 }\ntools: [calculator]\nstrategy: react\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 15]],
  },
];
