import type { CallPlaces } from "../calls/call-places.ts";
import type {
  CheckEntry,
  MemoryEntry,
  ModelEntry,
  Program,
  CompiledStage,
  ToolEntry,
} from "../program/program.ts";
import type { Json } from "../contracts/json.ts";
import type { Memory } from "../contracts/memory.ts";
import type { Provider } from "../contracts/provider.ts";
import type { Clock } from "../contracts/service.ts";
import type { Overflow, Sink } from "../contracts/sink.ts";
import type { ToolFunction, ToolSet } from "../contracts/tool.ts";
import type { Redactor } from "../events/redactor.ts";

/** A program with its configured instances: made once, run many times, also concurrently. */
export interface LinkedProgram {
  readonly program: Program;
  readonly instances: Instances;
  readonly clock: Clock;
  readonly nextId: () => string;
  readonly redactor: Redactor;
  /** Results of `read` tools that a policy lets live longer than a call. */
  readonly cache: ToolCache;
  /** The endpoints and accounts that it calls, shared with the other programs of the app. */
  readonly calls: CallPlaces;
  /** The agents inside it, by the id of their stage; their sinks are not opened. */
  readonly agents: ReadonlyMap<string, LinkedProgram>;
}

/** The configured plugins of a program. */
export interface Instances {
  provider(entry: ModelEntry): Provider;
  tool(entry: ToolEntry): ToolFunction<Json, unknown>;
  toolSet(entry: ToolEntry): ToolSet;
  memory(entry: MemoryEntry): Memory;
  /** The services that a strategy or a check asked for. */
  services(entry: CompiledStage | CheckEntry): Readonly<Record<string, unknown>>;
  readonly sinks: readonly {
    readonly name: string;
    readonly sink: Sink;
    readonly overflow: Overflow;
  }[];
}

/** Remembers what tools said, uncut; who reads it judges its age. */
export interface ToolCache {
  get(key: string): { readonly text: string; readonly time: number } | undefined;
  set(key: string, text: string): void;
  clear(): void;
  /** How often it was cleared. */
  readonly clearCount: number;
}
