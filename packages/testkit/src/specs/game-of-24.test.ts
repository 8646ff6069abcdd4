import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { checks } from "@loopwright/checks";
import { type App, createApp, type RunOutcome } from "@loopwright/core";
import type { CheckContext, CheckDefinition } from "@loopwright/core/plugin";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

/** What the product makes of one puzzle. */
interface Played {
  readonly puzzle: string;
  readonly outcome: RunOutcome;
  /** Whether the check takes each sample for right, in their order. */
  readonly rewards: readonly boolean[];
}

// The published log has these rewards; see specs/scripts/SOURCE.md.
const PUBLISHED = { majorityRight: 9, rightSamples: 403, solvedBySome: 49 };

describe("the hundred published puzzles", () => {
  let app: App;
  let played: readonly Played[];

  beforeAll(async () => {
    app = await createApp({ plugins: builtIn, discovery: false, root: repositoryRoot, env: {} });
    played = await playAll(app);
  }, 120_000);
  afterAll(() => app.close());

  it("ends every run with a verdict after a hundred calls", () => {
    expect(played).toHaveLength(100);
    for (const { outcome } of played) {
      expect(outcome).toMatchObject({ outcome: "done", spending: { modelCalls: 100, usd: 0 } });
      expect(outcome.state.candidates).toHaveLength(100);
    }
  });

  it("is right by a plain majority as often as published", () => {
    const right = played.filter(({ outcome }) => outcome.verified === "pass");
    expect(right).toHaveLength(PUBLISHED.majorityRight);
    expect(right.map(({ puzzle }) => puzzle)).toContain("4 5 6 10");
  });

  it("finds as many right samples as published", () => {
    const rewards = played.flatMap((one) => one.rewards);
    expect(rewards).toHaveLength(10_000);
    expect(rewards.filter(Boolean)).toHaveLength(PUBLISHED.rightSamples);
    const solved = played.filter((one) => one.rewards.includes(true));
    expect(solved).toHaveLength(PUBLISHED.solvedBySome);
  });

  it("judges a winner as it judges the sample that it is", () => {
    for (const { outcome, rewards } of played) {
      const texts = outcome.state.candidates.map(({ text }) => text);
      const reward = rewards[texts.indexOf(outcome.answer.text)];
      expect(outcome.verified).toBe(reward === true ? "pass" : "revise");
    }
  });
});

async function playAll(app: App): Promise<readonly Played[]> {
  const program = await app.compile({ file: specFile("game-of-24.yaml") });
  const arithmetic = await loadArithmetic();
  const played: Played[] = [];
  for (const puzzle of readPuzzles()) {
    const numbers = puzzle.split(" ").map(Number);
    const outcome = await app.start(program, { inputs: { numbers } }).outcome;
    const rewards = await Promise.all(
      outcome.state.candidates.map(({ text }) => isRight(arithmetic, outcome, text, numbers)),
    );
    played.push({ puzzle, outcome, rewards });
  }
  return played;
}

function readPuzzles(): readonly string[] {
  const text = gunzipSync(readFileSync(specFile("scripts/game24.json.gz"))).toString("utf8");
  const script = JSON.parse(text) as { readonly table: { readonly samples: object } };
  return Object.keys(script.table.samples);
}

async function loadArithmetic(): Promise<CheckDefinition> {
  const entry = checks.entries.find(({ id }) => id === "arithmetic");
  return (await entry?.load()) as CheckDefinition;
}

/** Judges one sample with the check of the spec. */
async function isRight(
  check: CheckDefinition,
  { state }: RunOutcome,
  text: string,
  uses: readonly number[],
): Promise<boolean> {
  const options = { equals: 24, uses, tolerance: 0 };
  const sampled = { ...state, answer: { ...state.answer, text } };
  const { issues } = await check.run(sampled, noTools, options as never, {} as never);
  return issues.length === 0;
}

const noTools: CheckContext = {
  evaluate: () => null,
  callTools: async () => [],
};
