import type { Inject } from "@loopwright/core/plugin";
import { expect } from "vitest";
import type { ServiceValues } from "./services.ts";

/** Creates an instance and asserts that it came at once, that no service with effects was used, and that nothing was opened. */
export function createQuietly<T>(
  inject: Inject,
  services: ServiceValues,
  create: (services: ServiceValues) => T,
): T {
  const used: string[] = [];
  const before = process.getActiveResourcesInfo().toSorted();
  const made = create(watched(inject, services, used));
  const after = process.getActiveResourcesInfo().toSorted();
  expect(made instanceof Promise, "create returns a promise").toBe(false);
  expect(used, "services used by create").toEqual([]);
  expect(after, "handles, timers and requests after create").toEqual(before);
  return made;
}

function watched(inject: Inject, services: ServiceValues, used: string[]): ServiceValues {
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => {
      const isPure = inject[name]?.purity === "pure";
      return [name, isPure ? service : watch(name, service, used)];
    }),
  );
}

/** The same service; every call of it, or of one of its methods, is noted. */
function watch(name: string, service: unknown, used: string[]): unknown {
  if (typeof service === "function") {
    return (...parameters: unknown[]): unknown => {
      used.push(name);
      return Reflect.apply(service, undefined, parameters);
    };
  }
  if (typeof service !== "object" || service === null) return service;
  return new Proxy(service, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      return (...parameters: unknown[]): unknown => {
        used.push(`${name}.${String(key)}`);
        return Reflect.apply(value, target, parameters);
      };
    },
  });
}
