export type { Address, Order, OrderItem, OrderStatus, Refund } from "./order.ts";
export { OrderDatabase } from "./order-database.ts";
export { SEED_ORDERS } from "./seed-orders.ts";
export { orderDatabase } from "./services.ts";
export { query, refundOrder, updateAddress } from "./tools.ts";
