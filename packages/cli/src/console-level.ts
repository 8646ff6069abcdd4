import type { PluginPackage } from "@loopwright/core";

/** How much the console sink tells. */
export type ConsoleLevel = "quiet" | "verbose";

/** The built-in sinks with a console that tells as much as the command line says, whatever the spec says. */
export function withConsoleLevel(sinks: PluginPackage, level: ConsoleLevel): PluginPackage {
  const entries = sinks.entries.map((entry): PluginPackage["entries"][number] => {
    if (entry.kind !== "sink" || entry.id !== "console") return entry;
    const load = async (): Promise<Sink> => {
      const definition = (await entry.load()) as Sink;
      const { create } = definition;
      const atLevel = (options: object, services: never): ReturnType<Sink["create"]> =>
        create({ ...options, level } as never, services);
      return { ...definition, create: atLevel };
    };
    return { ...entry, load };
  });
  return { ...sinks, entries };
}

type Loaded = Awaited<ReturnType<PluginPackage["entries"][number]["load"]>>;
type Sink = Extract<Loaded, { readonly kind: "sink" }>;
