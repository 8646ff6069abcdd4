import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Terminal } from "@loopwright/core/plugin";
import { describeSink, type SinkSetting, tempFolder } from "@loopwright/testkit";
import { consoleSink } from "./console.ts";
import { jsonl } from "./jsonl.ts";
import type { EventCollector } from "./memory/event-collector.ts";
import { memory } from "./memory.ts";

const folder = tempFolder();
let logs = 0;

describeSink(memory, () => ({
  told: (sink) => JSON.stringify((sink as EventCollector).events),
}));

describeSink(jsonl, () => {
  const log = join(folder, `log-${++logs}`);
  return {
    options: { path: join(log, "${run:id}.jsonl") },
    told: () => readAll(log),
  };
});

for (const level of ["quiet", "normal", "verbose"]) {
  for (const isInteractive of [false, true]) {
    describeSink(consoleSink, () => printing({ level, showDeltas: isInteractive }, isInteractive));
  }
}

function printing(options: object, isInteractive: boolean): SinkSetting {
  const writes: string[] = [];
  const terminal: Terminal = {
    write: (text) => void writes.push(text),
    isInteractive,
    hasColors: false,
    columns: () => (isInteractive ? 100 : undefined),
  };
  return { options: { ...options }, services: { terminal }, told: () => writes.join("") };
}

function readAll(log: string): string {
  return readdirSync(log)
    .map((name) => readFileSync(join(log, name), "utf8"))
    .join("");
}
