import { randomUUID } from "node:crypto";
import { Clock, Fetch, Ids, ProjectRoot, Secrets, Terminal } from "../contracts/service.ts";
import { systemClock } from "./system-clock.ts";
import { type ProvidedService, provide } from "./services.ts";

/** The services that core brings; a host replaces any of them by its token. */
export function defaultServices(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly ProvidedService[] {
  return [
    provide(Clock, systemClock()),
    provide(Ids, { next: () => randomUUID() }),
    provide(Fetch, (...request: Parameters<typeof fetch>) => fetch(...request)),
    provide(Secrets, { get: (name) => env[name] }),
    provide(ProjectRoot, root),
    provide(Terminal, processTerminal(env)),
  ];
}

function processTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const { stdout } = process;
  const isInteractive = stdout.isTTY && env["TERM"] !== "dumb";
  const noColor = env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "";
  const forced = env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0";
  return {
    write: (text) => {
      stdout.write(text);
    },
    isInteractive,
    hasColors: forced || (isInteractive && !noColor),
    columns: () => stdout.columns,
  };
}
