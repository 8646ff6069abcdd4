import type { RunEvent, Sink, SinkDefinition } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { createQuietly } from "./create-quietly.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { definitionCases } from "./definition-cases.ts";
import { withDefaults } from "./json-schema.ts";
import { SAMPLE_ANSWER, sampleRun } from "./sample-events.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** A sink with what is needed to see what it made of the events. */
export interface SinkSetting {
  readonly options?: Readonly<Record<string, unknown>>;
  readonly services?: ServiceValues;
  /** What stands where the sink tells: the file, the terminal, the instance itself. */
  readonly told: (sink: Sink) => string | Promise<string>;
}

/** The conformance suite of a sink; `open` is called for every case and names a fresh place. */
export function describeSink(definition: SinkDefinition, open: () => SinkSetting): void {
  describeCases(`sink ${definition.id}`, sinkCases(definition, open));
}

/** What a sink promises. */
export function sinkCases(
  definition: SinkDefinition,
  open: () => SinkSetting,
): readonly ConformanceCase[] {
  return [
    ...definitionCases(definition, "sink"),
    {
      name: "bounds what may wait for it",
      run: () => {
        expect(definition.overflow.maxEvents).toBeGreaterThan(0);
        expect(definition.overflow.maxBytes).toBeGreaterThan(0);
        expect(["drop-deltas", "drop-oldest", "block"]).toContain(definition.overflow.policy);
      },
    },
    {
      name: "is created at once and opens nothing",
      run: async () => {
        const { options, services } = open();
        const sink = createQuietly(
          definition.inject,
          servicesFor(definition.inject, services),
          (watched) =>
            definition.create(withDefaults(definition.options, options) as never, watched as never),
        );
        await sink.close?.();
      },
    },
    ...tellingCases(definition, open),
    ...orderCases(definition, open),
  ];
}

function tellingCases(
  definition: SinkDefinition,
  open: () => SinkSetting,
): readonly ConformanceCase[] {
  return [
    {
      name: "tells a run by the time it is flushed",
      run: async () => {
        const setting = open();
        await withSink(definition, setting, async (sink) => {
          await tell(sink, sampleRun());
          await sink.flush?.();
          expect(await setting.told(sink)).toContain(SAMPLE_ANSWER);
        });
      },
    },
    {
      name: "serves several runs, one after the other and at the same time",
      run: async () => {
        const setting = open();
        await withSink(definition, setting, async (sink) => {
          await tell(sink, sampleRun("run-1"));
          await sink.flush?.();
          const once = timesTold(await setting.told(sink));
          const [two, three] = [sampleRun("run-2"), sampleRun("run-3")];
          await tell(
            sink,
            two.flatMap((event, index) => [event, ...three.slice(index, index + 1)]),
          );
          await sink.flush?.();
          expect(timesTold(await setting.told(sink))).toBeGreaterThanOrEqual(3 * once);
        });
      },
    },
  ];
}

function orderCases(
  definition: SinkDefinition,
  open: () => SinkSetting,
): readonly ConformanceCase[] {
  const survives = (events: () => readonly RunEvent[]) => async (): Promise<void> => {
    const setting = open();
    await withSink(definition, setting, async (sink) => {
      await tell(sink, events());
      await tell(sink, sampleRun("run-after"));
      await sink.flush?.();
      expect(await setting.told(sink)).toContain(SAMPLE_ANSWER);
    });
  };
  return [
    {
      name: "takes events in any order, and goes on",
      run: survives(() => [...sampleRun().toReversed(), ...sampleRun().slice(5)]),
    },
    {
      name: "takes an event that it does not know, and goes on",
      run: survives(() =>
        sampleRun().map((event) => {
          const unknown = { ...event, name: "thing.happened", data: { what: ["a", null] } };
          return deepFreeze(unknown) as unknown as RunEvent;
        }),
      ),
    },
    {
      name: "takes events without the scope they belong to, and goes on",
      run: survives(() => sampleRun().filter(({ name }) => !name.endsWith(".start"))),
    },
    {
      name: "may be flushed and closed at any time, and more than once",
      run: async () => {
        await withSink(definition, open(), async (sink) => {
          await sink.flush?.();
          await tell(sink, sampleRun().slice(0, 8));
          await sink.flush?.();
          await sink.flush?.();
          await sink.close?.();
        });
      },
    },
  ];
}

function timesTold(told: string): number {
  return told.split(SAMPLE_ANSWER).length - 1;
}

/** Events arrive one at a time, as core's queue hands them over. */
async function tell(sink: Sink, events: readonly RunEvent[]): Promise<void> {
  for (const event of events) await sink.handle(event);
}

async function withSink(
  definition: SinkDefinition,
  { options, services }: SinkSetting,
  use: (sink: Sink) => Promise<void>,
): Promise<void> {
  const sink = definition.create(
    withDefaults(definition.options, options) as never,
    servicesFor(definition.inject, services) as never,
  );
  try {
    await use(sink);
  } finally {
    await sink.close?.();
  }
}
