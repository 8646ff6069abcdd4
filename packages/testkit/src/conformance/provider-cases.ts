import {
  type Delta,
  isLoopwrightError,
  type ProviderDefinition,
  type ProviderReply,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { stubRequest } from "../stub-servers/stub-request.ts";
import {
  askProvider,
  never,
  openProvider,
  providerOptions,
  type ProviderSetting,
  settle,
} from "./ask-provider.ts";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { embeddingCases } from "./embedding-cases.ts";
import { expectUsage } from "./expect-usage.ts";
import { unlikeJson } from "./json-schema.ts";
import { LAYERS, lackCases, placeCases } from "./place-cases.ts";
import { expectPlainFailure, failureOf } from "./plain-failure.ts";
import { servicesFor } from "./services.ts";

export type { ProviderSetting } from "./ask-provider.ts";

/** What a provider is tried with. */
export interface ProviderConformance extends ProviderSetting {
  /** Settings in which it can't answer, one at least. */
  readonly failures: readonly ProviderSetting[];
  /** A setting in which the endpoint never answers, where there is an endpoint. */
  readonly hanging?: ProviderSetting;
  /** The key that the settings hold, which nothing may tell. */
  readonly key?: string;
  /** A setting in which the endpoint refuses the form of the output, where it can. */
  readonly lacking?: ProviderSetting;
  /** A setting in which it gives vectors, where it does: equal ones for equal texts. */
  readonly embedding?: ProviderSetting & { readonly hanging: ProviderSetting };
}

const FINISH_REASONS = ["stop", "length", "tool-calls", "content-filter", "other"];

/** The conformance suite of a provider. */
export function describeProvider(definition: ProviderDefinition, given: ProviderConformance): void {
  describeCases(`provider ${definition.id}`, providerCases(definition, given));
}

/** What a provider promises. */
export function providerCases(
  definition: ProviderDefinition,
  given: ProviderConformance,
): readonly ConformanceCase[] {
  return [
    ...definitionCases(definition, "provider"),
    ...settingCases(definition, given),
    ...replyCases(definition, given),
    ...placeCases(definition, given),
    ...endingCases(definition, given),
    ...lackCases(definition, given),
    ...(given.embedding === undefined ? [] : embeddingCases(definition, given.embedding)),
  ];
}

function settingCases(
  definition: ProviderDefinition,
  given: ProviderConformance,
): readonly ConformanceCase[] {
  return [
    {
      name: "is created at once and opens nothing, in every setting",
      run: () => {
        for (const setting of [given, ...given.failures]) {
          const services = servicesFor(definition.inject, setting.services?.());
          createQuietly(definition.inject, services, (watched) =>
            definition.create(providerOptions(definition, setting) as never, watched as never),
          );
        }
      },
    },
    {
      name: "tells its capabilities at once",
      run: () => {
        const { tools, structured, price } = openProvider(definition, given).capabilities("stub");
        expect(tools).toBeTypeOf("boolean");
        expect(LAYERS).toContain(structured);
        for (const dollars of Object.values(price ?? {})) expect(dollars).toBeGreaterThanOrEqual(0);
        if (definition.free?.includes(definition.id) === true)
          expect(price).toEqual({ input: 0, output: 0 });
      },
    },
  ];
}

function replyCases(
  definition: ProviderDefinition,
  given: ProviderConformance,
): readonly ConformanceCase[] {
  return [
    {
      name: "gives one whole reply",
      run: async () => expectReply(await askProvider(definition, given)),
    },
    {
      name: "leaves the request as it is",
      run: async () => {
        const request = stubRequest(given.request);
        const before = structuredClone(request);
        await openProvider(definition, given).generate(request, { signal: never() });
        expect(request).toEqual(before);
        await openProvider(definition, given).generate(deepFreeze(request), { signal: never() });
      },
    },
    {
      name: "says that its reply is coming, where it streams",
      run: async () => {
        const provider = openProvider(definition, given);
        let count = 0;
        const onActivity = (): unknown => (count += 1);
        await provider.generate(stubRequest(given.request), { signal: never(), onActivity });
        const before = count;
        if (provider.capabilities("stub").streams === true)
          expect(before, "calls of onActivity").toBeGreaterThan(0);
        await settle();
        expect(count, "calls of onActivity after the reply").toBe(before);
      },
    },
    {
      name: "tells its pieces in order and none after the end",
      run: async () => {
        const deltas: Delta[] = [];
        const reply = await askProvider(definition, given, never(), (delta) => deltas.push(delta));
        const count = deltas.length;
        await settle();
        expect(deltas.length, "pieces after the reply").toBe(count);
        for (const delta of deltas) expect(delta.text, "an empty piece").not.toBe("");
        const told = (kind: Delta["kind"]): string =>
          deltas.flatMap((delta) => (delta.kind === kind ? [delta.text] : [])).join("");
        for (const kind of ["text", "reasoning"] as const)
          if (told(kind) !== "") expect(told(kind)).toBe(reply.message[kind]);
      },
    },
  ];
}

function endingCases(
  definition: ProviderDefinition,
  given: ProviderConformance,
): readonly ConformanceCase[] {
  return [
    {
      name: "fails with a ProviderError that says why",
      run: async () => {
        expect(given.failures.length, "failures").toBeGreaterThan(0);
        for (const setting of given.failures) {
          const failed = await failureOf(
            () => askProvider(definition, setting),
            "the request must fail",
          );
          expectPlainFailure(failed);
          expect(isLoopwrightError(failed) && failed.family).toBe("ProviderError");
        }
      },
    },
    {
      name: "asks nothing when it is aborted before it starts",
      run: async () => {
        const deltas: Delta[] = [];
        const listen = (delta: Delta): unknown => deltas.push(delta);
        const aborted = AbortSignal.abort(new Error("stopped before"));
        await failureOf(
          () => askProvider(definition, given, aborted, listen),
          "an aborted request ends",
        );
        await settle();
        expect(deltas).toEqual([]);
      },
    },
    {
      name: "stops when it is aborted, and tells nothing afterwards",
      run: async () => {
        const setting = given.hanging ?? given;
        const deltas: Delta[] = [];
        const abort = new AbortController();
        const pending = askProvider(definition, setting, abort.signal, (delta) =>
          deltas.push(delta),
        );
        const ended = Promise.allSettled([pending]);
        await settle();
        abort.abort(new Error("stopped on the way"));
        const [ending] = await ended;
        if (given.hanging !== undefined) expect(ending.status).toBe("rejected");
        const count = deltas.length;
        await settle();
        expect(deltas.length).toBe(count);
      },
    },
  ];
}

function expectReply({ message, usage, finishReason }: ProviderReply): void {
  expect(unlikeJson(message)).toEqual([]);
  expect(message.role).toBe("assistant");
  expect(message.text).toBeTypeOf("string");
  expect(message.reasoning).toBeTypeOf("string");
  expect(new Set(message.toolCalls.map(({ id }) => id)).size).toBe(message.toolCalls.length);
  for (const call of message.toolCalls) {
    expect(call.id).not.toBe("");
    expect(call.name).not.toBe("");
    expect(call.arguments).toBeTypeOf("string");
  }
  expectUsage(usage);
  expect(FINISH_REASONS).toContain(finishReason);
}
