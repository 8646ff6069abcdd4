export { checks } from "./builtin.ts";
