import { expect, it } from "vitest";
import { compileText, stubPlugins } from "../../test/stub-plugins.ts";
import { defineMemory } from "../contracts/memory.ts";
import { Type } from "../contracts/schema.ts";
import { type LaunchCheck, launchChecks } from "./launch-checks.ts";
import type { Found, PluginSource } from "./plugin-source.ts";

const HEAD = "apiVersion: loopwright/v1\nname: desk\nmodel: ollama/small\n";

/** Memories whose options say nothing of `ttl`, or leave it to the spec. */
const memories = [{}, { ttl: Type.Optional(Type.String()) }].map((options, index) =>
  defineMemory({
    id: ["endless", "patient"][index] ?? "",
    description: "A stub.",
    options: Type.Object(options),
    create: () => {
      throw new Error("a stub does not run");
    },
  }),
);

const plugins: PluginSource = {
  ids: (kind) => stubPlugins.ids(kind),
  find: async (kind, id) => {
    const own = memories.find((memory) => kind === "memory" && memory.id === id);
    if (own === undefined) return stubPlugins.find(kind, id);
    return { status: "found", id, package: "stubs", definition: own } as unknown as Found<
      typeof kind
    >;
  },
};

async function checksOf(spec: string): Promise<Readonly<Record<string, LaunchCheck>>> {
  const { program, index, diagnostics } = await compileText(HEAD + spec, { root: "/tmp", plugins });
  if (program === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  const checks = launchChecks(program, index.root);
  return Object.fromEntries(checks.map((check) => [check.id, check]));
}

/** `pass` or `fail` with the line, and what is said. */
async function said(spec: string, id: LaunchCheck["id"]): Promise<readonly [string, string]> {
  const check = (await checksOf(spec))[id];
  return [`${check?.isPassed === true ? "pass" : "fail"} ${check?.at.line}`, check?.text ?? ""];
}

it("are six, always in one order", async () => {
  expect(Object.keys(await checksOf("strategy: direct\n"))).toEqual([
    "loops",
    "permissions",
    "outputs",
    "verifiers",
    "memory",
    "cases",
  ]);
});

it.each([
  ["no limits", "strategy: direct\n", "fail 1", "no limit on what a run costs"],
  [
    "a limit on time alone",
    "strategy: direct\nlimits: { time: 1m }\n",
    "fail 5",
    "add modelCalls (at most ",
  ],
  [
    "a limit on calls alone",
    "strategy: direct\nlimits: { modelCalls: 9 }\n",
    "fail 5",
    "no limit on how long a run takes",
  ],
  [
    "limits on both",
    "strategy: direct\nlimits: { modelCalls: 9, workTime: 1m }\n",
    "pass 5",
    "under limits on modelCalls, workTime",
  ],
])("loops: %s", async (_name, spec, verdict, text) => {
  const [found, words] = await said(spec, "loops");
  expect(found).toBe(verdict);
  expect(words).toContain(text);
});

it.each([
  ["a tool that reads", "tools: [calculator]\nstrategy: react\n", "pass 4"],
  ["a once tool asks by itself", "tools: [orders/update-address]\nstrategy: react\n", "pass 4"],
  [
    "a once tool that asks nobody",
    "tools:\n  calculator: {}\n  orders/update-address: { approval: never }\nstrategy: react\n",
    "fail 6",
  ],
  [
    "a once tool with a rule before it",
    "tools:\n  orders/update-address: { approval: never, deny: { when: args.orderId == '1' } }\nstrategy: react\n",
    "pass 4",
  ],
  [
    "a stage that asks where the spec does not",
    "tools:\n  orders/update-address: { approval: never }\nstrategy: { react: { tools: { orders/update-address: { approval: always } } } }\n",
    "pass 4",
  ],
  [
    "an open tool that no stage may call",
    "tools:\n  calculator: {}\n  orders/update-address: { approval: never }\nstrategy: { react: { tools: [calculator] } }\n",
    "pass 4",
  ],
])("permissions: %s", async (_name, spec, verdict) => {
  expect((await said(spec, "permissions"))[0]).toBe(verdict);
});

it.each([
  ["fixed instructions", "instructions: Be brief.\nstrategy: direct\n", "pass 4"],
  [
    "an input in the instructions",
    'inputs: { mail: string }\ninstructions: "Mail: {{ inputs.mail }}"\nstrategy: direct\n',
    "fail 5",
  ],
  [
    "an answer in a stage's instructions",
    'strategy:\n  - direct\n  - plan: { instructions: "It is {{ answer.text }}" }\n',
    "fail 6",
  ],
  [
    "an input in the task",
    'inputs: { mail: string }\ntask: "Mail: {{ inputs.mail }}"\nstrategy: direct\n',
    "pass 1",
  ],
])("outputs: %s", async (_name, spec, verdict) => {
  expect((await said(spec, "outputs"))[0]).toBe(verdict);
});

const RULE = "{ rule: { expr: answer.solvable, message: No. } }";

it.each([
  ["nobody looks at the answer", "strategy: direct\n", "fail 4"],
  ["the author alone judges", "strategy:\n  - direct\n  - verify\n", "fail 6"],
  [
    "another model judges",
    "models: { judge: ollama/big }\nstrategy:\n  - direct\n  - verify: { model: judge }\n",
    "pass 7",
  ],
  ["a check judges", `strategy:\n  - direct\n  - verify: { checks: [${RULE}] }\n`, "pass 6"],
  [
    "the output is checked",
    `strategy: direct\noutput: { fields: { a: string }, checks: [${RULE}] }\n`,
    "pass 5",
  ],
])("verifiers: %s", async (_name, spec, verdict) => {
  expect((await said(spec, "verifiers"))[0]).toBe(verdict);
});

it.each([
  ["no memory", "strategy: direct\n", "pass 1", "nothing is kept"],
  [
    "one that never expires",
    "strategy: direct\nmemory:\n  lessons: { use: patient }\n",
    "fail 6",
    "give it a `ttl`",
  ],
  [
    "one that can't expire",
    "strategy: direct\nmemory:\n  lessons: { use: endless }\n",
    "fail 6",
    "use a memory that does",
  ],
  [
    "one that expires",
    "strategy: direct\nmemory:\n  lessons: { use: file, path: l.jsonl, ttl: 90d }\n",
    "pass 5",
    "expires",
  ],
])("memory: %s", async (_name, spec, verdict, text) => {
  const [found, words] = await said(spec, "memory");
  expect(found).toBe(verdict);
  expect(words).toContain(text);
});

it("cases: a spec that names none is told to, at its first line", async () => {
  const [found, words] = await said("strategy: direct\n", "cases");
  expect(found).toBe("fail 1");
  expect(words).toContain("`cases:`");
});
