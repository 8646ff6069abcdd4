import { defineToken, type Token } from "@loopwright/core/plugin";
import type { Address, Order, Refund } from "./order.ts";

/**
 * Keeps the orders.
 *
 * Contract: `updateAddress` changes an order only while it is in the house (`paid` or `packed`) and resolves to the
 * changed order; it resolves to undefined, and changes nothing, where there is no such order. `refund` writes one refund
 * for an order at most, of at most what was paid for it, and none for a cancelled order; it resolves to false, and writes
 * nothing, where that does not hold. Nothing is called after `close`.
 */
export interface OrderDatabase {
  findOrder(id: string): Promise<Order | undefined>;
  updateAddress(id: string, address: Address): Promise<Order | undefined>;
  findRefund(orderId: string): Promise<Refund | undefined>;
  refund(refund: Refund): Promise<boolean>;
  close(): Promise<void>;
}

/** The order database that the tools of this package share. */
export const OrderDatabase: Token<OrderDatabase> =
  defineToken<OrderDatabase>("acme/order-database");
