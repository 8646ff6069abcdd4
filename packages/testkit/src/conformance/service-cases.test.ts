import { defineService, defineToken, type ServiceDefinition } from "@loopwright/core/plugin";
import { afterEach, describe, expect, it } from "vitest";
import { failuresOf } from "./conformance-case.ts";
import { serviceCases } from "./service-cases.ts";

interface Bell {
  ring(): string;
}

const token = defineToken<Bell>("acme/bell");
const timers: NodeJS.Timeout[] = [];
afterEach(() => {
  for (const timer of timers.splice(0)) clearInterval(timer);
});

function bellWith(
  create: () => Bell,
  dispose: (bell: Bell) => void = () => undefined,
): ServiceDefinition {
  return defineService({ token, create, dispose });
}

const failures = (definition: ServiceDefinition) =>
  failuresOf(serviceCases<Bell>(definition, { use: (bell) => expect(bell.ring()).toBe("ding") }));

const ding = (): Bell => ({ ring: () => "ding" });

describe("the suite of a service", () => {
  it("passes a good service", async () => {
    expect(await failures(bellWith(ding))).toEqual([]);
  });

  it("finds an id that is not its token's", async () => {
    expect(await failures({ ...bellWith(ding), id: "acme/horn" })).toEqual([
      "has the id of its token: package/name in kebab-case",
    ]);
  });

  it("finds a service that does not work", async () => {
    expect(await failures(bellWith(() => ({ ring: () => "dong" })))).toContain(
      "works until it is disposed",
    );
  });

  it("finds a service that can be made only once", async () => {
    let isGone = false;
    const once = bellWith(
      () => {
        if (isGone) throw new Error("there was one bell");
        return ding();
      },
      () => {
        isGone = true;
      },
    );
    expect(await failures(once)).toContain(
      "can be made again after it was disposed, as the next app does",
    );
  });

  it("finds a timer that outlives its service", async () => {
    const ticking = bellWith(() => {
      timers.push(setInterval(() => undefined, 60_000));
      return ding();
    });
    expect(await failures(ticking)).toEqual(["leaves nothing open when it is disposed"]);
  });
});
