import type { EventData, EventName, ScopeOutcome } from "../contracts/event.ts";
import { NO_USAGE } from "../contracts/provider.ts";
import type { Scope } from "./scope.ts";

/** An event before it is stamped. */
export type Told = {
  readonly [N in EventName]: {
    readonly name: N;
    readonly data: EventData[N];
    readonly scope: Scope;
  };
}[EventName];

/** The scopes of a run that have started and not ended, the run itself aside. */
export class OpenScopes {
  readonly #open = new Map<string, Told>();

  follow(told: Told): void {
    switch (told.name) {
      case "stage.start":
      case "step.start":
      case "model-call.start":
      case "tool-call.start":
        this.#open.set(keyOf(told), told);
        break;
      case "stage.end":
      case "step.end":
      case "model-call.end":
      case "tool-call.end":
        this.#open.delete(keyOf(told));
        break;
      default:
    }
  }

  /** The ends of all that is open, the innermost first. */
  ends(outcome: ScopeOutcome): readonly Told[] {
    return [...this.#open.values()].toReversed().flatMap((told) => endOf(told, outcome));
  }
}

function keyOf({ name, scope }: Told): string {
  return `${name.split(".", 1)[0]} ${scope.spanId}`;
}

function endOf(told: Told, outcome: ScopeOutcome): readonly Told[] {
  const { scope } = told;
  switch (told.name) {
    case "stage.start": {
      const { strategy } = told.data;
      return [{ name: "stage.end", data: { strategy, outcome }, scope }];
    }
    case "step.start": {
      const { index } = told.data;
      return [{ name: "step.end", data: { index, outcome }, scope }];
    }
    case "tool-call.start": {
      const { tool, callId } = told.data;
      const data = { tool, callId, outcome, cached: false, durationMs: 0 };
      return [{ name: "tool-call.end", data, scope }];
    }
    case "model-call.start": {
      const said = { text: "", reasoning: "", toolCalls: [], usage: NO_USAGE, usd: 0 };
      const data = { model: told.data.model, outcome, ...said, durationMs: 0 };
      return [{ name: "model-call.end", data, scope }];
    }
    default:
      return [];
  }
}
