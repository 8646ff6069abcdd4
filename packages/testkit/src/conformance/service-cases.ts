import type { ServiceDefinition } from "@loopwright/core/plugin";
import { expect } from "vitest";
import { type ConformanceCase, describeCases } from "./conformance-case.ts";
import { type ServiceValues, servicesFor } from "./services.ts";

/** What a service is tried with. */
export interface ServiceConformance<T> {
  /** The services that it asks for, fresh for every case. */
  readonly services?: () => ServiceValues;
  /** Uses the service; throws where it does not work. */
  readonly use: (service: T) => void | Promise<void>;
}

/** The conformance suite of a service. */
export function describeService<T>(
  definition: ServiceDefinition,
  given: ServiceConformance<T>,
): void {
  describeCases(`service ${definition.id}`, serviceCases(definition, given));
}

/** What a service promises. */
export function serviceCases<T>(
  definition: ServiceDefinition,
  given: ServiceConformance<T>,
): readonly ConformanceCase[] {
  const create = async (services: ServiceValues): Promise<T> =>
    (await definition.create(services as never)) as T;
  const fresh = (): ServiceValues => servicesFor(definition.inject, given.services?.());
  return [
    {
      name: "has the id of its token: package/name in kebab-case",
      run: () => {
        expect(definition.kind).toBe("service");
        expect(definition.id).toBe(definition.token.id);
        expect(definition.id).toMatch(/^[a-z][a-z0-9-]*\/[a-z][a-z0-9-]*$/);
        expect(definition.token.symbol).toBe(Symbol.for(`loopwright:service:${definition.id}`));
      },
    },
    {
      name: "works until it is disposed",
      run: async () => {
        const service = await create(fresh());
        try {
          await given.use(service);
        } finally {
          await definition.dispose?.(service as never);
        }
      },
    },
    {
      name: "can be made again after it was disposed, as the next app does",
      run: async () => {
        const services = fresh();
        await definition.dispose?.((await create(services)) as never);
        const service = await create(services);
        await given.use(service);
        await definition.dispose?.(service as never);
      },
    },
    {
      name: "leaves nothing open when it is disposed",
      run: async () => {
        const before = openThings();
        const service = await create(fresh());
        await given.use(service);
        await definition.dispose?.(service as never);
        await new Promise((resolve) => setImmediate(resolve));
        const left = openThings().filter((name, index, all) => {
          const seen = all.slice(0, index + 1).filter((other) => other === name).length;
          return seen > before.filter((other) => other === name).length;
        });
        expect(left).toEqual([]);
      },
    },
  ];
}

/** Timers and sockets that keep a process alive; reads and writes of files end by themselves. */
function openThings(): readonly string[] {
  return process
    .getActiveResourcesInfo()
    .filter((name) => /^(?:Timeout|TCP\w*|Pipe\w*|FSEvent\w*|TTYWrap|Worker\w*)$/.test(name))
    .toSorted();
}
