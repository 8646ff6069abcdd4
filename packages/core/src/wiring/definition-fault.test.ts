import { expect, test } from "vitest";
import type { PluginEntry, PluginKind } from "../contracts/plugin-definition.ts";
import { Type } from "../contracts/schema.ts";
import { generations } from "../contracts/bounds.ts";
import { defineStrategy } from "../contracts/strategy.ts";
import { defineTool } from "../contracts/tool.ts";
import { definitionFault } from "./definition-fault.ts";

const entry = (kind: PluginKind, id: string): PluginEntry => ({
  kind,
  id,
  load: () => Promise.reject(new Error("not loaded here")),
});

const tool = defineTool({
  id: "acme/search",
  description: "Searches.",
  options: Type.Object({}),
  input: Type.Object({}),
  effect: "read",
  create: () => () => "nothing",
});

const strategy = defineStrategy({
  id: "acme/twice",
  description: "Does it twice.",
  options: Type.Object({}),
  flow: { sets: ["answer"] },
  bounds: () => generations(2),
  run: async () => ({ answer: { text: "twice" } }),
});

test("finds no fault in what the define functions make", () => {
  expect(definitionFault(tool, entry("tool", "acme/search"))).toBeUndefined();
  expect(definitionFault(strategy, entry("strategy", "acme/twice"))).toBeUndefined();
});

test.each([
  [undefined, "tool", "acme/search", "its code defines nothing of the kind"],
  [tool, "tool", "acme/other", "its code defines the tool `acme/search`"],
  [{ ...tool, create: undefined }, "tool", "acme/search", "has no `create` (function)"],
  [{ ...tool, effect: "reed" }, "tool", "acme/search", "says the effect `reed`; it is one of read"],
  [
    { ...strategy, bounds: undefined },
    "strategy",
    "acme/twice",
    "no `bounds` (function); declare it with defineStrategy",
  ],
  [
    { ...strategy, flow: { sets: ["answer"] } },
    "strategy",
    "acme/twice",
    "has no `flow` (function)",
  ],
  [{ ...strategy, options: null }, "strategy", "acme/twice", "has no `options` (object)"],
] as const)("tells what breaks the contract", (definition, kind, id, words) => {
  expect(definitionFault(definition, entry(kind, id))).toContain(words);
});
