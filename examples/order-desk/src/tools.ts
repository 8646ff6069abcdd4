export { query } from "./query.ts";
export { refundOrder } from "./refund-order.ts";
export { updateAddress } from "./update-address.ts";
