import type { CheckDefinition } from "../contracts/check.ts";
import type { Json, JsonObject, JsonSchema } from "../contracts/json.ts";
import type { MemoryDefinition } from "../contracts/memory.ts";
import type { PluginPackage } from "../contracts/plugin-definition.ts";
import type {
  ConstraintLayer,
  Price,
  ProviderDefinition,
  Sampling,
} from "../contracts/provider.ts";
import type { SinkDefinition } from "../contracts/sink.ts";
import type { Bounds, Range } from "../contracts/bounds.ts";
import type { Flow, StrategyDefinition } from "../contracts/strategy.ts";
import type { Effect, ToolDefinition } from "../contracts/tool.ts";
import type { Diagnostic, Position } from "../spec/text/diagnostic.ts";
import type { Expression } from "../spec/text/expression.ts";
import type { FieldsDeclaration } from "../spec/text/fields.ts";
import type { Shape } from "../spec/text/shape.ts";
import type { Template } from "../spec/text/template.ts";
import type { Limits } from "./limits.ts";
import type { ToolPolicy } from "./tool-policy.ts";

export type { Limits } from "./limits.ts";
export type { ToolPolicy } from "./tool-policy.ts";

/** A compiled spec: immutable and checked; `wiring` adds the configured instances. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** The spec file, absolute; a label where the spec came as text. */
  readonly file: string;
  /** The project root, absolute: no path leaves it. */
  readonly root: string;
  /** SHA-256 over the canonical spec, hex: pins what runs. */
  readonly hash: string;
  /** Warnings; a program with errors is never made. */
  readonly diagnostics: readonly Diagnostic[];
  readonly inputs: FieldsDeclaration;
  readonly task: TaskTemplate;
  readonly instructions?: Template;
  /** Domain terms by their name; only those present enter a prompt. */
  readonly glossary?: ReadonlyMap<string, string>;
  readonly language?: "en" | "zh";
  /** The folder that tools work in, absolute; the project root where the spec names none. */
  readonly workspace?: string;
  /** What may be thrown on a live run, by name. */
  readonly switches?: ReadonlyMap<string, SwitchEntry>;
  /** The programs of inner agents, by the id of their stage, or `tool:NAME`. */
  readonly agents?: ReadonlyMap<string, Program>;
  /** Parts of the language that this version can't run; a run says so before it begins. */
  readonly notYet?: readonly NotYet[];
  /** The packages that its `plugins` names, with what they provide. */
  readonly packages?: readonly PluginPackage[];
  /** Where `${secret:NAME}` stands, by name. */
  readonly secrets?: ReadonlyMap<string, Position>;
  /** The file of cases that evaluate the agent, absolute. */
  readonly cases?: string;
  /** The overlays that were applied, in order. */
  readonly overlays?: readonly string[];
  /** Every distinct model that a stage, a voice or a fallback names. */
  readonly models: readonly ModelEntry[];
  readonly tools: ReadonlyMap<string, ToolEntry>;
  readonly memories: ReadonlyMap<string, MemoryEntry>;
  /** Indexed by `CheckReference.instance`. */
  readonly checks: readonly CheckEntry[];
  readonly sinks: readonly SinkEntry[];
  readonly strategy: CompiledSequence;
  /** Every stage by its id. */
  readonly stages: ReadonlyMap<string, CompiledStage>;
  readonly output?: OutputDeclaration;
  readonly limits: Limits;
  readonly dryRun: boolean;
  readonly bounds: ProgramBounds;
  /** The shape of the state view that expressions and templates see. */
  readonly shape: Shape;
  /** The spec in canonical form, defaults filled in, as it may be shown: without the values of options marked secret. */
  readonly canonical: JsonObject;
}

/** What a switch changes: stages and tools that go off, limits that go down. */
export interface SwitchEntry {
  readonly stages: readonly string[];
  readonly tools: readonly string[];
  readonly limits: Limits;
}

/** A part of the language that this version can't run. */
export interface NotYet {
  /** As diagnostics name it. */
  readonly what: string;
  readonly position: Position;
}

/** The task before its templates are rendered over the inputs. */
export interface TaskTemplate {
  readonly text: Template;
  readonly mission?: Template;
  readonly deliverable?: Template;
  readonly constraints: readonly {
    readonly id: string;
    readonly text: Template;
    readonly rule?: Expression;
  }[];
}

/** One model with everything needed to call it. */
export interface ModelEntry {
  /** `provider/name`, as written. */
  readonly id: string;
  /** The role by which the spec names it, `default`, or empty for an inline model. */
  readonly role: string;
  readonly definition: ProviderDefinition;
  readonly profile: string;
  readonly model: string;
  readonly options: JsonObject;
  readonly sampling: Sampling;
  readonly price?: Price;
  readonly calls: CallPolicy;
  /** The layer on which the spec wants schemas to be asked for; the provider's own where left out. */
  readonly structured?: ConstraintLayer;
  /** The fields that the spec lays over the profile. */
  readonly overrides?: JsonObject;
  readonly fallback: readonly ModelEntry[];
}

/** How a model is called: its times, its tries, and what its account allows. Milliseconds. */
export interface CallPolicy {
  /** For the whole reply, for the first piece of it, and between pieces. */
  readonly timeout: { readonly totalMs: number; readonly firstMs: number; readonly idleMs: number };
  /** `attempts` counts the first one; waits grow from `firstMs` to `maxMs`, and follow what the endpoint asks up to `maxMs`. */
  readonly retry: { readonly attempts: number; readonly firstMs: number; readonly maxMs: number };
  /** After so many failures in a row no call goes out for so long; undefined where the spec turns it off. */
  readonly breaker?: { readonly failures: number; readonly restMs: number };
  readonly rateLimit?: Rate;
  /** The same for tokens, sent and received. */
  readonly tokenRate?: Rate;
  /** Calls of the account under way at one time. */
  readonly maxParallel?: number;
}

/** So many in any span of so many milliseconds. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
}

/** A tool of the spec by its name there. */
export interface ToolEntry {
  readonly name: string;
  /** The name on the wire, unique in the program. */
  readonly wireName: string;
  readonly definition: ToolDefinition;
  readonly options: JsonObject;
  readonly description: string;
  readonly input: JsonSchema;
  /** Of a set of tools: the policy for the strongest effect that one of them may have. */
  readonly policy: ToolPolicy;
  /** Only of a set of tools: the policy of those with each effect. */
  readonly policies?: PoliciesByEffect;
}

/** The policies of a set's tools, by what each of them does. */
export type PoliciesByEffect = Readonly<Record<Effect, ToolPolicy>>;

/** What a stage says of a set of tools. */
export interface StageSet {
  /** True where the stage may call only those that read. */
  readonly isReadOnly: boolean;
  /** Where the stage tightens them. */
  readonly policies?: PoliciesByEffect;
}

/** A memory of the spec by its name there. */
export interface MemoryEntry {
  readonly name: string;
  readonly definition: MemoryDefinition;
  readonly options: JsonObject;
}

/** A check with its options, as one place in the spec names it. */
export interface CheckEntry {
  readonly definition: CheckDefinition;
  readonly options: JsonObject;
  /** Where options hold templates, by JSON pointer (`/uses`). */
  readonly templates: ReadonlyMap<string, Template>;
  /** The expressions in its options, by source. */
  readonly expressions: ReadonlyMap<string, Expression>;
  readonly path: string;
}

/** A sink of the spec by its name there. */
interface SinkEntry {
  readonly name: string;
  readonly definition: SinkDefinition;
  readonly options: JsonObject;
}

/** A list of stages, one after the other. */
export interface CompiledSequence {
  readonly stages: readonly CompiledStage[];
}

/** One stage: a strategy with its options, its children and the settings common to all. */
export interface CompiledStage {
  readonly id: string;
  /** Where the spec says it: `strategy[1].plan-and-solve.do`. */
  readonly path: string;
  readonly position: Position;
  readonly definition: StrategyDefinition;
  readonly options: JsonObject;
  readonly templates: ReadonlyMap<string, Template>;
  readonly expressions: ReadonlyMap<string, Expression>;
  /** By the name of the slot; a child of a slot with several by both: `branches.left`, `try.0`. A record without a prototype. */
  readonly slots: Readonly<Record<string, CompiledSequence>>;
  /** Names that are seen inside, beside the state: those of the slots around it. */
  readonly bindings?: readonly string[];
  readonly when?: Expression;
  readonly always: boolean;
  readonly onError: "fail" | "continue";
  /** By voice; `default` is every voice not named. Missing where the stage needs no model or says `none`. */
  readonly models: Readonly<Record<string, ModelEntry>>;
  /** True where the spec says `model: none`. */
  readonly noModel: boolean;
  readonly instructions?: Template;
  readonly prompts: Readonly<Record<string, Template>>;
  readonly examples: readonly {
    readonly task: string;
    readonly answer: string;
    readonly reasoning?: string;
    readonly avoid?: string;
  }[];
  /** The names of the tools it may call. */
  readonly tools: readonly string[];
  /** Policies that this stage tightens, by tool name, every level applied. */
  readonly policies: ReadonlyMap<string, ToolPolicy>;
  /** The sets among its tools, by name; left out where there is none. */
  readonly sets?: ReadonlyMap<string, StageSet>;
  readonly limits: Limits;
  readonly flow: Flow;
  readonly bounds: Bounds;
  /** Requests, after repairs and fallbacks. */
  readonly requests: Range;
}

/** What the run must answer with. */
export interface OutputDeclaration {
  /** A closed object. */
  readonly schema: JsonSchema;
  /** Where the model reasons: nowhere, in a field of the reply, in a call of its own before it, or in free text before the fields. */
  readonly reasoning: "none" | "first" | "separate" | "free";
  /** The file of dead letters, absolute. */
  readonly deadLetter?: string;
  readonly checks: readonly { readonly check: string; readonly instance: number }[];
  /** How often a reply that does not fit the schema is fed back to the model, for one answer. */
  readonly repair: number;
  /** The same for one that fits and breaks a check. */
  readonly checkRepair: number;
}

/** The worst case of a whole program. */
export interface ProgramBounds {
  readonly generations: Range;
  /** Model calls of the stages and the conclusion, after repairs and fallbacks. */
  readonly requests: Range;
  readonly toolCalls: Range;
  /** The requests where every call is tried as often as its model's policy allows. */
  readonly attempts: number;
  /** 1 where a limit or a repeat can make a run write a conclusion with one more model call; part of `requests`. */
  readonly conclusion: 0 | 1;
  /** Requests of stages marked `always`, kept below every hard limit. */
  readonly reserve: number;
}

/** A value that a spec or the command sets over the file. */
export interface Override {
  /** `stages.react.maxSteps`, `limits.modelCalls`, … */
  readonly path: string;
  /** The text after `=`, typed by the field it sets; or a value. */
  readonly value: Json;
}
