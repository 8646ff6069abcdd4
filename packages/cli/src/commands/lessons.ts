import { resolve } from "node:path";
import type { CompiledProgram, Lesson, Memory } from "@loopwright/core";
import { memoryOf } from "@loopwright/core";
import { type Arguments, refusePositionals } from "../arguments.ts";
import { CommandError, usageError } from "../command-error.ts";
import type { CommandFunction } from "../command.ts";
import { checkProgram } from "../compile-program.ts";
import { counted } from "../diagnostic-text.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { nearestName } from "../nearest-name.ts";
import { neutralize } from "../neutralize.ts";
import { openApp, type OpenedApp, rootFor } from "../open-app.ts";
import { printJson } from "../print-json.ts";
import { readSettings } from "../read-settings.ts";
import { tableText } from "../table-text.ts";

type Act = (memory: Memory, id: string, isJson: boolean) => Promise<void>;

const ACTS: ReadonlyMap<string, { readonly takesId: boolean; readonly act: Act }> = new Map([
  ["list", { takesId: false, act: listLessons }],
  ["show", { takesId: true, act: showLesson }],
  ["remove", { takesId: true, act: removeLesson }],
  ["prune", { takesId: false, act: pruneLessons }],
]);

/** Lists, shows and removes what a spec has learned. */
export const lessons: CommandFunction = async (given) => {
  const [name = "", ...rest] = given.positionals;
  const action = ACTS.get(name);
  if (action === undefined) throw unknownAct(name);
  const [spec, id = "", ...extra] = action.takesId
    ? [rest[1], rest[0], ...rest.slice(2)]
    : [rest[0], "", ...rest.slice(1)];
  if (spec === undefined) {
    throw usageError(`write loopwright lessons ${name} ${action.takesId ? "ID SPEC" : "SPEC"}`);
  }
  refusePositionals(`lessons ${name}`, extra);
  const discovery = !given.has("no-discovery");
  const opened = await openApp({ root: rootFor(given, spec), discovery });
  try {
    const compiled = await compileMemory(opened, spec, given);
    await action.act(memoryOf(compiled, given.text("memory")), id, given.has("json"));
    return EXIT_CODES.done;
  } finally {
    await opened.app.close();
  }
};

function unknownAct(name: string): CommandError {
  const near = nearestName(name, ACTS.keys());
  const names = [...ACTS.keys()].join(", ");
  const hint = near === undefined ? `one of ${names}` : `did you mean \`${near}\`?`;
  const what = name === "" ? "lessons needs an action" : `lessons has no action \`${name}\``;
  return usageError(`${what}; ${hint}`);
}

/** A memory needs neither models nor tools: only memories are made, so no key is asked for and nothing else opened. */
async function compileMemory(
  opened: OpenedApp,
  spec: string,
  given: Arguments,
): Promise<CompiledProgram> {
  const settings = { ...readSettings(given), root: opened.root };
  const { memories } = await checkProgram(opened, spec, settings);
  if (memories.size === 0)
    throw new CommandError(`${spec} declares no memory, so it learns nothing`);
  return opened.app.compile({ file: resolve(spec) }, { ...settings, onlyMemories: true });
}

async function listLessons(memory: Memory, _id: string, isJson: boolean): Promise<void> {
  const all = await memory.list();
  const faults = (await memory.faults?.()) ?? [];
  if (isJson) return printJson({ lessons: all, faults });
  for (const fault of faults) process.stderr.write(`loopwright: ${neutralize(fault)}\n`);
  if (all.length === 0) process.stdout.write("no lessons yet\n");
  else {
    const rows = all.map(({ id, uses, time, lesson }) => [
      id.slice(0, 8),
      String(uses),
      time.slice(0, 10),
      lesson.length > 90 ? `${lesson.slice(0, 89)}…` : lesson,
    ]);
    process.stdout.write(tableText([["ID", "USES", "LEARNED", "LESSON"], ...rows]));
  }
}

async function showLesson(memory: Memory, id: string, isJson: boolean): Promise<void> {
  const lesson = await find(memory, id);
  if (isJson) return printJson(lesson);
  const rows = Object.entries(lesson).map(([name, value]) => [name, String(value)]);
  process.stdout.write(tableText(rows));
}

async function removeLesson(memory: Memory, id: string, isJson: boolean): Promise<void> {
  const lesson = await find(memory, id);
  await memory.remove(lesson.id);
  if (isJson) printJson({ removed: [lesson.id] });
  else process.stdout.write(`removed ${lesson.id}: ${neutralize(lesson.lesson)}\n`);
}

async function pruneLessons(memory: Memory, _id: string, isJson: boolean): Promise<void> {
  const count = await memory.prune();
  if (isJson) printJson({ pruned: count });
  else process.stdout.write(`${counted(count, "expired lesson")} removed\n`);
}

async function find(memory: Memory, id: string): Promise<Lesson> {
  const all = await memory.list();
  const exact = all.find((lesson) => lesson.id === id);
  const matches = exact === undefined ? all.filter((lesson) => lesson.id.startsWith(id)) : [exact];
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  const why =
    matches.length === 0 ? "no lesson begins with" : `${matches.length} lessons begin with`;
  throw new CommandError(`${why} \`${id}\`; loopwright lessons list shows them`);
}
