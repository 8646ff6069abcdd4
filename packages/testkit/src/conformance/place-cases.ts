import type { LoopwrightError, ProviderDefinition } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { askProvider, openProvider, type ProviderSetting } from "./ask-provider.ts";
import type { ConformanceCase } from "./conformance-case.ts";
import { failureOf } from "./plain-failure.ts";

/** The layers on which the form of a reply is seen to. */
export const LAYERS: readonly string[] = ["json-schema", "json-mode", "prompt"];

interface Placed extends ProviderSetting {
  readonly failures: readonly ProviderSetting[];
  readonly lacking?: ProviderSetting;
  readonly key?: string;
}

/** What a provider promises of where its calls go. */
export function placeCases(
  definition: ProviderDefinition,
  given: Placed,
): readonly ConformanceCase[] {
  return [
    {
      name: "names the same place each time, and no key in it",
      run: () => {
        const [place, again] = [1, 2].map(() => openProvider(definition, given).place?.());
        expect(again).toEqual(place);
        if (place === undefined) return;
        for (const name of [place.endpoint, place.account])
          expect(name, "a name of the place").toMatch(/\S/);
        if (given.key !== undefined)
          expect(JSON.stringify(place), "the place").not.toContain(given.key);
      },
    },
  ];
}

/** What a provider promises of the faults that core reads. */
export function lackCases(
  definition: ProviderDefinition,
  given: Placed,
): readonly ConformanceCase[] {
  const { failures, lacking, key } = given;
  return [
    {
      name: "says which form of output it lacks by the name of a layer, and no key in any fault",
      run: async () => {
        for (const setting of lacking === undefined ? failures : [lacking, ...failures]) {
          const failed = await failureOf(
            () => askProvider(definition, setting),
            "the request must fail",
          );
          const { message, details } = failed as LoopwrightError;
          const { lacks } = details ?? {};
          if (setting === lacking || lacks !== undefined) expect(LAYERS).toContain(lacks);
          if (key !== undefined)
            expect(`${message} ${JSON.stringify(details ?? {})}`, "the fault").not.toContain(key);
        }
      },
    },
  ];
}
