import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Program, RunEvent } from "@loopwright/core";

/**
 * The events of the run that a program replays: where all its models, those of its agents too, are `replay` from one log.
 * What people did to that run is then done again, and what its tools changed is not. Undefined for any other program.
 */
export async function recordedEvents(program: Program): Promise<readonly RunEvent[] | undefined> {
  const models = modelsOf(program);
  const files = new Set(models.map(({ options }) => options["file"]));
  const [file] = files;
  const isReplay = models.every(({ definition }) => definition.id === "replay");
  if (!isReplay || files.size !== 1 || typeof file !== "string") return undefined;
  const bytes = await readFile(file);
  const text = file.endsWith(".gz") ? await promisify(gunzip)(bytes) : bytes;
  return text.toString("utf8").split("\n").flatMap(eventIn);
}

type Model = Program["models"][number];

function modelsOf(program: Program): readonly Model[] {
  const own = [...program.stages.values()].flatMap(({ models }) => Object.values(models));
  const agents = [...(program.agents?.values() ?? [])].flatMap(modelsOf);
  return [...own.flatMap((model) => [model, ...model.fallback]), ...agents];
}

/** The event of a line; a broken line is told by the provider, which reads the same file. */
function eventIn(line: string): readonly RunEvent[] {
  try {
    const event = JSON.parse(line) as RunEvent | null;
    const isEvent = typeof event?.name === "string" && typeof event.data === "object";
    return isEvent && (event.data as object | null) !== null ? [event] : [];
  } catch {
    return [];
  }
}
