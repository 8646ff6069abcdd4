/** The door for people who write plugins. */
export * from "./contracts/check.ts";
export * from "./contracts/event.ts";
export * from "./contracts/json.ts";
export * from "./contracts/memory.ts";
export * from "./contracts/message.ts";
export * from "./contracts/plugin-definition.ts";
export * from "./contracts/provider.ts";
export * from "./contracts/schema.ts";
export * from "./contracts/service.ts";
export * from "./contracts/sink.ts";
export * from "./contracts/state.ts";
export * from "./contracts/options-problem.ts";
export * from "./contracts/strategy.ts";
export * from "./contracts/token.ts";
export * from "./contracts/tool.ts";
export * from "./errors/error-codes.ts";
export * from "./errors/loopwright-error.ts";
export { onAborted } from "./run/until-aborted.ts";
