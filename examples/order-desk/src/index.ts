export type { Address, Order, OrderItem, OrderStatus } from "./order.ts";
export { OrderDatabase } from "./order-database.ts";
export { SEED_ORDERS } from "./seed-orders.ts";
export { orderDatabase } from "./services.ts";
export { query, updateAddress } from "./tools.ts";
