export { query } from "./query.ts";
export { updateAddress } from "./update-address.ts";
