import type { CodesOf, DiagnosticExample } from "./diagnostic-example.ts";

/** Examples of the codes that begin with `LW-PLUGIN`. */
export const pluginExamples: Readonly<Record<CodesOf<"LW-PLUGIN">, DiagnosticExample>> = {
  "LW-PLUGIN-UNKNOWN": {
    why: "Nothing that is installed here has this id. It is misspelt, or its package is missing.",
    wrong: "strategy: driect",
    right: "strategy: direct",
  },
  "LW-PLUGIN-AMBIGUOUS": {
    why: "A short id is enough while one plugin has it; with two the scope says which.",
    wrong: `tools: [search]
strategy: react`,
    right: `tools: [acme/search]
strategy: react`,
  },
  "LW-PLUGIN-KIND": {
    why: "The plugin exists, and does something else than its place needs.",
    wrong: "strategy: calculator",
    right: `tools: [calculator]
strategy: react`,
  },
  "LW-PLUGIN-BROKEN": {
    why: "The plugin's code can't be loaded, or does not keep its kind's contract.",
    wrong: `tools: [acme/broken]
strategy: react`,
    right: `tools: [acme/search]
strategy: react`,
  },
  "LW-PLUGIN-VERSION": {
    why: "A spec that says which package it was written for is not run with another one.",
    wrong: 'plugins: ["@acme/loopwright-search@^2.0.0"]',
    right: 'plugins: ["@acme/loopwright-search@^1.0.0"]',
  },
  "LW-PLUGIN-SERVICES": {
    why: "The plugin works with a service, such as a database, that neither its package nor the host provides.",
    wrong: `tools: [acme/ledger]
strategy: react`,
    right: `tools: [acme/search]
strategy: react`,
  },
};
