import { type Order, type OrderDatabase, type Refund, SEED_ORDERS } from "@acme/loopwright-orders";

/** Orders without a file, as a host or a test would bind them. */
export function inMemoryOrders(): OrderDatabase {
  const orders = new Map<string, Order>(SEED_ORDERS.map((order) => [order.id, order]));
  const refunds = new Map<string, Refund>();
  return {
    findOrder: async (id) => orders.get(id),
    updateAddress: async (id, address) => {
      const order = orders.get(id);
      if (order === undefined || !["paid", "packed"].includes(order.status)) return undefined;
      orders.set(id, { ...order, address });
      return orders.get(id);
    },
    findRefund: async (orderId) => refunds.get(orderId),
    refund: async (refund) => {
      const order = orders.get(refund.orderId);
      const isRefused =
        order === undefined ||
        order.status === "cancelled" ||
        refunds.has(refund.orderId) ||
        refund.amountCents < 1 ||
        refund.amountCents > order.totalCents;
      if (!isRefused) refunds.set(refund.orderId, refund);
      return !isRefused;
    },
    close: async () => {},
  };
}
