import type { OptionDeclarations } from "./arguments.ts";
import type { Command } from "./command.ts";
import * as help from "./help-texts.ts";

const flag = { type: "boolean" } as const;
const value = { type: "string" } as const;
const values = { type: "string", multiple: true } as const;

const compiling: OptionDeclarations = {
  set: values,
  model: values,
  replies: value,
  root: value,
  "no-discovery": flag,
};

/** Every command by its name, in the order of the help. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map(
  [
    {
      name: "run",
      summary: "run a spec on a task",
      help: help.RUN,
      options: {
        ...compiling,
        input: { ...values, short: "i" },
        json: flag,
        "dry-run": flag,
        yes: flag,
        quiet: { ...flag, short: "q" },
        verbose: flag,
      },
      load: async () => (await import("./commands/run.ts")).run,
    },
    {
      name: "check",
      summary: "say everything that is wrong with specs, before a token is spent",
      help: help.CHECK,
      options: { ...compiling, json: flag },
      load: async () => (await import("./commands/check.ts")).check,
    },
    {
      name: "explain",
      summary: "show what a spec compiles to, and its worst case",
      help: help.EXPLAIN,
      options: { ...compiling, json: flag, spec: flag },
      load: async () => (await import("./commands/explain.ts")).explain,
    },
    {
      name: "plugins",
      summary: "list every plugin that a spec here may name",
      help: help.PLUGINS,
      options: { json: flag, root: value, "no-discovery": flag },
      load: async () => (await import("./commands/plugins.ts")).plugins,
    },
    {
      name: "lessons",
      summary: "list, show or remove the lessons that a spec has learned",
      help: help.LESSONS,
      options: { json: flag, memory: value, set: values, root: value, "no-discovery": flag },
      load: async () => (await import("./commands/lessons.ts")).lessons,
    },
    {
      name: "demo",
      summary: "three runs of the order desk, scripted: no key, no network",
      help: help.DEMO,
      // It works in a clone of the repository alone, where `npm start` runs it.
      isHidden: true,
      options: { verbose: flag },
      load: async () => (await import("./commands/demo.ts")).demo,
    },
  ].map((command: Command) => [command.name, command]),
);
