import type { Range } from "../contracts/strategy.ts";
import type { Effect } from "../contracts/tool.ts";
import type { Limits } from "../program/program.ts";

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
  };
  /** 1 where a limit or a repeat can make a run write a conclusion with one more model call; part of the totals. */
  readonly conclusion: 0 | 1;
  readonly limits: Limits;
  /** Model calls kept for stages that run in any case. */
  readonly reserve: number;
  readonly dryRun: boolean;
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
  /** Model ids by voice. */
  readonly models: Readonly<Record<string, string>>;
  readonly noModel: boolean;
  readonly tools: readonly string[];
  readonly slots: Readonly<Record<string, readonly ExplainedStage[]>>;
}

/** A tool with what it does to the world and who must agree. */
interface ExplainedTool {
  readonly name: string;
  readonly use: string;
  readonly effect: Effect;
  /** `never`, `always`, or the condition. */
  readonly approval: string;
  readonly deny?: string;
  readonly timeoutMs: number;
  readonly cacheMs: number;
}

/** A model with what stands in for it. */
interface ExplainedModel {
  readonly id: string;
  readonly role: string;
  readonly fallback: readonly string[];
  readonly hasPrice: boolean;
}
