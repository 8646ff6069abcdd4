import {
  defineTool,
  defineToken,
  Fetch,
  type ToolDefinition,
  ToolError,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { type ToolConformance, toolCases } from "./tool-cases.ts";

const MANUAL = `Halves one whole number and says what is left.
Use it for every half that the answer rests on, also for easy ones.
Do not use it for fractions: write those down yourself.
It returns the half; a number that has none is an error that says so.`;

const good: ToolDefinition = defineTool({
  id: "halve",
  description: MANUAL,
  options: Type.Object({
    least: Type.Integer({ description: "The smallest number to halve.", default: 0 }),
  }),
  input: Type.Object({ number: Type.Integer({ description: "An even number." }) }),
  output: Type.Number(),
  effect: "read",
  inject: { fetch: Fetch },
  create:
    ({ least }) =>
    ({ number }) => {
      if (number % 2 === 0 && number >= least) return number / 2;
      throw new ToolError("tool-failed", `${number} has no half; give an even number.`);
    },
});
const examples: ToolConformance = {
  examples: [{ input: { number: 4 }, matches: 2 }],
  badInputs: [{ number: 3 }, { number: "4" }],
};

const failures = (changes: object, given: Partial<ToolConformance> = {}) =>
  failuresOf(toolCases({ ...good, ...changes }, { ...examples, ...given }));

const halve = (): ((input: { number: number }) => unknown) =>
  good.create({ least: 0 } as never, {} as never) as never;

let uses = 0;
const DESCRIBED = { description: "Any text will do here." };

const bad: Readonly<Record<string, { readonly fault: object; readonly found: string }>> = {
  "an id in capitals": { fault: { id: "Halve" }, found: "is a tool with an id" },
  "another kind": { fault: { kind: "check" }, found: "is a tool with an id" },
  "no sentence": { fault: { description: "halves" }, found: "is a tool with an id" },
  "a token made by hand": {
    fault: { inject: { it: { ...defineToken("a/b"), symbol: Symbol("a/b") } } },
    found: "asks for services by token",
  },
  "options that JSON can't hold": {
    fault: { options: Type.Object({ a: Type.Number({ ...DESCRIBED, default: Number.NaN }) }) },
    found: "has an options schema",
  },
  "options that ajv does not know": {
    fault: { options: Type.Object({ a: Type.String({ ...DESCRIBED, widget: "slider" }) }) },
    found: "has an options schema",
  },
  "an option without words": {
    fault: { options: Type.Object({ a: Type.Optional(Type.String()) }) },
    found: "describes every option",
  },
  "a default of another type": {
    fault: { options: Type.Object({ a: Type.Integer({ ...DESCRIBED, default: 1.5 }) }) },
    found: "has defaults that fit",
  },
  "no effect": { fault: { effect: "write" }, found: "says what it does to the world" },
  "a manual of one line": {
    fault: { description: "Halves one whole number." },
    found: "has a manual",
  },
  "an argument without words": {
    fault: { input: Type.Object({ number: Type.Integer() }) },
    found: "takes an object of arguments",
  },
  "arguments that are no object": {
    fault: { input: Type.Integer() },
    found: "takes an object of arguments",
  },
  "an output that ajv does not know": {
    fault: { output: Type.Number({ unit: "m" }) },
    found: "has an output schema",
  },
  "create that waits": {
    fault: { create: async () => halve() },
    found: "is created at once and opens nothing",
  },
  "create that fetches": {
    fault: {
      create: (_options: unknown, services: { fetch: typeof fetch }) => {
        services.fetch("https://example.com").catch(() => undefined);
        return halve();
      },
    },
    found: "is created at once and opens nothing",
  },
  "create that sets a timer": {
    fault: {
      create: () => {
        setTimeout(() => undefined, 1);
        return halve();
      },
    },
    found: "is created at once and opens nothing",
  },
  "a result beside its schema": {
    fault: { create: () => () => "two" },
    found: "answers its examples",
  },
  "a wrong result": { fault: { create: () => () => 3 }, found: "answers its examples" },
  "a result that JSON can't hold": {
    fault: { output: undefined, create: () => () => new Date(0) },
    found: "answers its examples",
  },
  "arguments that it changes": {
    fault: {
      create: () => (input: { number: number }) => {
        input.number /= 2;
        return input.number;
      },
    },
    found: "answers its examples",
  },
  "another result each time": {
    fault: { create: () => () => ++uses },
    found: "gives the same again",
  },
  "a failure as a result": {
    fault: { create: () => (input: { number: number }) => input.number / 2 },
    found: "refuses bad input",
  },
  "a slip of the code": {
    fault: {
      create: () => (input: { number: number }) => {
        if (input.number % 2 === 0) return input.number / 2;
        return (undefined as unknown as { half: number }).half;
      },
    },
    found: "refuses bad input",
  },
  "an abort that ruins it": {
    fault: {
      create: () => {
        let isBroken = false;
        return (input: { number: number }, { signal }: { signal: AbortSignal }) => {
          isBroken ||= signal.aborted;
          return isBroken ? "broken" : halve()(input);
        };
      },
    },
    found: "heeds an abort",
  },
};

describe("the suite of a tool", () => {
  it("passes a good tool", async () => {
    expect(await failures({})).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { fault, found }) => {
    expect(await failures(fault)).toContainEqual(expect.stringContaining(found));
  });

  it("has a bad tool for every case", () => {
    const names = toolCases(good, examples).map(({ name }) => name);
    const found = Object.values(bad).map((one) => one.found);
    expect(names.filter((name) => !found.some((part) => name.includes(part)))).toEqual([]);
  });

  it("wants examples and bad inputs", async () => {
    const empty = await failures({}, { examples: [], badInputs: [] });
    expect(empty).toEqual([
      expect.stringContaining("answers its examples"),
      expect.stringContaining("refuses bad input"),
    ]);
  });

  it("says which service a third party must give", async () => {
    const inject = { orders: defineToken("acme/orders") };
    const cases = toolCases({ ...good, inject }, examples);
    const opening = cases.find(({ name }) => name.includes("opens nothing"));
    expect(() => opening?.run()).toThrow(/acme\/orders; give `services/);
  });
});
