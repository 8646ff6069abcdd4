/** The door for people who run agents. */
export type { CompileSettings, SpecSource } from "./compile/compile-spec.ts";
export { type ExplainTree, explainProgram, formatExplain } from "./compile/explain.ts";
export type { Limits, Override, Program } from "./program/program.ts";
export { projectRoot } from "./compile/project-root.ts";
export type { EventData, EventName, Fault, RunEvent, Spending } from "./contracts/event.ts";
export type { Json, JsonObject } from "./contracts/json.ts";
export type { Memory } from "./contracts/memory.ts";
export type { Message, ToolCall, Usage } from "./contracts/message.ts";
export type { PluginKind, PluginPackage } from "./contracts/plugin-definition.ts";
export { Clock, Fetch, Ids, ProjectRoot, Secrets, Terminal } from "./contracts/service.ts";
export type {
  Answer,
  Issue,
  Lesson,
  Observation,
  Plan,
  RunState,
  Verdict,
} from "./contracts/state.ts";
export { ERROR_CODES, type ErrorCode } from "./errors/error-codes.ts";
export {
  isLoopwrightError,
  LoopwrightError,
  PluginError,
  SpecError,
} from "./errors/loopwright-error.ts";
export { memoryOf } from "./run/program-memory.ts";
export type {
  EventOf,
  PendingRequest,
  PersonReply,
  Run,
  RunInput,
  RunListener,
  RunOutcome,
  RunSettings,
} from "./run/run.ts";
export { type Diagnostic, formatDiagnostic } from "./spec/text/diagnostic.ts";
export { DIAGNOSTIC_CODES, type DiagnosticCode } from "./spec/text/diagnostic-codes.ts";
export {
  type App,
  type AppOptions,
  type CheckResult,
  type CompileOptions,
  createApp,
} from "./wiring/create-app.ts";
export type { CompiledProgram } from "./wiring/open-programs.ts";
export type { ListedPlugin } from "./wiring/plugin-registry.ts";
export { provide, type ProvidedService } from "./wiring/services.ts";
