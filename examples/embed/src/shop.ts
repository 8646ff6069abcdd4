import type { PluginPackage } from "@loopwright/core";
import { defineTool, Type } from "@loopwright/core/plugin";
import { scriptedProvider } from "@loopwright/providers";

const refund = defineTool({
  id: "refund",
  description: "Pays money back for an order. Returns the number of the payment.",
  options: Type.Object({}),
  input: Type.Object({
    orderId: Type.String(),
    euros: Type.Number({ exclusiveMinimum: 0 }),
  }),
  output: Type.Object({ payment: Type.String() }),
  effect: "once",
  create:
    () =>
    async ({ orderId }) => ({ payment: `P-${orderId}` }),
});

/** Stands in for a model, so that the example runs without a key: asks for the refund, then says what came of it. */
const clerk = scriptedProvider("shop", ({ messages, inputs }) => {
  const last = messages.at(-1);
  if (last?.role !== "tool") {
    const { orderId = "", euros = 0 } = inputs;
    return { calls: [{ name: "refund", arguments: { orderId, euros } }] };
  }
  const reply = last.ok
    ? "Your money is on its way."
    : "I could not pay this; a colleague will write to you.";
  const way = { evidence: ["observation-1"], solvable: true, unsolvableReason: null };
  return { json: { reply, paid: last.ok, ...way } };
});

/** The host's own plugins. */
export const shop: PluginPackage = {
  name: "shop",
  entries: [
    { kind: "provider", id: "shop", load: async () => clerk },
    { kind: "tool", id: "refund", load: async () => refund },
  ],
};
