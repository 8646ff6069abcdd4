import { defineTool, type Static, type ToolDefinition, Type } from "@loopwright/core/plugin";
import type { Order } from "./order.ts";
import { OrderDatabase } from "./order-database.ts";

const options = Type.Object({});

const address = Type.Object(
  {
    street: Type.String({ minLength: 1, description: "Street and house number." }),
    postalCode: Type.String({ minLength: 1 }),
    city: Type.String({ minLength: 1 }),
    country: Type.String({ pattern: "^[A-Z]{2}$", description: "Two letters, such as GB." }),
  },
  { description: "The whole address, as the customer gave it." },
);

const input = Type.Object({
  orderId: Type.String({
    minLength: 1,
    description: "The order number exactly as the customer gave it, such as A20260824001.",
  }),
  address,
});

const output = Type.Object({
  changed: Type.Boolean(),
  orderId: Type.String(),
  address: Type.Union([address, Type.Null()], {
    description: "where the order goes now; null when nothing changed",
  }),
  reason: Type.Optional(Type.String({ description: "why nothing changed" })),
});

/** Writes where an order goes; refuses once it has left the house. */
export const updateAddress: ToolDefinition = defineTool({
  id: "orders/update-address",
  description: [
    "Changes where one order is delivered.",
    "Use it when the customer asks for it and gives the whole address; ask for what is missing, never guess it.",
    "Not for an order that has shipped, was delivered or was cancelled: look it up first.",
    "Returns changed: true with the address as written, or changed: false with the reason.",
  ].join(" "),
  options,
  input,
  output,
  effect: "once",
  inject: { orders: OrderDatabase },
  create:
    (_options, { orders }) =>
    async (call) => {
      const changed = await orders.updateAddress(call.orderId, call.address);
      if (changed !== undefined) {
        return { changed: true, orderId: changed.id, address: changed.address };
      }
      return toRefusal(call.orderId, await orders.findOrder(call.orderId));
    },
});

function toRefusal(orderId: string, order: Order | undefined): Static<typeof output> {
  return { changed: false, orderId, address: null, reason: refusalReason(orderId, order) };
}

function refusalReason(orderId: string, order: Order | undefined): string {
  if (order === undefined) return `no order ${orderId} exists`;
  if (order.status === "cancelled") return `order ${orderId} is cancelled`;
  return `order ${orderId} has shipped on ${order.shippedOn}; its address can't be changed any more`;
}
