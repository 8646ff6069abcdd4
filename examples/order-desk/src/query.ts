import { defineTool, type Static, type ToolDefinition, Type } from "@loopwright/core/plugin";
import type { Order } from "./order.ts";
import { OrderDatabase } from "./order-database.ts";

const options = Type.Object({});

const input = Type.Object({
  orderId: Type.String({
    minLength: 1,
    description: "The order number exactly as the customer gave it, such as A20260824001.",
  }),
});

const text = (description: string) => Type.String({ description });
const date = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}, YYYY-MM-DD; or null` });

const found = Type.Object({
  found: Type.Literal(true),
  orderId: Type.String(),
  customer: Type.String(),
  status: text("paid, packed, shipped, delivered or cancelled"),
  items: text("what was bought, with quantities"),
  total: text("what was paid, with the currency"),
  paidOn: text("when it was paid, YYYY-MM-DD"),
  shippedOn: date("when it left the house"),
  deliveredOn: date("when it arrived"),
  promisedOn: date("the delivery date that the carrier promised"),
  carrier: Type.Union([Type.String(), Type.Null()]),
  tracking: Type.Union([Type.String(), Type.Null()]),
  city: text("the city of the delivery address"),
});

const missing = Type.Object({
  found: Type.Literal(false),
  orderId: Type.String(),
  message: Type.String(),
});

/** Looks one order up; an unknown number is a result, not a failure. */
export const query: ToolDefinition = defineTool({
  id: "orders/query",
  description: [
    "Looks up one order by its number.",
    "Use it before you say anything about an order: its status, what was bought, the carrier, the tracking number.",
    "It can't search by name, address or product, and it changes nothing.",
    "Returns the status, the items, the dates of payment, shipping and delivery, the promised delivery date,",
    "the carrier, the tracking number and the city it goes to; null where a thing has not happened or is not known.",
    "An unknown number returns found: false.",
  ].join(" "),
  options,
  input,
  output: Type.Union([found, missing]),
  effect: "read",
  inject: { orders: OrderDatabase },
  create:
    (_options, { orders }) =>
    async ({ orderId }) => {
      const order = await orders.findOrder(orderId);
      return order === undefined ? toMissing(orderId) : toFound(order);
    },
});

function toMissing(orderId: string): Static<typeof missing> {
  return { found: false, orderId, message: `no order ${orderId} exists` };
}

function toFound(order: Order): Static<typeof found> {
  return {
    found: true,
    orderId: order.id,
    customer: order.customer,
    status: order.status,
    items: order.items.map(({ name, quantity }) => `${quantity} x ${name}`).join("; "),
    total: `${(order.totalCents / 100).toFixed(2)} ${order.currency}`,
    paidOn: order.paidOn,
    shippedOn: order.shippedOn,
    deliveredOn: order.deliveredOn,
    promisedOn: order.promisedOn,
    carrier: order.carrier,
    tracking: order.tracking,
    city: order.address.city,
  };
}
