export { memories } from "./builtin.ts";
export { findUnreadableLines } from "./file/lesson-lines.ts";
