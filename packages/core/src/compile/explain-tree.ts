import type { Range } from "../contracts/bounds.ts";
import type { ConstraintLayer } from "../contracts/provider.ts";
import type { Dialect } from "../contracts/schema-dialect.ts";
import type { Effect } from "../contracts/tool.ts";
import type { CallPolicy, Limits, ToolPolicy } from "../program/program.ts";

/** What a program will do and what it may cost, as data. */
export interface ExplainTree {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly hash: string;
  readonly stages: readonly ExplainedStage[];
  readonly tools: readonly ExplainedTool[];
  readonly models: readonly ExplainedModel[];
  readonly totals: {
    readonly generations: Range;
    /** Model calls of the stages and the conclusion. */
    readonly requests: Range;
    readonly toolCalls: Range;
    /** Model calls at the most where every call fails and is tried as often as it may be. */
    readonly attempts: number;
  };
  /** 1 where a limit or a repeat can make a run write a conclusion with one more model call; part of the totals. */
  readonly conclusion: 0 | 1;
  readonly limits: Limits;
  /** Model calls kept for stages that run in any case. */
  readonly reserve: number;
  readonly dryRun: boolean;
  /** The overlays that were applied, in order. */
  readonly overlays: readonly string[];
  readonly agents: readonly ExplainedAgent[];
  readonly ceiling: PriceCeiling;
}

/** A stage with its children, by slot. */
export interface ExplainedStage {
  readonly id: string;
  readonly strategy: string;
  readonly when?: string;
  readonly always: boolean;
  readonly needs: readonly string[];
  readonly uses: readonly string[];
  readonly sets: readonly string[];
  readonly maySet: readonly string[];
  readonly generations: Range;
  /** Model calls, after repairs and fallbacks. */
  readonly requests: Range;
  readonly toolCalls: Range;
  /** Model ids by voice; none for a stage that calls no model itself. */
  readonly models: Readonly<Record<string, string>>;
  readonly noModel: boolean;
  /** The agent that the stage runs. */
  readonly agent?: StageAgent;
  readonly tools: readonly string[];
  /** By the name of the slot; a child of a slot with several by both: `branches.left`. */
  readonly slots: Readonly<Record<string, readonly ExplainedStage[]>>;
}

/** An agent that a stage runs. */
interface StageAgent {
  readonly name: string;
  /** The ids of its models, those of agents inside it included. */
  readonly models: readonly string[];
}

/** A tool with what it does to the world, who must agree, and every other policy in force. */
export interface ExplainedTool extends Omit<ToolPolicy, "approval" | "deny" | "timeoutMs"> {
  readonly name: string;
  readonly use: string;
  readonly effect: Effect;
  /** Missing where nothing ends a call but its own limits. */
  readonly timeoutMs?: number;
  /** True where it stands for several tools, which its source lists at run time. */
  readonly isSet?: true;
  /** `never`, `always`, or the condition; of a set by effect where its tools differ. */
  readonly approval: string;
  readonly deny?: string;
}

/** An agent inside this one. */
interface ExplainedAgent {
  /** The id of its stage, or `tool:NAME`. */
  readonly place: string;
  readonly name: string;
  readonly hash: string;
  readonly requests: Range;
  readonly toolCalls: Range;
}

/** The most that a run can cost, as far as prices and limits tell. */
export interface PriceCeiling {
  /** Missing where nothing bounds it. */
  readonly usd?: number;
  /** What the number stands on, or what is missing for one. */
  readonly why: string;
}

/** A model with what stands in for it. */
export interface ExplainedModel {
  readonly id: string;
  readonly role: string;
  readonly profile: string;
  /** True where the spec lays fields over the profile. */
  readonly isChanged: boolean;
  readonly calls: CallPolicy;
  /** The layer on which the spec wants schemas to be asked for. */
  readonly structured?: ConstraintLayer;
  /** How it is asked for the declared output; left out where it gives none, or its provider does not tell. */
  readonly output?: ExplainedForm;
  readonly fallback: readonly string[];
  readonly hasPrice: boolean;
}

/** How a model is asked for the declared output. An endpoint that says that it lacks a layer is asked on a lower one. */
export interface ExplainedForm {
  /** The highest layer. What it does not see to is told in words, and looked at when the reply comes. */
  readonly layer: ConstraintLayer;
  /** The part of JSON Schema that the schema is written in; left out where it is sent as it is. */
  readonly dialect?: Dialect;
  /** What of the schema is told in words only, on the layer `json-schema`: `pattern at code`. */
  readonly inWords?: readonly string[];
  /** Why the layer is lower than the endpoint's. */
  readonly why?: string;
  /** The layer of a request that offers tools, where that is another. */
  readonly besideTools?: ConstraintLayer;
}
