import { defineMemory, defineTool, Type } from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { calling, runScripted, toolOf } from "./run-scripted.ts";

const stock = defineTool({
  id: "stock",
  description: "How much of an item there is.",
  options: Type.Object({}),
  input: Type.Object({ item: Type.String() }),
  effect: "read",
  create:
    () =>
    ({ item }) =>
      `${item}: 4`,
});

const REACT = "tools: [stock]\nstrategy: { react: { maxSteps: 3 } }\n";

describe("promise 3: nothing throws out of a run", () => {
  // openai-agents-js#887, TanStack/ai#1131, langchainjs#11154, verifiers#1763, vercel/ai#13657
  it.each([
    '{"a":',
    "null",
    "[1]",
    '"x"',
    '{"item":"nut"}{"item":"bolt"}',
    '{"item":4}',
    "{}",
    "",
    '{"__proto__":{"item":"nut"}}',
  ])(
    "arguments %j become an error result for that call, and the next step succeeds",
    async (text) => {
      const { outcome, requests, events } = await runScripted(
        REACT,
        [
          { calls: [{ name: "stock", arguments: text, id: "call_x" }] },
          { calls: [{ name: "stock", arguments: { item: "nut" }, id: "call_y" }] },
          { text: "4 [observation-2]" },
        ],
        { plugins: [stock] },
      );
      const results = requests[2]?.messages.filter((message) => message.role === "tool");
      expect(results).toMatchObject([
        { callId: "call_x", ok: false, text: expect.stringMatching(/arguments/) as string },
        // The words for the last step stand behind the last result.
        {
          callId: "call_y",
          ok: true,
          text: expect.stringContaining(`${shown("observation-2", "nut: 4")}\n\nStep 3`) as string,
        },
      ]);
      expect(outcome).toMatchObject({ outcome: "done", answer: { evidence: ["observation-2"] } });
      expect(unbalanced(events)).toEqual([]);
    },
  );

  it("names the path and the reason where arguments do not fit", async () => {
    const { requests } = await runScripted(
      REACT,
      [{ calls: [{ name: "stock", arguments: { item: 4 } }] }, "4"],
      { plugins: [stock] },
    );
    expect(requests[1]?.messages.at(-1)?.text).toMatch(/`item` is 4, not string/);
  });

  const circular: { self?: unknown } = {};
  circular.self = circular;
  const faults: readonly (readonly [string, () => unknown])[] = [
    [
      "throws at once",
      () => {
        throw new Error("broken");
      },
    ],
    [
      "throws no error",
      () => {
        throw undefined;
      },
    ],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["returns what is no JSON", () => circular],
    ["returns a number too large for JSON", () => 10n],
  ];
  it.each(faults)("a tool that %s fails for the model alone", async (_name, act) => {
    const { outcome, requests, events } = await runScripted(
      "tools: [bad]\nstrategy: react\n",
      [calling("bad", "x"), "sorry"],
      { plugins: [toolOf("bad", act)] },
    );
    expect(requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", ok: false });
    expect(outcome).toMatchObject({ outcome: "done", answer: { text: "sorry" } });
    expect(unbalanced(events)).toEqual([]);
  });

  it("a tool that returns nothing says so", async () => {
    const { requests } = await runScripted(
      "tools: [bad]\nstrategy: react\n",
      [calling("bad", "x"), "fine"],
      { plugins: [toolOf("bad", () => undefined)] },
    );
    const told = requests[1]?.messages.at(-1)?.text ?? "";
    expect(told.startsWith(`${shown("observation-1", "no result", "bad")}\n\n`)).toBe(true);
  });

  it("a policy that can't be computed for the arguments refuses the call", async () => {
    const order = defineTool({
      id: "order",
      description: "Orders.",
      options: Type.Object({}),
      input: Type.Object({ amount: Type.Optional(Type.Number()) }),
      effect: "idempotent",
      create: () => () => "ordered",
    });
    const { outcome, requests } = await runScripted(
      "tools: { order: { deny: { when: args.amount > 10 } } }\nstrategy: react\n",
      [{ calls: [{ name: "order" }, { name: "order", arguments: { amount: 2 } }] }, "done"],
      { plugins: [order] },
    );
    const results = requests[1]?.messages.filter((message) => message.role === "tool");
    expect(results).toMatchObject([{ ok: false }, { ok: true }]);
    expect(outcome.outcome).toBe("done");
  });

  it("a memory that fails costs the lessons, not the run", async () => {
    const fail = (): never => {
      throw new Error("disk full");
    };
    const broken = defineMemory({
      id: "broken",
      description: "Fails.",
      options: Type.Object({}),
      create: () => ({ recall: fail, add: fail, list: fail, remove: fail, prune: fail }),
    });
    const { outcome, events } = await runScripted(
      "memory: { notes: { use: broken } }\nstrategy:\n  - recall: { from: notes }\n  - direct\n  - reflect: { into: notes }\n",
      ["hello", { json: { trigger: "t", failurePattern: "f", lesson: "l", avoid: "a" } }],
      { plugins: [broken] },
    );
    expect(outcome.outcome).toBe("done");
    const told = events.filter((event) => event.name === "memory.failed").map(({ data }) => data);
    const fault = { memory: "notes", code: "memory-failed", message: "disk full" };
    expect(told).toEqual([fault, fault]);
  });
});

/** An observation as a model reads it. */
function shown(id: string, content: string, tool = "stock"): string {
  return `<observation id="${id}" tool="${tool}">\n${content}\n</observation>`;
}
