import type { BrokenCase } from "./broken-case.ts";

const tool = (policy: string): string => `tools: { calculator: { ${policy} } }\nstrategy: react\n`;

/** Faults of the policies of tools, at every level. */
export const cases: readonly BrokenCase[] = [
  {
    name: "a policy that is none",
    spec: tool("timout: 3s"),
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 24]],
    fixes: ["did you mean `timeout`?"],
  },
  {
    name: "a rate without a time",
    spec: tool("rateLimit: 10"),
    found: [["LW-VALUE-RATE", 4, 35]],
    fixes: ["write `rateLimit: 10/1m`"],
  },
  {
    name: "a rate of nothing",
    spec: tool("rateLimit: 0/1m"),
    found: [["LW-VALUE-RATE", 4, 35]],
    fixes: ["write a count and a time, like 10/1m"],
  },
  {
    name: "a rate for a time without a unit",
    spec: "toolPolicy:\n  rateLimit: 10/60\ntools: [calculator]\nstrategy: react\n",
    found: [["LW-VALUE-RATE", 5, 14]],
    fixes: ["write `rateLimit: 10/60s`"],
  },
  {
    name: "too many attempts",
    spec: tool("retry: 11"),
    found: [["LW-VALUE-RANGE", 4, 31]],
    fixes: ["write `retry: 10` or less"],
  },
  {
    name: "quoted attempts",
    spec: tool('retry: "3"'),
    found: [["LW-VALUE-NUMBER-EXPECTED", 4, 31]],
    fixes: ["write `retry: 3`"],
  },
  {
    name: "a retry that is a list",
    spec: tool("retry: [3]"),
    found: [["LW-VALUE-TYPE", 4, 31]],
    fixes: ["write `retry: 3`"],
  },
  {
    name: "a retry without attempts",
    spec: tool("retry: { first: 1s }"),
    found: [["LW-SPEC-MISSING-KEY", 4, 31]],
    fixes: ["add `attempts: 3`"],
  },
  {
    name: "a misspelt key of a retry",
    spec: tool("retry: { attempts: 3, fist: 1s }"),
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 46]],
    fixes: ["did you mean `first`?"],
  },
  {
    name: "a first wait above the longest",
    spec: tool("retry: { attempts: 3, first: 9s, max: 2s }"),
    found: [["LW-TOOL-POLICY", 4, 53]],
    fixes: ["write a `first` of at most 2s"],
  },
  {
    name: "a breaker without its rest",
    spec: tool("breaker: { failures: 3 }"),
    found: [["LW-SPEC-MISSING-KEY", 4, 33]],
    fixes: ["add `rest: 5s`"],
  },
  {
    name: "a breaker that never rests",
    spec: tool("breaker: { failures: 0, rest: 0s }"),
    found: [
      ["LW-VALUE-RANGE", 4, 45],
      ["LW-VALUE-RANGE", 4, 54],
    ],
    fixes: ["write `failures: 1` or more", "write more than 0, like `rest: 5s`"],
  },
  {
    name: "a cool-down as a time",
    spec: tool("coolDown: 5s"),
    found: [["LW-VALUE-NUMBER-EXPECTED", 4, 34]],
    fixes: ["write `coolDown: 5`"],
  },
  {
    name: "a bare number for the time of an approval",
    spec: tool("approval: always, expires: 10"),
    found: [["LW-VALUE-DURATION", 4, 51]],
    fixes: ["write `expires: 10s`"],
  },
  {
    name: "polls that are neither true nor false",
    spec: tool("polls: yes"),
    found: [["LW-VALUE-BOOLEAN-EXPECTED", 4, 31]],
    fixes: ["write `polls: true`"],
  },
  {
    name: "no call at a time",
    spec: tool("maxParallel: 0"),
    found: [["LW-VALUE-RANGE", 4, 37]],
    fixes: ["write `maxParallel: 1` or more"],
  },
  {
    name: "a reason that is a number",
    spec: tool("approval: always, reason: 7"),
    found: [["LW-VALUE-TEXT-EXPECTED", 4, 50]],
    fixes: ['write `reason: "7"`'],
  },
  {
    name: "a secret in a reason",
    spec: tool('approval: always, reason: "${secret:KEY}"'),
    found: [["LW-SUBST-SECRET-PLACE", 4, 50]],
    fixes: [
      "take it out; a secret goes into a field that its plugin marks as secret, like `apiKey` of a model",
    ],
  },
  {
    name: "a reason that nobody reads",
    spec: tool("reason: It costs money."),
    found: [["LW-TOOL-POLICY", 4, 24]],
    fixes: ["add `approval: always`, or delete `reason`"],
  },
  {
    name: "an expiry without an approval",
    spec: tool("expires: 10m"),
    found: [["LW-TOOL-POLICY", 4, 24]],
    fixes: ["add `approval: always`, or delete `expires`"],
  },
  {
    name: "polls and a repeat at once",
    spec: tool("polls: true, repeat: 2"),
    found: [["LW-TOOL-POLICY", 4, 37]],
    fixes: ["delete `polls` or `repeat`"],
  },
  {
    name: "another try of what must run once",
    spec: "tools: { orders/update-address: { retry: 3 } }\nstrategy: react\n",
    found: [["LW-TOOL-POLICY", 4, 35]],
    fixes: ["delete `retry`"],
  },
  {
    name: "a cache of what changes something",
    spec: "tools: { orders/update-address: { cache: 1m } }\nstrategy: react\n",
    found: [["LW-TOOL-EFFECT", 4, 42]],
    fixes: ["delete `cache`"],
  },
  {
    name: "model calls of a tool that asks no model",
    spec: tool("limits: { modelCalls: 3, toolCalls: 9 }"),
    found: [["LW-TOOL-POLICY", 4, 34]],
    fixes: ["delete `modelCalls`"],
  },
  {
    name: "an unknown limit of a tool",
    spec: tool("limits: { calls: 3 }"),
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 34]],
    fixes: ["did you mean `toolCalls` or `modelCalls`?"],
  },
  {
    name: "a shared policy that is none",
    spec: "toolPolicy: { retries: 3 }\ntools: [calculator]\nstrategy: react\n",
    found: [["LW-SPEC-UNKNOWN-KEY", 4, 15]],
    fixes: [
      "known: approval, deny, timeout, cache, maxResult, fallback, repeat, polls, reason, retry, rateLimit, breaker, coolDown, maxParallel, limits, expires",
    ],
  },
];
