import type { Json } from "../contracts/json.ts";
import type { Diagnostics } from "../spec/text/diagnostic.ts";
import { nodeFromJson } from "../spec/text/spec-node.ts";
import type { ModelEntry } from "../program/program.ts";
import { AgentTable, outermost } from "./agent-table.ts";
import { openContext } from "./compile-context.ts";
import { openModels } from "./compile-models.ts";
import type { CompileSettings } from "./compile-settings.ts";
import { collectRoles } from "./model-form.ts";
import { PluginTable } from "./plugin-table.ts";

/** What became of a model that stands in no spec: an entry where there are no errors. */
export interface LoneModel {
  readonly entry?: ModelEntry;
  readonly diagnostics: Diagnostics;
}

/** Compiles a model as a spec writes one, `provider/name` or a map, given by a host; `at` is what diagnostics call the place. */
export async function compileLoneModel(
  model: Json,
  at: string,
  settings: CompileSettings & { readonly root: string },
): Promise<LoneModel> {
  const plugins = new PluginTable(settings.plugins);
  const node = nodeFromJson(model, { file: at, line: 1, column: 1 }, "model");
  for (;;) {
    const context = openContext({ plugins, agents: noAgents(at), settings, root: settings.root });
    const { diagnostics } = context;
    const table = openModels(
      collectRoles(node, undefined, context),
      {
        diagnostics,
        shape: { kind: "object", fields: {} },
        root: settings.root,
        memories: [],
        readChecks: () => [],
      },
      context,
    );
    const entry = table.default();
    // oxlint-disable-next-line no-await-in-loop -- each round needs the plugins that the last one asked for
    if (await plugins.loadWanted()) continue;
    return diagnostics.hasErrors || entry === undefined || entry === "none"
      ? { diagnostics }
      : { entry, diagnostics };
  }
}

function noAgents(at: string): AgentTable {
  return new AgentTable(outermost(), at, () =>
    Promise.resolve({ diagnostics: [], isLeftOut: true }),
  );
}
