import type { RunEvent } from "@loopwright/core/plugin";

/** A stage at work. */
export interface Stage {
  readonly spanId: string;
  readonly title: string;
  /** 0 for the stages of the spec's own list. */
  readonly depth: number;
  readonly parent: Stage | undefined;
}

/** Sequences are how stages are listed; a person sees the stages. */
const INVISIBLE: ReadonlySet<string> = new Set(["sequence", "list"]);
/** The branch that a stage begins in, as its step key says it. */
const BRANCH = /\/fanOut:\d+\/([^/]+)\/[^/]+$/u;
/** Deeper chains of scopes are not looked through. */
const MAX_ANCESTORS = 100;

/** The scopes of one run, and which stage each belongs to; unknown ones belong to the run itself. */
export class Scopes {
  readonly #parents = new Map<string, string>();
  readonly #stages = new Map<string, Stage>();

  /** Learns where a scope stands from the event that opens it. */
  open(event: RunEvent): void {
    if (!event.name.endsWith(".start") || this.#parents.has(event.spanId)) return;
    this.#parents.set(event.spanId, event.parentId);
    if (event.name !== "stage.start" || INVISIBLE.has(event.data.strategy)) return;
    const parent = this.#enclosing(event.parentId);
    const { strategy } = event.data;
    const isNamed = event.stage !== "" && event.stage !== strategy;
    const title = isNamed ? `${event.stage} (${strategy})` : strategy;
    const branch = BRANCH.exec(event.key)?.[1];
    this.#stages.set(event.spanId, {
      spanId: event.spanId,
      title: branch === undefined ? title : `${title} in ${branch}`,
      depth: parent === undefined ? 0 : parent.depth + 1,
      parent,
    });
  }

  /** The innermost stage that an event belongs to. */
  stageOf(event: RunEvent): Stage | undefined {
    return this.#enclosing(event.spanId) ?? this.#enclosing(event.parentId);
  }

  #enclosing(spanId: string): Stage | undefined {
    let current: string | undefined = spanId;
    for (let step = 0; current !== undefined && step < MAX_ANCESTORS; step += 1) {
      const stage = this.#stages.get(current);
      if (stage !== undefined) return stage;
      current = this.#parents.get(current);
    }
    return undefined;
  }
}

/** The stages from the outermost to this one. */
export function pathTo(stage: Stage): readonly Stage[] {
  return stage.parent === undefined ? [stage] : [...pathTo(stage.parent), stage];
}
