export { strategies } from "./builtin.ts";
