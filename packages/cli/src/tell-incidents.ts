import { inFigures, type Program, type Run } from "@loopwright/core";
import { neutralize } from "./neutralize.ts";

/** Tells on standard error that a sink or a memory failed, where no sink prints it: the run goes on without it. */
export function tellIncidents(
  run: Pick<Run, "on">,
  { sinks }: Pick<Program, "sinks">,
  tell: (text: string) => void,
  hasConsole: boolean = false,
): void {
  const consoles = sinks.filter(({ definition }) => definition.id === "console");
  const isPrinted = (sink?: string): boolean =>
    hasConsole || consoles.some(({ name }) => name !== sink);
  run.on("sink.failed", ({ data: { sink, message } }) => {
    if (isPrinted(sink)) return;
    tell(
      `the sink ${neutralize(sink)} failed, and what it took is not complete: ${neutralize(message)}`,
    );
  });
  run.on("events.dropped", ({ data: { sink, count } }) => {
    if (isPrinted(sink)) return;
    tell(`the sink ${neutralize(sink)} was too slow and missed ${inFigures(count)} events`);
  });
  run.on("memory.failed", ({ data: { memory, message } }) => {
    if (isPrinted()) return;
    tell(`the memory ${neutralize(memory)} failed: ${neutralize(message)}`);
  });
}
