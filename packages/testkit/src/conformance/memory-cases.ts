import {
  Clock,
  type Lesson,
  type LessonQuery,
  type Memory,
  type MemoryDefinition,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type TestClock, testClock } from "../test-clock.ts";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { unlikeJson, withDefaults } from "./json-schema.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** What a memory is tried with. */
export interface MemoryConformance {
  /** The options of one place; every call names a fresh, empty one. */
  readonly options?: () => Readonly<Record<string, unknown>>;
  /** Services beside the clock, which is the suite's own. */
  readonly services?: () => ServiceValues;
  /** Whether two instances with the same options keep the same lessons. */
  readonly isShared: boolean;
}

type Draft = Omit<Lesson, "id" | "uses">;

const START = Date.UTC(2026, 7, 24);
const HOUR = 3_600_000;
const QUERY: LessonQuery = { text: "where is my parcel", scope: "desk", max: 5 };

/** The conformance suite of a memory. */
export function describeMemory(definition: MemoryDefinition, given: MemoryConformance): void {
  describeCases(`memory ${definition.id}`, memoryCases(definition, given));
}

/** What a memory promises. */
export function memoryCases(
  definition: MemoryDefinition,
  given: MemoryConformance,
): readonly ConformanceCase[] {
  const place = openPlaces(definition, given);
  return [
    ...definitionCases(definition, "memory"),
    {
      name: "is created at once and opens nothing",
      run: () => {
        const options = withDefaults(definition.options, given.options?.());
        const services = servicesWith(definition, given, testClock(START));
        createQuietly(definition.inject, services, (watched) =>
          definition.create(options as never, watched as never),
        );
      },
    },
    ...keepingCases(place),
    ...recallCases(place),
    ...sharingCases(place, given.isShared),
  ];
}

interface Place {
  readonly clock: TestClock;
  /** Another instance of the same place. */
  readonly open: () => Memory;
}

function openPlaces(definition: MemoryDefinition, given: MemoryConformance): () => Place {
  return () => {
    const clock = testClock(START);
    const options = withDefaults(definition.options, given.options?.());
    return {
      clock,
      open: () =>
        definition.create(options as never, servicesWith(definition, given, clock) as never),
    };
  };
}

function servicesWith(
  definition: MemoryDefinition,
  given: MemoryConformance,
  clock: TestClock,
): ServiceValues {
  const clocks = Object.entries(definition.inject)
    .filter(([, token]) => token.symbol === Clock.symbol)
    .map(([name]) => [name, clock] as const);
  return servicesFor(definition.inject, {
    ...given.services?.(),
    ...Object.fromEntries(clocks),
  });
}

function keepingCases(place: () => Place): readonly ConformanceCase[] {
  return [
    {
      name: "keeps what it is given, under an id of its own, unused",
      run: async () => {
        const memory = place().open();
        const { added, lesson } = await memory.add(deepFreeze(draft("parcel", "read the order")));
        expect(added).toBe(true);
        expect(lesson).toMatchObject({ ...draft("parcel", "read the order"), uses: 0 });
        expect(lesson.id).toMatch(/\S/);
        expect(await memory.list()).toEqual([lesson]);
        const other = await memory.add(draft("refund", "name the policy"));
        expect(other.lesson.id).not.toBe(lesson.id);
        expect(unlikeJson(await memory.list())).toEqual([]);
      },
    },
    {
      name: "refuses a lesson that says the same, and names the one it keeps",
      run: async () => {
        const memory = place().open();
        const { lesson } = await memory.add(draft("parcel", "read the order"));
        const again = await memory.add(draft("  Parcel", "Read the order."));
        expect(again).toEqual({ added: false, lesson });
        expect(await memory.list()).toHaveLength(1);
      },
    },
    {
      name: "removes by id and tells whether there was one",
      run: async () => {
        const memory = place().open();
        expect(await memory.remove("no-such-id")).toBe(false);
        const { lesson } = await memory.add(draft("parcel", "read the order"));
        expect(await memory.remove(lesson.id)).toBe(true);
        expect(await memory.remove(lesson.id)).toBe(false);
        expect(await memory.list()).toEqual([]);
      },
    },
    {
      name: "forgets on time: nothing expired is recalled, prune removes and counts it",
      run: async () => {
        const { clock, open } = place();
        const memory = open();
        const expires = new Date(START + HOUR).toISOString();
        await memory.add({ ...draft("parcel", "read the order"), expires });
        await memory.add(draft("parcel weight", "ask the carrier"));
        await clock.advance(HOUR - 1);
        expect(await memory.recall(QUERY)).toHaveLength(2);
        expect(await memory.prune()).toBe(0);
        await clock.advance(2);
        const recalled = await memory.recall(QUERY);
        expect(recalled.map(({ lesson }) => lesson)).toEqual(["ask the carrier"]);
        expect(await memory.prune()).toBe(1);
        expect(await memory.list()).toHaveLength(1);
      },
    },
  ];
}

function recallCases(place: () => Place): readonly ConformanceCase[] {
  return [
    {
      name: "recalls the most fitting first, as many as asked for, and counts each use",
      run: async () => {
        const memory = place().open();
        await memory.add(draft("refund of a voucher", "name the policy"));
        await memory.add(draft("where is my parcel", "read the order"));
        await memory.add(draft("new address", "ask a person"));
        const [first] = await memory.recall({ ...QUERY, max: 1 });
        expect(first).toMatchObject({ trigger: "where is my parcel", uses: 1 });
        expect((await memory.recall({ ...QUERY, max: 1 }))[0]?.uses).toBe(2);
        expect(await memory.recall({ ...QUERY, max: 2 })).toHaveLength(2);
        const uses = (await memory.list()).map((lesson) => lesson.uses);
        expect(
          uses.reduce((sum, count) => sum + count, 0),
          "uses in all",
        ).toBe(4);
      },
    },
    {
      name: "keeps the lessons of each spec apart",
      run: async () => {
        const memory = place().open();
        await memory.add({ ...draft("parcel", "read the order"), scope: "another" });
        expect(await memory.recall(QUERY)).toEqual([]);
        expect(await memory.add(draft("parcel", "read the order"))).toMatchObject({ added: true });
      },
    },
    {
      name: "finds nothing in an empty memory",
      run: async () => {
        const memory = place().open();
        expect(await memory.recall(QUERY)).toEqual([]);
        expect(await memory.list()).toEqual([]);
        expect(await memory.prune()).toBe(0);
      },
    },
    {
      name: "keeps any text as it is",
      run: async () => {
        const { open } = place();
        const memory = open();
        const texts = ["a\nb\r\n{}", '"quotes" \\ and tabs\t', "\u2028 雪 \u{1F9EE}", "x\u0000y"];
        for (const text of texts) await memory.add(draft(text, `do ${text}`));
        const kept = (await memory.list()).map(({ trigger }) => trigger);
        expect(kept.toSorted()).toEqual(texts.toSorted());
        expect(await memory.recall({ ...QUERY, text: "" })).toHaveLength(texts.length);
      },
    },
  ];
}

function sharingCases(place: () => Place, isShared: boolean): readonly ConformanceCase[] {
  if (!isShared) {
    return [
      {
        name: "is alone: another instance knows nothing of it",
        run: async () => {
          const { open } = place();
          await open().add(draft("parcel", "read the order"));
          expect(await open().list()).toEqual([]);
        },
      },
    ];
  }
  return [
    {
      name: "is shared: what one instance learns or removes, another knows",
      run: async () => {
        const { open } = place();
        const [one, other] = [open(), open()];
        const { lesson } = await one.add(draft("parcel", "read the order"));
        expect(await other.recall(QUERY)).toEqual([{ ...lesson, uses: 1 }]);
        expect(await one.list()).toEqual([{ ...lesson, uses: 1 }]);
        expect(await other.add(draft("parcel", "read the order"))).toMatchObject({ added: false });
        expect(await other.remove(lesson.id)).toBe(true);
        expect(await one.list()).toEqual([]);
      },
    },
    {
      name: "loses nothing when two instances write at the same time",
      run: async () => {
        const { open } = place();
        const writers = [open(), open()];
        const words = ["anchor", "bridge", "candle", "donkey", "engine", "forest"];
        await Promise.all(
          words.map(async (word, index) => {
            await writers[index % 2]?.add(draft(`${word} ${word}`, `use the ${word}`));
          }),
        );
        const kept = (await open().list()).map(({ trigger }) => trigger.replace(/ .*/, ""));
        expect(kept.toSorted()).toEqual(words);
        await Promise.all(writers.map((memory) => memory.recall({ ...QUERY, max: 6 })));
        for (const { uses } of await open().list()) expect(uses).toBe(2);
      },
    },
  ];
}

function draft(trigger: string, lesson: string): Draft {
  const time = new Date(START).toISOString();
  return { trigger, failurePattern: "", lesson, avoid: "", source: "run-1", time, scope: "desk" };
}
