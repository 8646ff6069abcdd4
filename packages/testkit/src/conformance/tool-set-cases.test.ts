import {
  defineToolSet,
  type ListedTool,
  type ToolDefinition,
  ToolError,
  type ToolSet,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { type ToolSetConformance, toolSetCases } from "./tool-set-cases.ts";

const MANUAL = `Offers the arithmetic of one shop as tools of their own.
Use it for every sum that the answer rests on, also for easy ones.
Do not use it for fractions: write those down yourself.
Each tool returns one number; one that it can't give is an error that says so.`;

const halve: ListedTool = {
  name: "halve",
  description: "Halves a number.",
  input: { type: "object", properties: { number: { type: "integer" } } },
  effect: "read",
  run: ({ number }) => {
    if (typeof number === "number" && number % 2 === 0) return number / 2;
    throw new ToolError("tool-failed", `There is no half of this number; give an even one.`);
  },
};

function setOf(list: ToolSet["list"]): ToolDefinition {
  return defineToolSet({
    id: "sums",
    description: MANUAL,
    options: Type.Object({
      isThere: Type.Boolean({ description: "Whether the shop is open.", default: true }),
    }),
    create: ({ isThere }) => ({
      list: async (signal, note) => {
        signal.throwIfAborted();
        if (isThere) return await list(signal, note);
        throw new ToolError("tool-failed", "The shop is closed; come again tomorrow.");
      },
    }),
  });
}

const given: ToolSetConformance = {
  examples: [{ tool: "halve", input: { number: 4 }, matches: 2 }],
  badCall: { tool: "halve", input: { number: 3 } },
  unreachable: { isThere: false },
};

const listing = (changes: Partial<ListedTool>): ToolDefinition =>
  setOf(async () => [{ ...halve, ...changes }]);

let asked = 0;

const bad: Readonly<Record<string, readonly [ToolDefinition, string]>> = {
  "no set": [{ ...setOf(async () => [halve]), set: undefined } as never, "is declared as a set"],
  "an empty list": [setOf(async () => []), "lists tools with"],
  "a name with a space": [listing({ name: "a b" }), "lists tools with"],
  "no description": [listing({ description: "" }), "lists tools with"],
  "a broken schema": [listing({ input: { type: "nope" } }), "lists tools with"],
  "a tool twice": [setOf(async () => [halve, halve]), "lists tools with"],
  "another list each time": [
    setOf(async () => [{ ...halve, description: `Asked ${++asked} times.` }]),
    "lists the same",
  ],
  "a wrong answer": [listing({ run: () => 3 }), "answers its examples"],
  "no refusal": [listing({ run: ({ number }) => Number(number) / 2 }), "refuses a bad call"],
};

describe("the conformance suite of sets of tools", () => {
  it("finds nothing wrong with a good one", async () => {
    expect(
      await failuresOf(
        toolSetCases(
          setOf(async () => [halve]),
          given,
        ),
      ),
    ).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, [definition, found]) => {
    const failures = await failuresOf(toolSetCases(definition, given));
    expect(failures.join("\n")).toContain(found);
  });

  it("finds a set that lists nothing in silence where its source is not there", async () => {
    const silent = { ...given, unreachable: { isThere: true } };
    const failures = await failuresOf(
      toolSetCases(
        setOf(async () => [halve]),
        silent,
      ),
    );
    expect(failures.join("\n")).toContain("says plainly why nothing can be listed");
  });
});
