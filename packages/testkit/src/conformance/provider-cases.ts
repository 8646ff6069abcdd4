import {
  type Delta,
  isLoopwrightError,
  type Provider,
  type ProviderDefinition,
  type ProviderReply,
  type ProviderRequest,
} from "@loopwright/core/plugin";
import { expect } from "vitest";
import { stubRequest } from "../stub-servers/stub-request.ts";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { unlikeJson, withDefaults } from "./json-schema.ts";
import { expectPlainFailure, failureOf } from "./plain-failure.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** One way to configure a provider and to ask it. */
export interface ProviderSetting {
  /** Joined by the provider's own id as `profile` and by the model `stub`. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly services?: () => ServiceValues;
  readonly request?: Partial<ProviderRequest>;
}

/** What a provider is tried with. */
export interface ProviderConformance extends ProviderSetting {
  /** Settings in which it can't answer, one at least. */
  readonly failures: readonly ProviderSetting[];
  /** A setting in which the endpoint never answers, where there is an endpoint. */
  readonly hanging?: ProviderSetting;
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
    ...endingCases(definition, given),
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
            definition.create(optionsOf(definition, setting) as never, watched as never),
          );
        }
      },
    },
    {
      name: "tells its capabilities at once",
      run: () => {
        const { tools, structured, price } = open(definition, given).capabilities("stub");
        expect(tools).toBeTypeOf("boolean");
        expect(["json-schema", "json-mode", "prompt"]).toContain(structured);
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
      run: async () => expectReply(await ask(definition, given)),
    },
    {
      name: "leaves the request as it is",
      run: async () => {
        const request = stubRequest(given.request);
        const before = structuredClone(request);
        await open(definition, given).generate(request, { signal: never() });
        expect(request).toEqual(before);
        await open(definition, given).generate(deepFreeze(request), { signal: never() });
      },
    },
    {
      name: "tells its pieces in order and none after the end",
      run: async () => {
        const deltas: Delta[] = [];
        const reply = await ask(definition, given, never(), (delta) => deltas.push(delta));
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
          const failed = await failureOf(() => ask(definition, setting), "the request must fail");
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
        await failureOf(() => ask(definition, given, aborted, listen), "an aborted request ends");
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
        const pending = ask(definition, setting, abort.signal, (delta) => deltas.push(delta));
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

function optionsOf(
  definition: ProviderDefinition,
  setting: ProviderSetting,
): Readonly<Record<string, unknown>> {
  const own = { profile: definition.id, model: "stub", ...setting.options };
  return withDefaults(definition.options, own);
}

function open(definition: ProviderDefinition, setting: ProviderSetting): Provider {
  const services = servicesFor(definition.inject, setting.services?.());
  return definition.create(optionsOf(definition, setting) as never, services as never);
}

async function ask(
  definition: ProviderDefinition,
  setting: ProviderSetting,
  signal: AbortSignal = never(),
  onDelta?: (delta: Delta) => void,
): Promise<ProviderReply> {
  const call = onDelta === undefined ? { signal } : { signal, onDelta };
  return open(definition, setting).generate(stubRequest(setting.request), call);
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
  const counts = [usage.input, usage.cacheRead, usage.cacheWrite, usage.output, usage.reasoning];
  for (const count of counts) expect(Number.isInteger(count) && count >= 0, "usage").toBe(true);
  expect(usage.reasoning, "reasoning is a part of the output").toBeLessThanOrEqual(usage.output);
  expect(FINISH_REASONS).toContain(finishReason);
}

function never(): AbortSignal {
  return new AbortController().signal;
}

/** Lets what is on its way arrive. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
