import type { OptionDeclarations } from "./arguments.ts";
import type { Command } from "./command.ts";
import { BATCH } from "./help/batch.ts";
import { CHECK } from "./help/check.ts";
import { DEAD_LETTERS } from "./help/dead-letters.ts";
import { DEMO } from "./help/demo.ts";
import { DIFF } from "./help/diff.ts";
import { DOCTOR } from "./help/doctor.ts";
import { EXPLAIN } from "./help/explain.ts";
import { FMT } from "./help/fmt.ts";
import { INIT } from "./help/init.ts";
import { LESSONS } from "./help/lessons.ts";
import { LSP } from "./help/lsp.ts";
import { MIGRATE } from "./help/migrate.ts";
import { PLUGINS } from "./help/plugins.ts";
import { RUN } from "./help/run.ts";
import { SCHEMA } from "./help/schema.ts";

const flag = { type: "boolean" } as const;
const value = { type: "string" } as const;
const values = { type: "string", multiple: true } as const;

const project: OptionDeclarations = { root: value, "no-discovery": flag };

const compiling: OptionDeclarations = {
  ...project,
  set: values,
  model: values,
  replies: value,
  overlay: values,
};

/** Every command by its name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [
    {
      name: "run",
      summary: "run a spec on a task",
      help: RUN,
      options: {
        ...compiling,
        input: { ...values, short: "i" },
        switch: values,
        json: flag,
        "dry-run": flag,
        yes: flag,
        quiet: { ...flag, short: "q" },
        verbose: flag,
      },
      load: async () => (await import("./commands/run.ts")).run,
    },
    {
      name: "batch",
      summary: "run a spec on every row of a file",
      help: BATCH,
      options: {
        ...compiling,
        from: value,
        to: value,
        "dead-letters": value,
        parallel: value,
        limit: value,
        usd: value,
        "model-calls": value,
        task: value,
        keep: values,
        delimiter: value,
        "retry-failed": flag,
        restart: flag,
        anyway: flag,
        compare: values,
        "dry-run": flag,
        yes: flag,
        json: flag,
        quiet: { ...flag, short: "q" },
      },
      load: async () => (await import("./commands/batch.ts")).batch,
    },
    {
      name: "dead-letters",
      summary: "list, show or run again what gave no valid answer",
      help: DEAD_LETTERS,
      options: { ...compiling, all: flag, parallel: value, json: flag },
      load: async () => (await import("./commands/dead-letters.ts")).deadLetters,
    },
    {
      name: "check",
      summary: "say everything that is wrong with specs, before a token is spent",
      help: CHECK,
      options: { ...compiling, format: value, strict: flag, explain: value, launch: flag },
      load: async () => (await import("./commands/check.ts")).check,
    },
    {
      name: "explain",
      summary: "show what a spec compiles to, and its worst case",
      help: EXPLAIN,
      options: { ...compiling, json: flag, spec: flag, mermaid: flag },
      load: async () => (await import("./commands/explain.ts")).explain,
    },
    {
      name: "diff",
      summary: "say what differs between two specs",
      help: DIFF,
      options: { ...compiling, json: flag },
      load: async () => (await import("./commands/diff.ts")).diff,
    },
    {
      name: "init",
      summary: "write a first spec",
      help: INIT,
      options: {
        name: value,
        model: value,
        task: value,
        tools: value,
        strategy: value,
        yes: flag,
      },
      load: async () => (await import("./commands/init.ts")).init,
    },
    {
      name: "fmt",
      summary: "write specs in the one order and quoting",
      help: FMT,
      options: { check: flag, stdout: flag },
      load: async () => (await import("./commands/fmt.ts")).fmt,
    },
    {
      name: "migrate",
      summary: "bring specs to the present apiVersion",
      help: MIGRATE,
      options: { check: flag },
      load: async () => (await import("./commands/migrate.ts")).migrate,
    },
    {
      name: "doctor",
      summary: "say what specs need to run here, and what of it is missing",
      help: DOCTOR,
      options: { ...project, overlay: values, json: flag },
      load: async () => (await import("./commands/doctor.ts")).doctor,
    },
    {
      name: "schema",
      summary: "write the JSON Schema of specs, for editors",
      help: SCHEMA,
      options: { ...project, out: value },
      load: async () => (await import("./commands/schema.ts")).schema,
    },
    {
      name: "lsp",
      summary: "serve an editor: diagnostics, completion, rename",
      help: LSP,
      options: { ...project, stdio: flag },
      load: async () => (await import("./commands/lsp.ts")).lsp,
    },
    {
      name: "plugins",
      summary: "list every plugin that a spec here may name",
      help: PLUGINS,
      options: { ...project, json: flag },
      load: async () => (await import("./commands/plugins.ts")).plugins,
    },
    {
      name: "lessons",
      summary: "list, show or remove the lessons that a spec has learned",
      help: LESSONS,
      options: { ...project, json: flag, memory: value, set: values },
      load: async () => (await import("./commands/lessons.ts")).lessons,
    },
    {
      name: "demo",
      summary: "three runs of the order desk, scripted: no key, no network",
      help: DEMO,
      // It works in a clone of the repository alone, where `npm start` runs it.
      isHidden: true,
      options: { verbose: flag },
      load: async () => (await import("./commands/demo.ts")).demo,
    },
  ].map((command: Command) => [command.name, command]),
);
