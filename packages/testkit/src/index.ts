export {
  type CheckConformance,
  type CheckExample,
  describeCheck,
} from "./conformance/check-cases.ts";
export { describeMemory, type MemoryConformance } from "./conformance/memory-cases.ts";
export { runState, type StateChanges } from "./conformance/neutral-run-state.ts";
export {
  describeProvider,
  type ProviderConformance,
  type ProviderSetting,
} from "./conformance/provider-cases.ts";
export { sampleRun } from "./conformance/sample-events.ts";
export { describeService, type ServiceConformance } from "./conformance/service-cases.ts";
export type { ServiceValues } from "./conformance/services.ts";
export { describeSink, type SinkSetting } from "./conformance/sink-cases.ts";
export type { StandInReplies, StandInReply } from "./conformance/stand-ins.ts";
export { describeStrategy } from "./conformance/strategy-cases.ts";
export type { StrategyConformance } from "./conformance/strategy-stage.ts";
export { tempFolder } from "./conformance/temp-folder.ts";
export { describeTool, type ToolConformance, type ToolExample } from "./conformance/tool-cases.ts";
export { describeToolSet, type ToolSetConformance } from "./conformance/tool-set-cases.ts";
export { toolContext } from "./conformance/tool-context.ts";
export { canonicalEvents, eventNames, unbalanced } from "./events.ts";
export { runSpec, type RunSpecOptions, type SpecRun } from "./run-spec.ts";
export type { StubBlock, StubMessage } from "./stub-servers/anthropic-wire.ts";
export { type StubAnthropic, stubAnthropic } from "./stub-servers/stub-anthropic.ts";
export { type StubOpenAi, stubOpenAi } from "./stub-servers/stub-openai.ts";
export type { StubCall, StubReply } from "./stub-servers/stub-reply.ts";
export { type TestClock, testClock } from "./test-clock.ts";
