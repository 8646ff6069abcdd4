/** How a server is reached: as a program that is started, or at an address. */
export type ServerSettings = ProgramSettings | AddressSettings;

/** A server that is started as a program and spoken to over its standard streams. */
export interface ProgramSettings {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly folder: string;
  readonly startTimeoutMs: number;
}

/** A server that is spoken to over HTTP. */
export interface AddressSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly startTimeoutMs: number;
}

/** Whether the server is a program. */
export function isProgram(settings: ServerSettings): settings is ProgramSettings {
  return "command" in settings;
}

/** A server in words: its command, or its address without what may be secret. */
export function serverName(settings: ServerSettings): string {
  if (isProgram(settings))
    return `\`${[settings.command, ...settings.args].join(" ").slice(0, 200)}\``;
  const { origin, pathname } = new URL(settings.url);
  return `${origin}${pathname}`;
}
