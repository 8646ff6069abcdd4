import { defineTool, type Static, type ToolDefinition, Type } from "@loopwright/core/plugin";
import type { Order, Refund } from "./order.ts";
import { OrderDatabase } from "./order-database.ts";

const options = Type.Object({});

const input = Type.Object({
  orderId: Type.String({
    minLength: 1,
    description: "The order number exactly as the customer gave it, such as A20260824001.",
  }),
  amountCents: Type.Integer({
    minimum: 1,
    description: "How much goes back, in cents of the order's currency: 9850 for 98.50 EUR.",
  }),
  reason: Type.String({ minLength: 1, description: "Why, in the words of the customer." }),
});

const output = Type.Object({
  refunded: Type.Boolean(),
  orderId: Type.String(),
  amount: Type.Union([Type.String(), Type.Null()], {
    description: "what goes back, with the currency; null when nothing does",
  }),
  reason: Type.Optional(Type.String({ description: "why nothing goes back" })),
});

/** Sends money back for one order, once; refuses more than was paid, a second refund, and a cancelled order. */
export const refundOrder: ToolDefinition = defineTool({
  id: "orders/refund-order",
  description: [
    "Sends money back to the customer of one order.",
    "Use it when the customer asks for a refund and the order was looked up before: never more than was paid.",
    "Not for a cancelled order, not twice for one order, and not for an exchange.",
    "Returns refunded: true with the amount, or refunded: false with the reason.",
  ].join(" "),
  options,
  input,
  output,
  effect: "once",
  inject: { orders: OrderDatabase },
  create:
    (_options, { orders }) =>
    async (call) => {
      const order = await orders.findOrder(call.orderId);
      if (order !== undefined && (await orders.refund(call)))
        return { refunded: true, orderId: order.id, amount: moneyOf(order, call.amountCents) };
      return toRefusal(call, order, await orders.findRefund(call.orderId));
    },
});

function toRefusal(
  { orderId, amountCents }: Refund,
  order: Order | undefined,
  before: Refund | undefined,
): Static<typeof output> {
  const refusal = { refunded: false, orderId, amount: null };
  if (order === undefined) return { ...refusal, reason: `no order ${orderId} exists` };
  if (order.status === "cancelled")
    return { ...refusal, reason: `order ${orderId} is cancelled, and was never charged` };
  if (before !== undefined) {
    const sent = moneyOf(order, before.amountCents);
    return { ...refusal, reason: `order ${orderId} was refunded before: ${sent}` };
  }
  const paid = moneyOf(order, order.totalCents);
  const asked = moneyOf(order, amountCents);
  return { ...refusal, reason: `${asked} is more than the ${paid} that were paid` };
}

function moneyOf({ currency }: Order, cents: number): string {
  return `${(cents / 100).toFixed(2)} ${currency}`;
}
