import type { App, ListedPlugin } from "@loopwright/core";
import { stringify } from "yaml";

/** What is wrong with each of these plugins: a spec that names all of them is checked, which loads their code. */
export async function pluginFaults(
  app: App,
  plugins: readonly ListedPlugin[],
): Promise<readonly string[]> {
  const idsOf = (kind: ListedPlugin["kind"]): readonly string[] =>
    plugins.filter((plugin) => plugin.kind === kind).map(({ id }) => id);
  const named = <T>(ids: readonly string[], valueOf: (id: string) => T): Record<string, T> =>
    Object.fromEntries(ids.map((id, index) => [`n${index}`, valueOf(id)]));
  const spec = {
    apiVersion: "loopwright/v1",
    name: "every-plugin",
    models: named(idsOf("provider"), (id) => `${id}/any`),
    tools: named(idsOf("tool"), (use) => ({ use })),
    memory: named(idsOf("memory"), (use) => ({ use })),
    strategy: [...idsOf("strategy"), "direct"],
    output: { fields: { reply: "string" }, checks: idsOf("check") },
    sinks: named(idsOf("sink"), (use) => ({ use })),
  };
  const { diagnostics } = await app.check({ text: stringify(spec), file: "every-plugin.yaml" });
  const faults = diagnostics.filter(({ code }) => code === "LW-PLUGIN-BROKEN");
  return [...new Set(faults.map(({ message }) => message))];
}
