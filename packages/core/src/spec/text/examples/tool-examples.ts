import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-TOOL`. */
export const toolExamples: Readonly<Record<CodesOf<"LW-TOOL">, DiagnosticExample>> = {
  "LW-TOOL-UNKNOWN": {
    why: "A stage may call what the spec lists under `tools`, and this is not listed.",
    wrong: `tools: [calculator]
strategy:
  react: { tools: [calcualtor] }`,
    right: `tools: [calculator]
strategy:
  react: { tools: [calculator] }`,
  },
  "LW-TOOL-GLOB": {
    why: "A pattern that matches no tool leaves the stage with fewer than its author thinks.",
    wrong: `tools: [calculator]
strategy:
  react: { tools: [calculator, orders/*] }`,
    right: `tools: [calculator, orders/query]
strategy:
  react: { tools: [calculator, orders/*] }`,
  },
  "LW-TOOL-ONCE-IN-FAN-OUT": {
    why: "Several branches at one time could each do what must happen once. Whoever wants that says so by the tool's own name.",
    wrong: `tools: [orders/update-address]
strategy:
  self-consistency: { do: { react: { tools: all } } }`,
    right: `tools: [orders/update-address, orders/query]
strategy:
  self-consistency: { do: { react: { tools: read } } }`,
  },
  "LW-TOOL-LOOSENED-POLICY": {
    why: "A stage may be stricter with a tool than the spec, never looser: the spec's policy is what a reader relies on.",
    wrong: `tools: [orders/update-address]
strategy:
  react: { tools: { orders/update-address: { approval: never } } }`,
    right: `tools: [orders/update-address]
strategy:
  react: { tools: { orders/update-address: { approval: always } } }`,
  },
  "LW-TOOL-LOOSENED-APPROVAL": {
    why: "The tool does something anew with every call, and nobody is asked any more.",
    wrong: `tools: { orders/update-address: { approval: never } }
strategy: react`,
    right: `tools: { orders/update-address: { approval: always } }
strategy: react`,
  },
  "LW-TOOL-OPTIONS": {
    why: "The options of the tool do not fit each other, or can't be used as they stand.",
    wrong: `tools: { http-get: { input: { city: string } } }
strategy: react`,
    right: `tools: { weather: { use: http-get, url: "https://example.com/weather", input: { city: string } } }
strategy: react`,
  },
  "LW-TOOL-EFFECT": {
    why: "The policy makes sense only for tools that change nothing.",
    wrong: `tools: { orders/update-address: { cache: 5s } }
strategy: react`,
    right: `tools: { orders/query: { cache: 5s } }
strategy: react`,
  },
  "LW-TOOL-FALLBACK": {
    why: "What stands in for a tool is another one that takes the same arguments, or a text; never the tool itself, also by way of others.",
    wrong: `tools:
  calculator: { fallback: rough }
  rough: { use: calculator, fallback: calculator }
strategy: react`,
    right: `tools:
  calculator: { fallback: rough }
  rough: { use: calculator, fallback: Say that the sum is open. }
strategy: react`,
  },
  "LW-TOOL-NO-MANUAL": {
    why: "The description is all that a model knows of a tool: what it is for, when to use it, when not, what comes back.",
    wrong: `tools: { calculator: { description: Calculates. } }
strategy: react`,
    right: `tools: [calculator]
strategy: react`,
  },
  "LW-TOOL-ONCE-SAMPLED": {
    why: "Each of the branches may do what must happen once: five samples could change an address five times.",
    wrong: `tools: [orders/update-address]
strategy:
  self-consistency: { do: { react: { tools: [orders/update-address] } } }`,
    right: `tools: [orders/query]
strategy:
  self-consistency: { do: { react: { tools: [orders/query] } } }`,
  },
  "LW-TOOL-POLICY": {
    why: "The policy can never take effect as it stands, so its author believes in something that does not hold.",
    wrong: `tools: { calculator: { expires: 1h } }
strategy: react`,
    right: `tools: { calculator: { approval: always, expires: 1h } }
strategy: react`,
  },
};
