import type { StrategyDefinition } from "../contracts/strategy.ts";
import type { Position } from "../spec/text/diagnostic.ts";
import type { ObjectShape } from "../spec/text/shape.ts";
import type { MapNode, SpecNode } from "../spec/text/spec-node.ts";

/** What a name in a spec names. */
export type SymbolKind =
  | "stage"
  | "role"
  | "tool"
  | "memory"
  | "sink"
  | "input"
  | "overlay"
  | "strategy"
  | "switch"
  | "branch"
  | "plugin"
  | "file";

/** One place where a name stands; `at` has an `endColumn`. */
export interface SymbolUse {
  readonly kind: SymbolKind;
  /** The name; a path for a file, absolute. */
  readonly name: string;
  readonly at: Position;
  readonly isDefinition: boolean;
}

/** A stage as the spec writes it. */
export interface StageSite {
  readonly id: string;
  readonly strategy: string;
  readonly definition: StrategyDefinition;
  /** Where the strategy's id stands. */
  readonly at: SpecNode;
  readonly settings: MapNode;
  readonly options: MapNode;
  /** The state as the stage sees it. */
  readonly scope: ObjectShape;
  /** The id of the stage around it. */
  readonly parent?: string;
}

/** One use of the world outside: a variable, a secret, a file. */
export interface EnvironmentUse {
  readonly kind: "env" | "secret" | "file" | "run";
  readonly name: string;
  readonly at: Position;
  readonly path: string;
  readonly hasDefault: boolean;
  /** Whether a variable or secret is set here, or a file exists. */
  readonly isSet: boolean;
}

/** What editors and commands ask about a spec; there also where the spec has errors, as far as it could be read. */
export interface SpecIndex {
  /** The whole spec: bases, overlays and values set over it applied. */
  readonly root?: MapNode;
  /** By id, each before its children. */
  readonly stages: ReadonlyMap<string, StageSite>;
  readonly shape: ObjectShape;
  readonly uses: readonly SymbolUse[];
  readonly environment: readonly EnvironmentUse[];
  /** What the spec is made of, the lowest first: files, then `overlay NAME`, then `--set`. */
  readonly layers: readonly string[];
  /** The names of the options that the plugins of the spec mark as secret. */
  readonly secretOptions: ReadonlySet<string>;
}
