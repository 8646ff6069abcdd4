export { providers } from "./builtin.ts";
export { type ScriptedReplies, scriptedProvider } from "./scripted.ts";
export type { ScriptedCall, ScriptedReply } from "./scripted/reply.ts";
