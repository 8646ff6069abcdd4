import type { Lesson } from "../contracts/state.ts";
import { InternalError, messageOf, ToolError } from "../errors/loopwright-error.ts";
import type { Memory } from "../contracts/memory.ts";
import { childScope, type Frame } from "./run-scope.ts";
import { untilAborted } from "./until-aborted.ts";

/** The name of the memory that lives as long as the run. */
const RUN_MEMORY = "run";

/** Brings fitting lessons into the state. A memory that fails costs the lessons, not the run. */
export async function recallLessons(
  frame: Frame,
  key: string,
  memory: string,
  max: number,
): Promise<readonly Lesson[]> {
  const text = [frame.state.task.text, ...Object.values(frame.state.task.inputs).map(String)].join(
    "\n",
  );
  const lessons = await guarded(frame, key, memory, () =>
    memoryOf(frame, memory).recall({ text, scope: frame.run.linked.program.name, max }),
  );
  if (lessons === undefined) return [];
  const known = new Set(frame.state.lessons.map((lesson) => lesson.id));
  frame.state = {
    ...frame.state,
    lessons: [...frame.state.lessons, ...lessons.filter((lesson) => !known.has(lesson.id))],
  };
  frame.run.bus.emit("lessons.recalled", { memory, lessons }, childScope(frame, key));
  return lessons;
}

/** Keeps a lesson; false when the memory has it already, or can't keep it. */
export async function rememberLesson(
  frame: Frame,
  key: string,
  memory: string,
  draft: Pick<Lesson, "trigger" | "failurePattern" | "lesson" | "avoid">,
): Promise<boolean> {
  const { clock, program, redactor } = frame.run.linked;
  const clean = redactor.data({ ...draft }) as unknown as typeof draft;
  const full = {
    ...clean,
    source: frame.run.id,
    time: new Date(clock.now()).toISOString(),
    scope: program.name,
  };
  if (memory === RUN_MEMORY) {
    const lesson = { ...full, id: `lesson:${key}`, uses: 0 };
    frame.state = { ...frame.state, lessons: [...frame.state.lessons, lesson] };
    frame.run.bus.emit("lesson.learned", { memory, lesson }, childScope(frame, key));
    return true;
  }
  const kept = await guarded(frame, key, memory, () => memoryOf(frame, memory).add(full));
  if (kept === undefined) return false;
  if (kept.added)
    frame.run.bus.emit("lesson.learned", { memory, lesson: kept.lesson }, childScope(frame, key));
  else
    frame.run.bus.emit(
      "lesson.refused",
      { memory, lesson: full.lesson, reason: "the memory has it already" },
      childScope(frame, key),
    );
  return kept.added;
}

function memoryOf(frame: Frame, name: string): Memory {
  const entry = frame.run.linked.program.memories.get(name);
  if (entry === undefined)
    throw new InternalError("contract-broken", `there is no memory \`${name}\` in the program`);
  return frame.run.linked.instances.memory(entry);
}

async function guarded<T>(
  frame: Frame,
  key: string,
  memory: string,
  action: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await untilAborted(action, frame.signal);
  } catch (thrown) {
    if (frame.signal.aborted || thrown instanceof InternalError) throw thrown;
    const fault =
      thrown instanceof ToolError
        ? thrown
        : new ToolError("memory-failed", `memory \`${memory}\` failed: ${messageOf(thrown)}`);
    frame.run.bus.emit(
      "fact.told",
      { fact: "memory.failed", data: { memory, code: fault.code, message: fault.message } },
      childScope(frame, key),
    );
    return undefined;
  }
}
