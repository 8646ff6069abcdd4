import { type Order, type OrderDatabase, SEED_ORDERS } from "@acme/loopwright-orders";

/** Orders without a file, as a host or a test would bind them. */
export function inMemoryOrders(): OrderDatabase {
  const orders = new Map<string, Order>(SEED_ORDERS.map((order) => [order.id, order]));
  return {
    findOrder: async (id) => orders.get(id),
    updateAddress: async (id, address) => {
      const order = orders.get(id);
      if (order === undefined || !["paid", "packed"].includes(order.status)) return undefined;
      orders.set(id, { ...order, address });
      return orders.get(id);
    },
    close: async () => {},
  };
}
