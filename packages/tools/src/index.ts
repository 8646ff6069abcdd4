export { tools } from "./builtin.ts";
