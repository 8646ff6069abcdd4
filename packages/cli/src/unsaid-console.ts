import type {
  Clock,
  CompileOptions,
  PluginPackage,
  Program,
  RunEvent,
  Terminal,
} from "@loopwright/core";
import { sinks } from "@loopwright/sinks";
import { resolve } from "node:path";
import type { ConsoleLevel } from "./console-level.ts";
import type { OpenedApp } from "./open-app.ts";

/** Is told all events of a run. */
export interface Teller {
  handle(event: RunEvent): unknown;
  close?(): unknown;
}

/** What is run, and where it is told. */
export interface UnsaidConsoleOptions {
  readonly spec: string;
  readonly settings: CompileOptions;
  readonly program: Pick<Program, "sinks">;
  readonly terminal: Terminal;
  readonly level: ConsoleLevel | undefined;
  /** Left out, whether standard output is a terminal. */
  readonly isTerminal?: boolean;
}

/**
 * The console of a run in a terminal whose spec says nothing about sinks, so that a person sees the work; in a pipe there
 * is none, and standard output is the answer alone. It is no part of the program, whose hash stays the same.
 */
export async function unsaidConsole(
  { app, root }: OpenedApp,
  options: UnsaidConsoleOptions,
): Promise<Teller | undefined> {
  const { spec, settings, program, terminal, level, isTerminal = process.stdout.isTTY } = options;
  if (!isTerminal || program.sinks.length > 0) return undefined;
  const { index } = await app.check({ file: resolve(spec) }, { ...settings, root });
  if (index.root?.entries.has("sinks") === true) return undefined;
  const telling = { level: level ?? "normal", showDeltas: false };
  return (await consoleDefinition(sinks)).create(telling as never, { terminal, clock } as never);
}

async function consoleDefinition({ entries }: PluginPackage): Promise<Definition> {
  const entry = entries.find(({ kind, id }) => kind === "sink" && id === "console");
  if (entry === undefined) throw new Error("the built-in sinks have no console");
  return (await entry.load()) as Definition;
}

type Loaded = Awaited<ReturnType<PluginPackage["entries"][number]["load"]>>;
type Definition = Extract<Loaded, { readonly kind: "sink" }>;

const clock: Clock = {
  now: () => Date.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
