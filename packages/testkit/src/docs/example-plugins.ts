import type { PluginPackage } from "@loopwright/core";
import { defineToken, defineTool, type ToolDefinition, Type } from "@loopwright/core/plugin";

const MANUAL =
  "Use it when the customer names an order. Do not use it for anything else. It returns text.";

function toolOf(id: string, purpose: string, effect: ToolDefinition["effect"]): ToolDefinition {
  return defineTool({
    id,
    description: `${purpose} ${MANUAL}`,
    options: Type.Object({}),
    input: Type.Object({ order: Type.String() }),
    effect,
    create: () => () => "nothing",
  });
}

const Ledger = defineToken<object>("acme/ledger");

const tools: readonly ToolDefinition[] = [
  toolOf("orders/query", "Finds an order.", "read"),
  toolOf("orders/update-address", "Changes the address of an order.", "once"),
  toolOf("acme/search", "Finds pages.", "read"),
  toolOf("other/search", "Finds other pages.", "read"),
  { ...toolOf("acme/ledger", "Reads the ledger.", "read"), inject: { ledger: Ledger } },
];

/** Plugins that the examples of the diagnostic codes name. */
export const examplePlugins: readonly PluginPackage[] = [
  {
    name: "examples",
    entries: [
      ...tools.map((tool) => ({ kind: "tool", id: tool.id, load: async () => tool }) as const),
      {
        kind: "tool",
        id: "acme/broken",
        load: () => Promise.reject(new Error("a module is missing")),
      },
    ],
  },
];
