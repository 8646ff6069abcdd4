import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { checks } from "@loopwright/checks";
import { type App, createApp, projectRoot, provide, Terminal } from "@loopwright/core";
import { memories } from "@loopwright/memories";
import { providers } from "@loopwright/providers";
import { sinks } from "@loopwright/sinks";
import { strategies } from "@loopwright/strategies";
import { tools } from "@loopwright/tools";
import type { Arguments } from "./arguments.ts";
import { CommandError } from "./command-error.ts";
import { type ConsoleLevel, withConsoleLevel } from "./console-level.ts";
import { readTextFile } from "./read-file.ts";

/** An app and the project it works in. */
export interface OpenedApp {
  readonly app: App;
  /** Absolute. */
  readonly root: string;
}

/** Where a command works and what it prints with. */
export interface AppSettings {
  readonly root: string;
  readonly discovery: boolean;
  /** Replaces core's, for the sinks that print. */
  readonly terminal?: Terminal;
  readonly level?: ConsoleLevel;
}

/** Opens an app with the built-in plugins and those of the project. */
export async function openApp(settings: AppSettings): Promise<OpenedApp> {
  const { root, discovery, terminal, level } = settings;
  const listeners = level === undefined ? sinks : withConsoleLevel(sinks, level);
  const app = await createApp({
    env: environmentOf(root),
    plugins: [strategies, providers, tools, checks, listeners, memories],
    services: terminal === undefined ? [] : [provide(Terminal, terminal)],
    root,
    discovery,
  });
  return { app, root };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The variables of the process, and below them those of the project's `.env`. */
export function environmentOf(root: string): NodeJS.Dict<string> {
  const file = join(root, ".env");
  return { ...(existsSync(file) ? parseEnv(readTextFile(file, "")) : {}), ...process.env };
}

/** The project that a spec belongs to: `--root`, else the folder of the nearest package.json above it. */
export function rootFor(given: Arguments, spec: string): string {
  const root = given.text("root");
  if (root === undefined) return projectRoot(dirname(resolve(spec)));
  if (isFolder(root)) return resolve(root);
  throw new CommandError(`--root ${root} is no folder; name the project's folder`);
}
