import type { EventData, EventName } from "../contracts/event.ts";
import type { Json } from "../contracts/json.ts";
import { childScope, type Frame } from "./run-scope.ts";

/** Facts of the catalogue that strategies tell themselves. */
const STRATEGY_FACTS: ReadonlySet<string> = new Set<EventName>([
  "vote.counted",
  "thought.given",
  "choice.made",
]);

/** Tells a fact of a strategy: one of the catalogue under its own name, any other as `fact.told`. */
export function tellFact(frame: Frame, name: string, data: Json): void {
  const scope = childScope(frame, frame.key);
  const { bus } = frame.run;
  const told = plain(data);
  if (STRATEGY_FACTS.has(name))
    bus.emit(name as EventName, told as unknown as EventData[EventName], scope);
  else bus.emit("fact.told", { fact: name, data: told }, scope);
}

/** A copy, so that no object of a strategy's own gets into the log. */
function plain(data: Json): Json {
  return JSON.parse(JSON.stringify(data) ?? "null") as Json;
}
