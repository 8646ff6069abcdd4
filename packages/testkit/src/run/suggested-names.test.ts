import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nearestNames } from "../../../core/src/spec/text/suggest.ts";
import { runScripted, toolOf } from "../promises/run-scripted.ts";
import { repositoryRoot } from "../specs/example-specs.ts";
import { type Damage, damageName, DAMAGES, seededRandom } from "./damage-name.ts";

const fixture = join(repositoryRoot, "fixtures/bfcl/tool-names.json");
const { names, tasks } = JSON.parse(readFileSync(fixture, "utf8")) as {
  readonly names: readonly string[];
  readonly tasks: readonly (readonly number[])[];
};
const lists = tasks.map((task) => task.map((index) => names[index] as string));
const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

/** One damaged name: what it was, and which names it is looked for in. */
interface Case {
  readonly name: string;
  readonly spoilt: string;
  readonly damage: Damage;
  readonly list: readonly string[];
}

interface Target {
  readonly name: string;
  readonly list: readonly string[];
  readonly known: ReadonlySet<string>;
}

/** Spoils names with one seed: the kinds take turns over the names, and over the seeds by `turn`. */
function spoil(targets: readonly Target[], seed: number, turn: number = seed): readonly Case[] {
  const random = seededRandom(seed);
  return targets.flatMap(({ name, list, known }, index) => {
    const damage = DAMAGES[(index + turn) % DAMAGES.length] as Damage;
    const spoilt = damageName(name, damage, known, random);
    return spoilt === undefined ? [] : [{ name, spoilt, damage, list }];
  });
}

/** Every name by which a tool may be called: a model is shown letters, digits, `_` and `-` alone. */
function namesOf(list: readonly string[]): ReadonlySet<string> {
  return new Set([...list, ...list.map((name) => name.replaceAll(/[^A-Za-z0-9_-]/g, "_"))]);
}

function shareRight(cases: readonly Case[]): number {
  const right = cases.filter(({ name, spoilt, list }) => nearestNames(spoilt, list)[0] === name);
  return right.length / cases.length;
}

function countsByKind(cases: readonly Case[]): readonly number[] {
  return DAMAGES.map((kind) => cases.filter(({ damage }) => damage === kind).length);
}

describe("a damaged name of a tool", () => {
  it("is answered first with the right one of its task's tools: 99 of 100 and more", () => {
    const targets = lists.flatMap((list) => {
      const known = namesOf(list);
      return list.map((name) => ({ name, list, known }));
    });
    const cases = seeds.flatMap((seed) => spoil(targets, seed));
    expect(cases).toHaveLength(targets.length * seeds.length);
    expect(new Set(countsByKind(cases)).size).toBe(1);
    expect(shareRight(cases)).toBeGreaterThanOrEqual(0.99);
  });

  it("is answered first with the right one of all 769 names: 95 of 100 and more", () => {
    expect(new Set(names).size).toBe(769);
    const known = namesOf(names);
    const targets = names.map((name) => ({ name, list: names, known }));
    // Every seed takes every fourth name: over all of them each name meets each kind of damage once.
    const cases = seeds.flatMap((seed) =>
      spoil(
        targets.filter((_, index) => index % 4 === seed % 4),
        seed,
        Math.floor((seed - 1) / 4),
      ),
    );
    expect(cases).toHaveLength(names.length * DAMAGES.length);
    expect(Math.max(...countsByKind(cases)) - Math.min(...countsByKind(cases))).toBeLessThan(20);
    expect(shareRight(cases)).toBeGreaterThanOrEqual(0.95);
  });

  it("is never dispatched: no tool runs, and the model reads the near names", async () => {
    let executed = 0;
    let suggested = 0;
    let asked = 0;
    const note = toolOf("note", () => ++executed);
    // A run for every fourth task: the names of all of them are looked at above.
    for (const [index, list] of lists.filter((_, at) => at % 4 === 0).entries()) {
      const known = namesOf(list);
      const random = seededRandom(1_000 + index);
      const spoilt = list.flatMap((name) =>
        DAMAGES.flatMap((damage) => {
          const found = damageName(name, damage, known, random);
          return found === undefined ? [] : [{ name, found }];
        }),
      );
      const calls = spoilt.map(({ found }) => ({ name: found, arguments: { item: "x" } }));
      const entries = list.map((name) => `${JSON.stringify(name)}: { use: note }`);
      const run = await runScripted(
        `tools: { ${entries.join(", ")} }\nstrategy: { react: { maxCallsPerStep: 20 } }\n`,
        [{ calls }, "done"],
        { plugins: [note] },
      );
      const { observations } = run.outcome.state;
      expect(observations).toHaveLength(spoilt.length);
      expect(observations.every(({ ok }) => !ok)).toBe(true);
      asked += spoilt.length;
      suggested += observations.filter(({ content }) => content.includes("did you mean")).length;
    }
    expect(executed).toBe(0);
    expect(suggested / asked).toBeGreaterThanOrEqual(0.99);
  });
});
