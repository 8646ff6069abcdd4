import {
  Clock,
  defineMemory,
  type Lesson,
  type Memory,
  type MemoryDefinition,
  Type,
} from "@loopwright/core/plugin";
import { describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { definitionCases } from "./definition-cases.ts";
import { memoryCases } from "./memory-cases.ts";

type Shelf = Lesson[];
type Change = (memory: Memory, shelf: Shelf, clock: Clock) => Partial<Memory>;

const words = (text: string): readonly string[] => text.toLowerCase().match(/\w+/g) ?? [];
const saying = ({ trigger, lesson }: Pick<Lesson, "trigger" | "lesson">): string =>
  words(`${trigger} | ${lesson}`).join(" ") || `${trigger} | ${lesson}`;

/** A plain memory over an array; `ids` names lessons over all shelves. */
function openShelf(shelf: Shelf, clock: Clock): Memory {
  const isExpired = ({ expires }: Lesson): boolean =>
    expires !== undefined && Date.parse(expires) <= clock.now();
  const keep = (lessons: readonly Lesson[]): number => {
    const left = shelf.length - lessons.length;
    shelf.splice(0, shelf.length, ...lessons);
    return left;
  };
  return {
    recall: async ({ text, scope, max }) => {
      const asked = new Set(words(text));
      const fit = (lesson: Lesson): number =>
        words(lesson.trigger).filter((word) => asked.has(word)).length;
      const found = shelf
        .filter((lesson) => lesson.scope === scope && !isExpired(lesson))
        .toSorted((one, other) => fit(other) - fit(one))
        .slice(0, max);
      return found.map((lesson) => {
        const used = { ...lesson, uses: lesson.uses + 1 };
        shelf.splice(shelf.indexOf(lesson), 1, used);
        return used;
      });
    },
    add: async (draft) => {
      const same = shelf.find(
        (lesson) => lesson.scope === draft.scope && saying(lesson) === saying(draft),
      );
      if (same !== undefined) return { added: false, lesson: same };
      const lesson = { ...draft, id: `lesson-${shelf.length + 1}`, uses: 0 };
      shelf.push(lesson);
      return { added: true, lesson };
    },
    list: async () => [...shelf],
    remove: async (id) => keep(shelf.filter((lesson) => lesson.id !== id)) > 0,
    prune: async () => keep(shelf.filter((lesson) => !isExpired(lesson))),
  };
}

function memoryWith(change: Change, isShared: boolean): MemoryDefinition {
  const shelves = new Map<string, Shelf>();
  return defineMemory({
    id: "shelf",
    description: "Keeps lessons on a shelf.",
    options: Type.Object({ place: Type.String({ description: "The name of the shelf." }) }),
    inject: { clock: Clock },
    create: ({ place }, { clock }) => {
      const shelf = (isShared ? shelves.get(place) : undefined) ?? [];
      shelves.set(place, shelf);
      const memory = openShelf(shelf, clock);
      return { ...memory, ...change(memory, shelf, clock) };
    },
  });
}

let places = 0;
const casesOf = (change: Change, isShared: boolean, isReallyShared = isShared) =>
  memoryCases(memoryWith(change, isReallyShared), {
    isShared,
    options: () => ({ place: `place-${++places}` }),
  });

const bad: Readonly<Record<string, { readonly change: Change; readonly found: string }>> = {
  "an empty id": {
    change: (memory) => ({
      add: async (draft) => {
        const { added, lesson } = await memory.add(draft);
        return { added, lesson: { ...lesson, id: "" } };
      },
    }),
    found: "keeps what it is given",
  },
  "the same twice": {
    change: (_, shelf) => ({
      add: async (draft) => {
        const lesson = { ...draft, id: `lesson-${shelf.length + 1}`, uses: 0 };
        shelf.push(lesson);
        return { added: true, lesson };
      },
    }),
    found: "refuses a lesson that says the same",
  },
  "a lesson that stays": { change: () => ({ remove: async () => true }), found: "removes by id" },
  "a lesson that never ends": {
    change: (_, shelf) => ({ recall: async () => [...shelf], prune: async () => 0 }),
    found: "forgets on time",
  },
  "the first that comes": {
    change: (_, shelf) => ({ recall: async ({ max }) => shelf.slice(0, max) }),
    found: "recalls the most fitting first",
  },
  "one heap for all": {
    change: (memory) => ({
      add: (draft) => memory.add({ ...draft, scope: "all" }),
      recall: (query) => memory.recall({ ...query, scope: "all" }),
    }),
    found: "keeps the lessons of each spec apart",
  },
  "a break on nothing": {
    change: (memory, shelf) => ({
      recall: async (query) => {
        if (shelf.length === 0) throw new Error("there is nothing");
        return memory.recall(query);
      },
    }),
    found: "finds nothing in an empty memory",
  },
  "texts in one line": {
    change: (memory) => ({
      add: (draft) => memory.add({ ...draft, trigger: draft.trigger.replaceAll("\n", " ") }),
    }),
    found: "keeps any text as it is",
  },
  "a write that forgets the other's": {
    change: (memory, shelf) => ({
      add: async (draft) => {
        const before = [...shelf];
        await Promise.resolve();
        const added = await memory.add(draft);
        shelf.splice(0, shelf.length, ...before, ...(added.added ? [added.lesson] : []));
        return added;
      },
    }),
    found: "loses nothing when two instances write",
  },
};

describe("the suite of a memory", () => {
  it.each([true, false])("passes a good memory (shared: %s)", async (isShared) => {
    expect(await failuresOf(casesOf(() => ({}), isShared))).toEqual([]);
  });

  it.each(Object.entries(bad))("finds %s", async (_, { change, found }) => {
    const failed = await failuresOf(casesOf(change, true));
    expect(failed).toContainEqual(expect.stringContaining(found));
  });

  it("finds a memory that is shared and should not be, and the other way round", async () => {
    const isAlone = expect.stringContaining("is alone");
    expect(await failuresOf(casesOf(() => ({}), false, true))).toContainEqual(isAlone);
    const isShared = expect.stringContaining("is shared");
    expect(await failuresOf(casesOf(() => ({}), true, false))).toContainEqual(isShared);
  });

  it("finds a create that waits", async () => {
    const definition = memoryWith(() => ({}), false);
    const late = { ...definition, create: async () => ({}) } as unknown as MemoryDefinition;
    const failed = await failuresOf(memoryCases(late, { isShared: false }));
    expect(failed).toContainEqual(expect.stringContaining("is created at once"));
  });

  it("has a bad memory for every case of its own", () => {
    const all = casesOf(() => ({}), true);
    const own = all.slice(
      definitionCases(
        memoryWith(() => ({}), true),
        "memory",
      ).length,
    );
    const found = [
      ...Object.values(bad).map((one) => one.found),
      "is created at once",
      "is shared",
    ];
    const unproved = own.filter(({ name }) => !found.some((part) => name.includes(part)));
    expect(unproved.map(({ name }) => name)).toEqual([]);
  });
});
