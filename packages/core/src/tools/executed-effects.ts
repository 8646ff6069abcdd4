import type { Frame } from "../run/run-scope.ts";

type Run = Frame["run"];

/** The calls that began to change something, by the people of their run: it and all agents inside share those. */
const begun = new WeakMap<Run["people"], Set<string>>();

/** Notes that a tool that changes something begins its work for the call with this key. */
export function noteEffect({ people }: Run, key: string): void {
  const keys = begun.get(people) ?? new Set<string>();
  begun.set(people, keys);
  keys.add(key);
}

/** True where a call below this key has begun to change something. */
export function hasEffectBelow({ people }: Run, key: string): boolean {
  const prefix = `${key}/`;
  for (const each of begun.get(people) ?? []) if (each.startsWith(prefix)) return true;
  return false;
}
