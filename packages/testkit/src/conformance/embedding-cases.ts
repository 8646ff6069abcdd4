import { isLoopwrightError, type Provider, type ProviderDefinition } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { never, openProvider, type ProviderSetting, settle } from "./ask-provider.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { expectUsage } from "./expect-usage.ts";
import { failureOf } from "./plain-failure.ts";

const TEXTS = ["a parcel", "a refund", "a parcel"];

/** What a provider of vectors promises. */
export function embeddingCases(
  definition: ProviderDefinition,
  given: ProviderSetting & { readonly hanging: ProviderSetting },
): readonly ConformanceCase[] {
  return [
    {
      name: "gives one vector for each text, in their order",
      run: async () => {
        const { vectors, usage } = await embed(definition, given, never());
        expect(vectors.length, "vectors").toBe(TEXTS.length);
        const [first = [], second = [], third = []] = vectors;
        expect(third, "vectors of equal texts").toEqual(first);
        expect(second, "vectors of other texts").not.toEqual(first);
        expect(second.length, "numbers of each vector").toBe(first.length);
        for (const number of vectors.flat()) expect(Number.isFinite(number)).toBe(true);
        expectUsage(usage);
      },
    },
    {
      name: "gives no vectors when it is aborted, before or on the way",
      run: async () => {
        const early = AbortSignal.abort(new Error("stopped before"));
        await failureOf(() => embed(definition, given, early), "an aborted request must end");
        const abort = new AbortController();
        const ended = Promise.allSettled([embed(definition, given.hanging, abort.signal)]);
        await settle();
        abort.abort(new Error("stopped on the way"));
        const [ending] = await ended;
        expect(ending.status).toBe("rejected");
        const fault: unknown = ending.status === "rejected" ? ending.reason : undefined;
        expect(isLoopwrightError(fault) && fault.retryable, "an abort to retry").toBe(false);
      },
    },
  ];
}

function embed(
  definition: ProviderDefinition,
  setting: ProviderSetting,
  signal: AbortSignal,
): ReturnType<NonNullable<Provider["embed"]>> {
  const provider = openProvider(definition, setting);
  if (provider.embed === undefined) throw new Error(`${definition.id} has no \`embed\``);
  return provider.embed({ model: "stub", texts: TEXTS }, { signal });
}
