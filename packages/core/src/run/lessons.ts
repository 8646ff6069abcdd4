import type { Lesson } from "../contracts/state.ts";
import { InternalError, messageOf, ToolError } from "../errors/loopwright-error.ts";
import type { Memory } from "../contracts/memory.ts";
import { childScope, type Frame, type RunScope } from "./run-scope.ts";
import { untilAborted } from "../calls/until-aborted.ts";

/** The name of the memory that lives as long as the run. */
const RUN_MEMORY = "run";

/** The memories whose faults were asked for, by run: they are told once. */
const examined = new WeakMap<RunScope, Set<string>>();

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
  await tellFaults(frame, key, memory);
  return lessons;
}

/** Keeps a lesson; false when the memory has it already, or can't keep it. In a dry run only the run's own memory learns. */
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
  if (frame.run.dryRun) {
    const stubbed = { tool: `memory ${memory}`, input: { ...clean } };
    frame.run.bus.emit("effect.stubbed", stubbed, childScope(frame, key));
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

/** Tells what a memory keeps but can't read, once a run. */
async function tellFaults(frame: Frame, key: string, memory: string): Promise<void> {
  const known = examined.get(frame.run) ?? new Set();
  if (known.has(memory)) return;
  examined.set(frame.run, known.add(memory));
  const message = await guarded(frame, key, memory, async () => {
    const faults = await memoryOf(frame, memory).faults?.();
    return faults?.join("; ") ?? "";
  });
  if (message === undefined || message === "") return;
  const told = { memory, code: "memory-failed", message };
  frame.run.bus.emit("memory.failed", told, childScope(frame, key));
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
    const code = thrown instanceof ToolError ? thrown.code : "memory-failed";
    const told = { memory, code, message: messageOf(thrown) };
    frame.run.bus.emit("memory.failed", told, childScope(frame, key));
    return undefined;
  }
}
