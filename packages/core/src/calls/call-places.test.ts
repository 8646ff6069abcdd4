import { describe, expect, it } from "vitest";
import { testClock } from "../../../testkit/src/test-clock.ts";
import { Type } from "../contracts/schema.ts";
import { defineProvider, type Provider, type ProviderPlace } from "../contracts/provider.ts";
import type { ModelEntry } from "../program/program.ts";
import { CallPlaces } from "./call-places.ts";

const provider = (place?: () => ProviderPlace): Provider => ({
  generate: async () => Promise.reject(new Error("not asked")),
  capabilities: () => ({ tools: true, structured: "prompt" }),
  ...(place === undefined ? {} : { place }),
});

const definition = defineProvider({
  id: "stub",
  description: "A stub.",
  options: Type.Object({}),
  create: () => provider(),
});

const entryOf = (model: string, more: Partial<ModelEntry> = {}): ModelEntry => ({
  id: `stub/${model}`,
  role: "",
  definition,
  profile: "stub",
  model,
  options: {},
  sampling: {},
  calls: {
    timeout: { totalMs: 1, firstMs: 1, idleMs: 1 },
    retry: { attempts: 1, firstMs: 1, maxMs: 1 },
    breaker: { failures: 5, restMs: 1 },
  },
  fallback: [],
  ...more,
});

const clock = testClock();

describe("the places of an app", () => {
  it("share an account by its name, and a breaker by endpoint and model", () => {
    const places = new CallPlaces();
    const here = provider(() => ({ endpoint: "https://one", account: "one#1" }));
    const beside = provider(() => ({ endpoint: "https://one", account: "one#2" }));
    const [a, b, c] = [
      places.of(entryOf("m"), here, clock),
      places.of(entryOf("m"), beside, clock),
      places.of(entryOf("n"), here, clock),
    ];
    expect(a.account).not.toBe(b.account);
    expect(a.account).toBe(c.account);
    expect(a.breaker).toBe(b.breaker);
    expect(a.breaker).not.toBe(c.breaker);
    expect(a.endpoint).toBe(b.endpoint);
  });

  it("are apart for each profile and its options where the provider names none, or fails to", () => {
    const places = new CallPlaces();
    const failing = provider(() => {
      throw new Error("broken");
    });
    const first = places.of(entryOf("m"), provider(), clock);
    expect(places.of(entryOf("m"), failing, clock).account).toBe(first.account);
    const other = entryOf("m", { overrides: { a: 1 } });
    expect(places.of(other, provider(), clock).account).not.toBe(first.account);
  });

  it("have no breaker where the spec turns it off", () => {
    const { breaker: _, ...calls } = entryOf("m").calls;
    expect(new CallPlaces().of(entryOf("m", { calls }), provider(), clock).breaker).toBeUndefined();
  });

  it("are the same for who holds one, however many others were made", () => {
    const places = new CallPlaces();
    const entry = entryOf("m");
    const first = places.of(entry, provider(), clock);
    for (let count = 0; count < 2_500; count++)
      places.of(entryOf("m", { profile: `p${count}` }), provider(), clock);
    const again = places.of(entryOf("m"), provider(), clock);
    expect(again.account).toBe(first.account);
    expect(again.breaker).toBe(first.breaker);
    expect(again.hold).toBe(first.hold);
    expect(places.of(entry, provider(), clock)).toBe(first);
  });
});
