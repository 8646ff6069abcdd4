import type { Static, TObject } from "@sinclair/typebox";
import type { Lesson } from "./state.ts";
import type { Inject, Services } from "./token.ts";

/** What to look for; `scope` is the spec's name. */
export interface LessonQuery {
  readonly text: string;
  readonly scope: string;
  readonly max: number;
}

/**
 * Keeps lessons.
 *
 * Contract: expired lessons are never recalled; `add` refuses a lesson that says the same as one that is kept;
 * `recall` returns the most fitting first and counts a use of each; two processes may share one memory.
 */
export interface Memory {
  recall(query: LessonQuery): Promise<readonly Lesson[]>;
  add(
    lesson: Omit<Lesson, "id" | "uses">,
  ): Promise<{ readonly added: boolean; readonly lesson: Lesson }>;
  list(): Promise<readonly Lesson[]>;
  remove(id: string): Promise<boolean>;
  /** Removes what has expired; returns how many. */
  prune(): Promise<number>;
  /** What it keeps but can't read, in words that say where; empty where all is well. Asked once a run, after a recall. */
  faults?(): Promise<readonly string[]>;
}

/** A memory plugin. */
export interface MemoryDefinition {
  readonly kind: "memory";
  readonly id: string;
  readonly description: string;
  readonly options: TObject;
  readonly inject: Inject;
  readonly create: (options: never, services: never) => Memory;
}

/** Declares a memory. Contract: `create` is synchronous and opens nothing; it is called once per program and entry, also for entries with equal options. */
export function defineMemory<
  O extends TObject,
  const I extends Inject = Record<never, never>,
>(definition: {
  readonly id: string;
  readonly description: string;
  readonly options: O;
  readonly inject?: I;
  readonly create: (options: Static<O>, services: Services<I>) => Memory;
}): MemoryDefinition {
  return { kind: "memory", inject: {}, ...definition };
}
