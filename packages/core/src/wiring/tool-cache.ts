import { LRUCache } from "lru-cache";
import type { Clock } from "../contracts/service.ts";
import type { ToolCache } from "../run/linked-program.ts";

const maxCacheChars = 16_000_000;

/** Makes the cache of a program and of the agents inside it. */
export function toolCache(clock: Clock): ToolCache {
  const entries = new LRUCache<string, { readonly text: string; readonly time: number }>({
    max: 1_000,
    maxSize: maxCacheChars,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  let clearCount = 0;
  return {
    get: (key) => entries.get(key),
    set: (key, text) => {
      entries.set(key, { text, time: clock.now() });
    },
    clear: () => {
      clearCount += 1;
      entries.clear();
    },
    get clearCount() {
      return clearCount;
    },
  };
}

/** The cache of an agent: its entries are its own; what one of its tools changed clears those of the program around it too. */
export function agentCache(outer: ToolCache, agent: string): ToolCache {
  const own = (key: string): string => `${agent} ${key}`;
  return {
    get: (key) => outer.get(own(key)),
    set: (key, text) => outer.set(own(key), text),
    clear: () => outer.clear(),
    get clearCount() {
      return outer.clearCount;
    },
  };
}
