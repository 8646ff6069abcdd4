import type { EventData, EventName, ScopeOutcome } from "../contracts/event.ts";
import { OpenScopes, type Told } from "./open-scopes.ts";
import type { Scope } from "./scope.ts";

/** Where a part of a run tells what happens in it. */
export interface RunBus {
  /** True when somebody would hear the event; callers may skip costly data otherwise. */
  hears(name: EventName): boolean;
  emit<N extends EventName>(name: N, data: EventData[N], scope: Scope): void;
}

/** The bus of work inside a run that may be left behind while the run goes on. */
export class InnerBus implements RunBus {
  readonly #outer: RunBus;
  readonly #scopes = new OpenScopes();
  #isSealed = false;

  constructor(outer: RunBus) {
    this.#outer = outer;
  }

  hears(name: EventName): boolean {
    return !this.#isSealed && this.#outer.hears(name);
  }

  emit<N extends EventName>(name: N, data: EventData[N], scope: Scope): void {
    if (this.#isSealed) return;
    this.#scopes.follow({ name, data, scope } as Told);
    this.#outer.emit(name, data, scope);
  }

  /** Ends every scope that is open, the innermost first; what is told afterwards is not heard. */
  seal(outcome: ScopeOutcome): void {
    for (const { name, data, scope } of this.#scopes.ends(outcome)) this.emit(name, data, scope);
    this.#isSealed = true;
  }
}
