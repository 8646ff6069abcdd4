import { defineSink, path, type Sink, type SinkDefinition, Type } from "@loopwright/core/plugin";
import { LogFile } from "./jsonl/log-file.ts";

const RUN_ID = "${run:id}";

const options = Type.Object({
  path: path({
    description: `The file; \`${RUN_ID}\` in it gives each run its own. Folders are made.`,
    writes: true,
  }),
});

/** Appends every event as one line of JSON: at once trace, recording, fixture and bug report. */
export const jsonl: SinkDefinition = defineSink({
  id: "jsonl",
  description: "Appends every event of a run to a file, one JSON object a line.",
  options,
  create: (settings) => createLog(settings.path),
});

interface Log {
  readonly file: LogFile;
  /** The runs that have started and not ended. */
  readonly runs: Set<string>;
}

function createLog(template: string): Sink {
  const logs = new Map<string, Log>();
  const all = (act: (file: LogFile) => Promise<void>): Promise<void> =>
    settled(Array.from(logs.values(), ({ file }) => act(file)));
  return {
    async handle(event) {
      const target = pathOf(template, event.runId);
      const log = logs.get(target) ?? { file: new LogFile(target), runs: new Set() };
      logs.set(target, log);
      log.file.append(JSON.stringify(event));
      if (event.name === "run.start") log.runs.add(event.runId);
      if (event.name === "run.end") log.runs.delete(event.runId);
      if (event.name === "run.end" && log.runs.size === 0) {
        await log.file.close();
        logs.delete(target);
        return;
      }
      // Deltas come by the hundred: they wait for the next event that matters.
      if (event.name !== "model-call.delta" || log.file.isFull) await log.file.written();
    },
    flush: () => all((file) => file.written()),
    close: () => all((file) => file.close()),
  };
}

function pathOf(template: string, runId: string): string {
  return template.replaceAll(RUN_ID, () => runId.replace(/^\.+|[^\w.-]/gu, "_"));
}

/** Waits for all, then rejects with the first fault, if any. */
async function settled(tasks: readonly Promise<void>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(tasks)) {
    if (outcome.status === "rejected") throw outcome.reason;
  }
}
