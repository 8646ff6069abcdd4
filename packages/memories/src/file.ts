import {
  Clock,
  count,
  defineMemory,
  duration,
  type Lesson,
  type Memory,
  type MemoryDefinition,
  path,
  Type,
} from "@loopwright/core/plugin";
import { LessonFile } from "./file/lesson-file.ts";
import { lessonsIn, toLine } from "./file/lesson-lines.ts";
import { rank } from "./shared/ranking.ts";
import { aliveIn, isExpired, type Keeping, place, used } from "./shared/shelf.ts";

const options = Type.Object({
  path: path({
    description: "The JSONL file, one lesson a line; it is made on the first lesson.",
    writes: true,
  }),
  ttl: Type.Optional(
    duration({ description: "How long a lesson is recalled, from the time it was learned." }),
  ),
  max: count({
    description: "How many lessons are kept; the least used leave first.",
    default: 1000,
  }),
});

/**
 * Keeps lessons in a JSONL file between runs; several processes may share it. A line that holds no lesson is never
 * recalled and never lost.
 */
export const file: MemoryDefinition = defineMemory({
  id: "file",
  description: "Keeps lessons in a JSONL file, between runs and for several processes.",
  options,
  inject: { clock: Clock },
  create: (settings, { clock }) =>
    createMemory(new LessonFile(settings.path), { ttl: settings.ttl, max: settings.max }, clock),
});

function createMemory(lessonFile: LessonFile, keeping: Keeping, clock: Clock): Memory {
  return {
    async recall({ text, scope, max }) {
      // Most recalls of a young memory find nothing; they leave no trace on the disk.
      const present = lessonsIn(await lessonFile.read());
      if (max < 1 || aliveIn(present, scope, clock.now()).length === 0) return [];
      return lessonFile.edit((lines) => {
        const alive = aliveIn(lessonsIn(lines), scope, clock.now());
        const recalled = new Set(rank(alive, text, max));
        if (recalled.size === 0) return { result: [] };
        const rewritten = lines.map((line) =>
          line.lesson !== undefined && recalled.has(line.lesson) ? toLine(used(line.lesson)) : line,
        );
        return { result: Array.from(recalled, used), rewrite: rewritten };
      });
    },
    async add(draft) {
      return lessonFile.edit<Awaited<ReturnType<Memory["add"]>>>((lines) => {
        const addition = place(lessonsIn(lines), draft, keeping, clock.now());
        if (!addition.added) return { result: addition };
        const { dropped, ...result } = addition;
        const line = toLine(addition.lesson);
        if (dropped.size === 0) return { result, append: line };
        const left = lines.filter(({ lesson }) => lesson === undefined || !dropped.has(lesson.id));
        return { result, rewrite: [...left, line] };
      });
    },
    async list() {
      return lessonsIn(await lessonFile.read());
    },
    async remove(id) {
      return (await drop(lessonFile, (lesson) => lesson.id === id)) > 0;
    },
    async prune() {
      return drop(lessonFile, (lesson) => isExpired(lesson, clock.now()));
    },
    faults: () => lessonFile.faults(),
  };
}

async function drop(
  lessonFile: LessonFile,
  isUnwanted: (lesson: Lesson) => boolean,
): Promise<number> {
  if (!lessonsIn(await lessonFile.read()).some(isUnwanted)) return 0;
  return lessonFile.edit((lines) => {
    const left = lines.filter(({ lesson }) => lesson === undefined || !isUnwanted(lesson));
    const dropped = lines.length - left.length;
    return dropped === 0 ? { result: 0 } : { result: dropped, rewrite: left };
  });
}
