import { readdirSync } from "node:fs";
import { type CheckResult, createApp, formatDiagnostic } from "@loopwright/core";
import { strategies } from "@loopwright/strategies";
import { describe, expect, it } from "vitest";
import { unbalanced } from "../events.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";
import { replying, runExample } from "./run-example.ts";

const ids = strategies.entries.map(({ id }) => id);

const POINTS = `1. Move often: Stand up every half an hour.
2. Raise the screen: Its upper edge is at the height of your eyes.
3. Feet on the floor: A stool helps where the chair is too high.`;

/** What each run comes to: the value where an output is declared, else the text. */
const ENDS: Readonly<Record<string, unknown>> = {
  direct: { mood: "negative" },
  "chain-of-thought": { rolls: 75 },
  plan: expect.stringContaining("[ ] Pack books and kitchen."),
  "plan-and-solve": { tins: 5, cost: 95 },
  react: expect.stringContaining("5 % of the comments [observation-2]"),
  rewoo: "Five tins [observation-1] [observation-2].",
  "plan-graph": expect.stringContaining("[observation-2] [observation-3]"),
  abduce: expect.stringContaining("The pool of connections is empty"),
  "least-to-most": "3",
  "step-back": "The pressure doubles.",
  outline: "- It began at nine.\n- Three offers for the lift.\n- Two new trees.",
  skeleton: POINTS,
  "program-aided": { count: 3 },
  extract: { order: "A20260824002", day: "2026-08-24", wish: "a new jacket" },
  verify: "On Friday the library closes at 3 p.m.",
  refine: "On Friday the library closes at 3 p.m.",
  reflect: "Basel, Mainz, Cologne",
  recall: "Basel, Mainz, Cologne",
  "self-consistency": "5",
  loop: "Basel, Mainz, Cologne",
  branch: "It asks to repair the lift before Monday.",
  choose: expect.stringContaining("your refund"),
  parallel: expect.stringContaining("trial month"),
  "for-each": "Good morning, Ada, Grace and Alan!",
  fallback: "Good morning",
  agent: "negative",
  ask: expect.stringContaining("four inside"),
  stop: "No source names a person.",
};

const yamlIn = (folder: string): readonly string[] =>
  readdirSync(specFile(folder)).filter((name) => name.endsWith(".yaml"));

it("every strategy has a spec of its name, and nothing else has one", () => {
  expect(yamlIn("strategies").toSorted()).toEqual(ids.map((id) => `${id}.yaml`).toSorted());
});

it("every script belongs to a spec of its name", () => {
  const specs = yamlIn("strategies");
  expect(yamlIn("scripts/strategies").filter((name) => !specs.includes(name))).toEqual([]);
});

describe.each(ids)("specs/strategies/%s.yaml", (id) => {
  it("checks without an error or a warning", async () => {
    const { diagnostics, sources } = await check(id);
    expect(diagnostics.map((found) => formatDiagnostic(found, sources.get(found.file)))).toEqual(
      [],
    );
  });

  it("runs the strategy to an end within its bounds", async () => {
    const { outcome, events } = await runExample(`strategies/${id}.yaml`, { onRun: replying() });
    expect(outcome).toMatchObject({ outcome: "done" });
    expect(outcome.value ?? outcome.answer.text).toEqual(ENDS[id]);
    expect(unbalanced(events)).toEqual([]);
    const ran = events.flatMap((event) =>
      event.name === "stage.start" && event.data.strategy === id ? [event.key] : [],
    );
    expect(ran).not.toEqual([]);
    const { program } = await check(id);
    const [, most] = program?.bounds.requests ?? [0, 0];
    expect(outcome.spending.modelCalls).toBeLessThanOrEqual(most);
  });
});

async function check(id: string): Promise<CheckResult> {
  const app = await createApp({
    plugins: builtIn,
    discovery: false,
    root: repositoryRoot,
    env: {},
  });
  try {
    return await app.check({ file: specFile(`strategies/${id}.yaml`) });
  } finally {
    await app.close();
  }
}
