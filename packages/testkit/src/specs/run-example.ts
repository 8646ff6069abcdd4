import type { EventData, EventName, Run, RunEvent } from "@loopwright/core";
import { runSpec, type RunSpecOptions, type SpecRun } from "../run-spec.ts";
import { builtIn, repositoryRoot, specFile } from "./example-specs.ts";

/** Runs a spec of `specs/` as a reader would, with the built-in plugins alone. */
export function runExample(name: string, options: Partial<RunSpecOptions> = {}): Promise<SpecRun> {
  return runSpec({ file: specFile(name) }, { plugins: builtIn, root: repositoryRoot, ...options });
}

/** The data of every event of a name, in the order in which they were told. */
export function dataOf<N extends EventName>(
  events: readonly RunEvent[],
  name: N,
): readonly EventData[N][] {
  return events.flatMap((event) => (event.name === name ? [event.data as EventData[N]] : []));
}

/** Answers every question of a run: with the wanted reply, or with the first that it may be. */
export function replying(reply?: string): (run: Run) => void {
  return (run) => {
    run.on("question.asked", ({ data }) => {
      const said = reply ?? data.options?.[0] ?? "yes";
      for (const { id } of run.pending()) run.respond(id, { reply: said });
    });
  };
}
