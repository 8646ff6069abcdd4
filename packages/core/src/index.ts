/** The door for people who run agents. */
export { inFigures } from "./compile/count-text.ts";
export type { CompileSettings, OverlaidProgram, SpecSource } from "./compile/compile-spec.ts";
export { type Difference, diffPrograms, formatDifference } from "./compile/diff-programs.ts";
export { type ExplainTree, explainProgram, formatExplain } from "./compile/explain.ts";
export { type LaunchCheck, launchChecks } from "./compile/launch-checks.ts";
export { mermaidChart } from "./compile/mermaid-chart.ts";
export { type Provenance, provenanceOf, type Saying } from "./compile/provenance.ts";
export type { SpecIndex, StageSite, SymbolKind, SymbolUse } from "./compile/spec-index.ts";
export type { Limits, Override, Program } from "./program/program.ts";
export { projectRoot } from "./compile/project-root.ts";
export type { DeadLetter, RejectedReply } from "./contracts/dead-letter.ts";
export type {
  EventData,
  EventName,
  Fault,
  FaultDetails,
  RunEvent,
  Spending,
} from "./contracts/event.ts";
export type { Json, JsonObject } from "./contracts/json.ts";
export type { Memory } from "./contracts/memory.ts";
export type { Message, ToolCall, Usage } from "./contracts/message.ts";
export type { PluginDefinition, PluginKind, PluginPackage } from "./contracts/plugin-definition.ts";
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
export {
  appendDeadLetter,
  type DeadLetters,
  isLetterFile,
  readDeadLetters,
  resolveDeadLetter,
} from "./output/dead-letters.ts";
export { memoryOf } from "./run/program-memory.ts";
export { readNumber } from "./run/read-input-number.ts";
export type {
  EventOf,
  PendingApproval,
  PendingQuestion,
  PendingRequest,
  PersonReply,
  Run,
  RunInput,
  RunListener,
  RunOutcome,
  RunSettings,
} from "./run/run.ts";
export type { Entries, KeyCatalogue, KeyInfo, Step, ValueInfo } from "./schema/key-catalogue.ts";
export { loadSpecSchema, type SpecSchemaTools } from "./schema/load-spec-schema.ts";
export type { NameKind } from "./schema/schema-forms.ts";
export { type FormattedSpec, formatSpec } from "./spec/format/format-spec.ts";
export { type MigratedSpec, migrateSpec } from "./spec/migrate/migrate-spec.ts";
export { type Diagnostic, formatDiagnostic } from "./spec/text/diagnostic.ts";
export { DIAGNOSTIC_CODES, type DiagnosticCode } from "./spec/text/diagnostic-codes.ts";
export type { DiagnosticExample } from "./spec/text/examples/diagnostic-example.ts";
export { loadDiagnosticExamples } from "./spec/text/load-diagnostic-examples.ts";
export { describeShape, type ObjectShape, type Shape } from "./spec/text/shape.ts";
export type { ParseLimits } from "./structured/parse-limits.ts";
export { parseReact, type ReactOptions, type ReactStep } from "./structured/parse-react.ts";
export { type ParseOptions, parseStructured } from "./structured/parse-structured.ts";
export type { ReactDropped } from "./structured/react-collect.ts";
export type { ReactInput } from "./structured/react-input.ts";
export type {
  Repair,
  StructuredFailure,
  StructuredFault,
  StructuredValue,
} from "./structured/structured-result.ts";
export {
  type App,
  type AppOptions,
  type CheckResult,
  type CompileOptions,
  createApp,
} from "./wiring/create-app.ts";
export type { EmbedInput, EmbedOutcome } from "./wiring/embedder.ts";
export type { CompiledProgram } from "./wiring/open-programs.ts";
export type { ListedPlugin } from "./wiring/plugin-registry.ts";
export { provide, type ProvidedService } from "./wiring/services.ts";
