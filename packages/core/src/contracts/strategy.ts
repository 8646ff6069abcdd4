import type { Static, TObject } from "@sinclair/typebox";
import type { Bounds } from "./bounds.ts";
import type { JsonSchema } from "./json.ts";
import type { OptionsProblem } from "./options-problem.ts";
import type { SlotDeclaration, Slots } from "./slots.ts";
import type { RunState, StateChange, StateField } from "./state.ts";
import type { Inject, Services } from "./token.ts";

import type { StrategyContext } from "./strategy-context.ts";

/**
 * What a stage reads and writes: `needs` must exist, `uses` is read if there, `sets` is always written, `maySet` sometimes.
 *
 * A stage that ends steps of a plan (`progress`) does not set `plan`: it names it under `uses`, and several may do so at once.
 */
export interface Flow {
  readonly needs?: readonly StateField[];
  readonly uses?: readonly StateField[];
  readonly sets?: readonly StateField[];
  readonly maySet?: readonly StateField[];
  /** The most items of lists that it writes, where its options bound them. */
  readonly maxItems?: Readonly<Partial<Record<"plan.steps" | "candidates" | "lessons", number>>>;
  /** For a stage that ends the run, so that nothing after it is reached: always, or in some cases. */
  readonly stops?: "always" | "maybe";
}

/** The bounds of a stage's children, by slot; a slot that the spec leaves out costs nothing; `childrenOf` takes those of a slot with several apart. */
export type ChildBounds<S extends Slots> = { readonly [K in keyof S]: Bounds };

/** What a strategy may look at when its options are checked together. */
export interface StageFacts {
  /** The child slots that the spec gives. */
  readonly slots: readonly string[];
  /** True where the spec says `model: none`. */
  readonly noModel: boolean;
  /**
   * The tools that the stage may call: their names in the spec, the ids of the plugins behind them, and the names of their
   * arguments; those of a set of tools are known in a run alone.
   */
  readonly tools: readonly {
    readonly tool: string;
    readonly use: string;
    readonly takes?: readonly string[];
  }[];
  /** The schema of the declared output; missing where any text will do. */
  readonly outputSchema?: JsonSchema;
}

/** A strategy plugin. */
export interface StrategyDefinition {
  readonly kind: "strategy";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  readonly slots: Slots;
  readonly voices: readonly string[];
  /** The voices that speak with these options and slots that are given, where not all of them do. */
  readonly voicesUsed?: (options: never, slots: readonly string[]) => readonly string[];
  /**
   * What a `prompt` sees beside the state, by voice (`default` for a strategy with one): the names that every `bind` of the
   * voice fills. A prompt that several voices share sees what all of them have.
   */
  readonly promptNames?: Readonly<Record<string, readonly string[]>>;
  /** What `results.<id>` is: `list` for a strategy that leaves a list of `ItemResult` there, `stage` for one whose product is there and nowhere else. */
  readonly result?: "stage" | "list";
  /** The schema of `results.<id>.value`, where the strategy leaves a value of its own there: paths into it are checked, and its lists are bounded. */
  readonly resultValue?: (options: never) => JsonSchema;
  /** True where it does the part of its work that takes no model also under `model: none`. */
  readonly canRunWithoutModel?: boolean;
  /** True where it makes several tool calls at once that no reply of a model asked for together: for its tools the rules of a fan-out hold. */
  readonly callsTogether?: boolean;
  /** By its options and the child slots that the spec gives. */
  readonly flow: (options: never, slots: readonly string[]) => Flow;
  readonly bounds: (options: never, children: never) => Bounds;
  /** Finds options that contradict each other; each problem is an error of the spec. */
  readonly validate?: (options: never, facts: StageFacts) => readonly OptionsProblem[];
  readonly inject: Inject<"pure">;
  readonly run: (
    state: RunState,
    context: never,
    options: never,
    services: never,
  ) => Promise<StateChange | void>;
}

/**
 * Declares a strategy.
 *
 * Contract: `run` reads the state it is given or `context.state`, returns or saves changes, bounds every loop by its
 * options, and holds no try/catch, logging, event or retry code. `bounds` is exact or a ceiling.
 */
export function defineStrategy<
  O extends TObject,
  const S extends Slots = Record<never, SlotDeclaration>,
  const I extends Inject<"pure"> = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly slots?: S;
  readonly voices?: readonly string[];
  readonly voicesUsed?: (options: Static<O>, slots: readonly string[]) => readonly string[];
  readonly promptNames?: Readonly<Record<string, readonly string[]>>;
  readonly result?: "stage" | "list";
  readonly resultValue?: (options: Static<O>) => JsonSchema;
  readonly canRunWithoutModel?: boolean;
  readonly callsTogether?: boolean;
  readonly flow: Flow | ((options: Static<O>, slots: readonly string[]) => Flow);
  readonly bounds: (options: Static<O>, children: ChildBounds<S>) => Bounds;
  readonly validate?: (options: Static<O>, facts: StageFacts) => readonly OptionsProblem[];
  readonly inject?: I;
  readonly run: (
    state: RunState,
    context: StrategyContext<S>,
    options: Static<O>,
    services: Services<I>,
  ) => Promise<StateChange | void>;
}): StrategyDefinition {
  const flow = definition.flow;
  return {
    kind: "strategy",
    slots: {},
    voices: [],
    inject: {},
    ...definition,
    // Left out by code without types, it stays out, and is reported when the definition is loaded.
    flow: typeof flow === "object" ? () => flow : flow,
  } as unknown as StrategyDefinition;
}
