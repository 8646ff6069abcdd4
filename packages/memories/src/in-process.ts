import {
  Clock,
  count,
  defineMemory,
  duration,
  type Lesson,
  type Memory,
  type MemoryDefinition,
  Type,
} from "@loopwright/core/plugin";
import { rank } from "./shared/ranking.ts";
import { aliveIn, isExpired, type Keeping, place, used } from "./shared/shelf.ts";

const options = Type.Object({
  ttl: Type.Optional(
    duration({ description: "How long a lesson is recalled, from the time it was learned." }),
  ),
  max: count({
    description: "How many lessons are kept; the least used leave first.",
    default: 1000,
  }),
});

/** Keeps lessons for as long as the program lives; choose it where runs of one process learn from each other. */
export const inProcess: MemoryDefinition = defineMemory({
  id: "in-process",
  description: "Keeps lessons for as long as the program lives.",
  options,
  inject: { clock: Clock },
  create: ({ ttl, max }, { clock }) => createShelf({ ttl, max }, clock),
});

function createShelf(keeping: Keeping, clock: Clock): Memory {
  let lessons: readonly Lesson[] = [];
  return {
    async recall({ text, scope, max }) {
      const recalled = rank(aliveIn(lessons, scope, clock.now()), text, max).map(used);
      const changed = new Map(recalled.map((lesson) => [lesson.id, lesson]));
      lessons = lessons.map((lesson) => changed.get(lesson.id) ?? lesson);
      return recalled;
    },
    async add(draft) {
      const addition = place(lessons, draft, keeping, clock.now());
      if (!addition.added) return addition;
      lessons = [...lessons.filter(({ id }) => !addition.dropped.has(id)), addition.lesson];
      return { added: true, lesson: addition.lesson };
    },
    async list() {
      return lessons;
    },
    async remove(id) {
      const before = lessons.length;
      lessons = lessons.filter((lesson) => lesson.id !== id);
      return lessons.length < before;
    },
    async prune() {
      const before = lessons.length;
      lessons = lessons.filter((lesson) => !isExpired(lesson, clock.now()));
      return before - lessons.length;
    },
  };
}
