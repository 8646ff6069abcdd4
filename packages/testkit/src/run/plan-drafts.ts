import type { RunEvent } from "@loopwright/core";
import type { ProviderRequest } from "@loopwright/core/plugin";

/** A step of a made-up plan. */
interface DraftStep {
  readonly id: string;
  readonly objective: string;
  readonly needsExternalInfo: boolean;
  readonly successCondition: string;
  readonly dependsOn: readonly string[];
}

/** What a scripted model replies. */
interface DraftReply {
  readonly json: never;
}

/** A step of a made-up plan. */
export function step(id: string, ...dependsOn: readonly string[]): DraftStep {
  return {
    id,
    objective: `do ${id}`,
    needsExternalInfo: false,
    successCondition: `${id} stands`,
    dependsOn,
  };
}

/** The reply of a model that plans these steps. */
export function planOf(...steps: readonly object[]): DraftReply {
  return draftOf({ steps });
}

/** The reply of a model that plans one step, but for what is given. */
export function draftOf(given: object): DraftReply {
  const draft = { goal: "g", constraints: [], conflicts: [], steps: [step("a")], ...given };
  return { json: draft as never };
}

/** What a request asks last. */
export function asked({ messages }: ProviderRequest): string {
  const last = messages.at(-1);
  return last === undefined ? "" : last.text;
}

/** The data of the facts of a name. */
export function factsOf(events: readonly RunEvent[], name: string): readonly unknown[] {
  return events.flatMap((event) =>
    event.name === "fact.told" && event.data.fact === name ? [event.data.data] : [],
  );
}
